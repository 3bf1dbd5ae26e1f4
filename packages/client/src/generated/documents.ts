// Written by scripts/generate.mjs; change operations/*.graphql and run `pnpm generate`.
import type { JsonObject, Tsid } from '../contract/scalars.js';
import type { TypedDocument } from '../contract/typed-document.js';

/** Internal type. DO NOT USE DIRECTLY. */
type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };
/** Internal type. DO NOT USE DIRECTLY. */
export type Incremental<T> = T | { [P in keyof T]?: P extends ' $fragmentName' | '__typename' ? T[P] : never };
/** A driver's answer to an offer. */
export type AnswerOfferInput = {
  /** The epoch of the offer that the driver saw. */
  readonly offerEpoch: number;
  /** The trip that was offered. */
  readonly tripId: Tsid;
};

/** Gives out one chosen number; `reason` is needed. */
export type AssignDocumentNumberInput = {
  /** Business date, which chooses the period. Default: today in the time zone of the series. */
  readonly date?: string | null | undefined;
  /** The discipline. */
  readonly disciplineCode: string;
  /** A repeat with the same key and content gives the same number, also after a lost reply. 1 to 200 characters. */
  readonly idempotencyKey?: string | null | undefined;
  /** Who the document comes from. */
  readonly organizationCode: string;
  /** Says that a date in an earlier or later period is meant; that period must be open. */
  readonly otherPeriod?: boolean;
  /** The project, which is the number space. */
  readonly projectCode: string;
  /** Kept in the ledger; up to 1,000 characters. */
  readonly reason?: string | null | undefined;
  /** Organisation that receives it; printed where the format has {RECIPIENT}. */
  readonly recipientCode?: string | null | undefined;
  /** Above the counter, whose numbers in between are then recorded as cancelled, or in the manual interval of the series. */
  readonly sequence: number;
  /** The document type. */
  readonly typeCode: string;
};

/** Widens the offer of a trip that looks for a driver. */
export type BroadcastTripInput = {
  /** The epoch of the offer that is meant. */
  readonly offerEpoch: number;
  /** The offer lasts so long from now, in milliseconds, 1 to 3,600,000. Default: the trip's own. */
  readonly offerTtlMs?: number | null | undefined;
  /** Drivers to add, 1 to 500. Default: every driver. */
  readonly offeredTo?: ReadonlyArray<Tsid> | null | undefined;
  /** The trip. */
  readonly tripId: Tsid;
};

/** Ends a reservation; its number stays in the ledger as cancelled. */
export type CancelDocumentNumberInput = {
  /** 1 to 1,000 characters. */
  readonly reason: string;
  /** The secret that `reserveDocumentNumber` gave. */
  readonly token: string;
};

/** Ends a trip, or leaves it. */
export type CancelTripInput = {
  /** As whom; needed only by a caller who is both. Default: the part the caller has in the trip. */
  readonly as?: TripPart | null | undefined;
  /** Why; one that fits the part of the caller. */
  readonly reason?: TripCancelReason | null | undefined;
  /** The trip. */
  readonly tripId: Tsid;
};

/** A code and what it stands for. */
export type CodedRowInput = {
  /** 1 to 20 letters, digits, dots or underscores. Never changes. */
  readonly code: string;
  /** 1 to 200 characters. */
  readonly name: string;
};

/** Turns a reservation into an issued number. */
export type ConfirmDocumentNumberInput = {
  /** The secret that `reserveDocumentNumber` gave. */
  readonly token: string;
};

/** All given conditions hold together. */
export type CorrespondenceFilter = {
  /** Of one project. Default: all that the caller may see. */
  readonly projectCode?: string | null | undefined;
  /** Of one document type. */
  readonly typeCode?: string | null | undefined;
};

/** When a counter starts again at 1. */
export type CounterReset =
  /** Every day. */
  | 'DAY'
  /** With the fiscal year. */
  | 'FISCAL_YEAR'
  /** With the month. */
  | 'MONTH'
  /** Never. */
  | 'NEVER'
  /** With the calendar year. */
  | 'YEAR';

/** A document and the series of its number. */
export type CreateCorrespondenceInput = {
  /** Up to 20,000 characters. */
  readonly body?: string;
  /** Business date, which chooses the period. Default: today in the time zone of the series. */
  readonly date?: string | null | undefined;
  /** The discipline. */
  readonly disciplineCode: string;
  /** A repeat with the same key gives the same document. 1 to 200 characters. */
  readonly idempotencyKey?: string | null | undefined;
  /** Who the document comes from. */
  readonly organizationCode: string;
  /** Says that a date in an earlier or later period is meant; that period must be open. */
  readonly otherPeriod?: boolean;
  /** The project, which is the number space. */
  readonly projectCode: string;
  /** Organisation that receives it; printed where the format has {RECIPIENT}. */
  readonly recipientCode?: string | null | undefined;
  /** 1 to 500 characters. */
  readonly subject: string;
  /** The document type. */
  readonly typeCode: string;
};

/** Defines the series of a document type, or changes what may change. */
export type DefineDocumentSeriesInput = {
  /** Last number of every counter, such as the end of an authorised range. Default: what the format holds. */
  readonly endAt?: number | null | undefined;
  /** Sequences that only assignDocumentNumber gives out. Default: none. */
  readonly manualInterval?: NumberIntervalInput | null | undefined;
  /** The project that it belongs to. */
  readonly projectCode: string;
  /** How its counters run. */
  readonly rules: SeriesRulesInput;
  /** First number of every counter. Default: 1. */
  readonly startAt?: number | null | undefined;
  /** The document type that it numbers. */
  readonly typeCode: string;
};

/** Names one number, in exactly one way. */
export type DocumentNumberBy =
  {   /** By the ID of its row. */
  readonly id: Tsid; readonly number?: never; }
  |  { readonly id?: never;   /** By its text. */
  readonly number: DocumentNumberText; };

/** All given conditions hold together. */
export type DocumentNumberCounterFilter = {
  /** Such as 2026. */
  readonly period?: string | null | undefined;
  /** Of one project. Default: all that the caller may see. */
  readonly projectCode?: string | null | undefined;
  /** Of one document type. */
  readonly typeCode?: string | null | undefined;
};

/** All given conditions hold together. */
export type DocumentNumberEventFilter = {
  /** Of one number, as it is printed. */
  readonly number?: string | null | undefined;
  /** Of one project. Default: all that the caller may see. */
  readonly projectCode?: string | null | undefined;
};

/** All given conditions hold together. */
export type DocumentNumberFilter = {
  /** Taken by this person: the subject of their token. */
  readonly actorId?: string | number | null | undefined;
  /** Earliest business date. */
  readonly dateFrom?: string | null | undefined;
  /** Latest business date. */
  readonly dateTo?: string | null | undefined;
  /** Of one discipline. */
  readonly disciplineCode?: string | null | undefined;
  /** Issued under this idempotency key; together with `projectCode`, in which a key is unique. */
  readonly idempotencyKey?: string | null | undefined;
  /** Of one organisation. */
  readonly organizationCode?: string | null | undefined;
  /** Such as 2026. */
  readonly period?: string | null | undefined;
  /** Of one project. Default: all that the caller may see. */
  readonly projectCode?: string | null | undefined;
  /** In this state. */
  readonly status?: DocumentNumberStatus | null | undefined;
  /** Of one document type. */
  readonly typeCode?: string | null | undefined;
};

/** What became of a number. */
export type DocumentNumberStatus =
  /** A reservation that ended, or a number that was skipped. */
  | 'CANCELLED'
  /** Issued by another system. */
  | 'IMPORTED'
  /** In use. */
  | 'ISSUED'
  /** Chosen by hand. */
  | 'MANUAL'
  /** Held for somebody. */
  | 'RESERVED'
  /** Taken out of use, with a reason. */
  | 'VOID';

/** A number as it is printed; it is unique inside its project. */
export type DocumentNumberText = {
  /** Such as TEAM-RFA-STR-2026-0001. */
  readonly number: string;
  /** The project that it belongs to. */
  readonly projectCode: string;
};

/** Names one counter by the codes of master data; a code that does not exist is refused. */
export type DocumentSeriesInput = {
  /** Business date, which chooses the period. Default: today in the time zone of the series. */
  readonly date?: string | null | undefined;
  /** The discipline. */
  readonly disciplineCode: string;
  /** Who the document comes from. */
  readonly organizationCode: string;
  /** Says that a date in an earlier or later period is meant; that period must be open. */
  readonly otherPeriod?: boolean;
  /** The project, which is the number space. */
  readonly projectCode: string;
  /** Organisation that receives it; printed where the format has {RECIPIENT}. */
  readonly recipientCode?: string | null | undefined;
  /** The document type. */
  readonly typeCode: string;
};

/** The year that names a fiscal year. */
export type FiscalYearName =
  /** The year that it ends in. */
  | 'END'
  /** The year that it starts in. */
  | 'START';

/** All rows or none. Counters only rise. */
export type ImportDocumentNumbersInput = {
  /** Check and count, store nothing. */
  readonly dryRun?: boolean;
  /** The project that the numbers belong to. */
  readonly projectCode: string;
  /** Kept in the ledger. */
  readonly reason?: string | null | undefined;
  /** Record the numbers that the rows leave out as cancelled. Else a hole refuses the import. */
  readonly recordHoles?: boolean;
  /** 1 to 1,000 rows. */
  readonly rows: ReadonlyArray<ImportedNumberInput>;
};

/** A number that another system issued. */
export type ImportedNumberInput = {
  /** Business date. */
  readonly date: string;
  /** The discipline. */
  readonly disciplineCode: string;
  /** As it was printed. Default: by the format valid on the date. */
  readonly number?: string | null | undefined;
  /** Who the document comes from. */
  readonly organizationCode: string;
  /** Its position in its counter. */
  readonly sequence: number;
  /** The document type. */
  readonly typeCode: string;
};

/** Asks for the next number of a series. */
export type IssueDocumentNumberInput = {
  /** Business date, which chooses the period. Default: today in the time zone of the series. */
  readonly date?: string | null | undefined;
  /** The discipline. */
  readonly disciplineCode: string;
  /** A repeat with the same key and content gives the same number, also after a lost reply. 1 to 200 characters. */
  readonly idempotencyKey?: string | null | undefined;
  /** Who the document comes from. */
  readonly organizationCode: string;
  /** Says that a date in an earlier or later period is meant; that period must be open. */
  readonly otherPeriod?: boolean;
  /** The project, which is the number space. */
  readonly projectCode: string;
  /** Kept in the ledger; up to 1,000 characters. */
  readonly reason?: string | null | undefined;
  /** Organisation that receives it; printed where the format has {RECIPIENT}. */
  readonly recipientCode?: string | null | undefined;
  /** The document type. */
  readonly typeCode: string;
};

/** Asks for consecutive numbers of one series. */
export type IssueDocumentNumbersInput = {
  /** How many, 1 to 1,000. */
  readonly count: number;
  /** Business date, which chooses the period. Default: today in the time zone of the series. */
  readonly date?: string | null | undefined;
  /** The discipline. */
  readonly disciplineCode: string;
  /** A repeat with the same key and content gives the same number, also after a lost reply. 1 to 200 characters. */
  readonly idempotencyKey?: string | null | undefined;
  /** Who the document comes from. */
  readonly organizationCode: string;
  /** Says that a date in an earlier or later period is meant; that period must be open. */
  readonly otherPeriod?: boolean;
  /** The project, which is the number space. */
  readonly projectCode: string;
  /** Kept in the ledger; up to 1,000 characters. */
  readonly reason?: string | null | undefined;
  /** Organisation that receives it; printed where the format has {RECIPIENT}. */
  readonly recipientCode?: string | null | undefined;
  /** The document type. */
  readonly typeCode: string;
};

/** What a look at the ledger found. */
export type LedgerFindingKind =
  /** `count` reservations whose time was over are cancelled now. */
  | 'EXPIRED_RESERVATIONS'
  /** Numbers from `first` to `last` are missing from the ledger. */
  | 'HOLE'
  /** Redis gave no answer: `count` counters were not compared with what it remembers of them. */
  | 'MARKS_UNREAD'
  /** The counter, at `lastNumber`, stands below `highWaterMark`, which was issued. */
  | 'REGRESSION'
  /** `count` old numbers have no document; `example` is one. */
  | 'UNATTACHED'
  /** The format in use is full to `widthUsed`. */
  | 'WIDTH';

/** Why an offer is not for a driver. */
export type NotOfferedReason =
  /** The driver left this trip before. */
  | 'EXCLUDED'
  /** The offer goes to other drivers. */
  | 'NOT_LISTED'
  /** No offer of this epoch was ever made. */
  | 'NO_SUCH_OFFER'
  /** The driver rejected this offer. */
  | 'REJECTED';

/** What kept other processes away while the number was drawn. */
export type NumberGuard =
  /** The Redis lock in front of the version check. */
  | 'REDIS_AND_VERSION'
  /** The lock of the counter row alone, as when Redis is away. */
  | 'ROW';

/** Sequences that only assignDocumentNumber gives out, both ends included. */
export type NumberIntervalInput = {
  /** The lowest of them. */
  readonly first: number;
  /** The highest of them. */
  readonly last: number;
};

/** Where a trip starts or ends, in degrees of WGS 84. */
export type PlaceInput = {
  /** For people, 1 to 200 characters. */
  readonly address?: string | null | undefined;
  /** -90 to 90. */
  readonly latitude: number;
  /** -180 to 180. */
  readonly longitude: number;
};

/** Which part of the ledger is looked at. */
export type ReconcileDocumentNumbersInput = {
  /** Default: every project. */
  readonly projectCode?: string | null | undefined;
  /** Default: every document type. */
  readonly typeCode?: string | null | undefined;
  /** Also look for numbers without a document that are older, in milliseconds. Default: not at all. */
  readonly unattachedAfterMs?: number | null | undefined;
};

/** Takes a number out of use and issues the next of the same series in its place. */
export type ReplaceDocumentNumberInput = {
  /** The number that is taken out of use, as it is printed. */
  readonly number: string;
  /** Why; 1 to 1,000 characters. */
  readonly reason: string;
  /** What the replacement is issued with, project included. */
  readonly replacement: IssueDocumentNumberInput;
};

/** Where from and to, and to whom it is offered. */
export type RequestTripInput = {
  /** Where it ends. */
  readonly dropoff?: PlaceInput | null | undefined;
  /** A repeat with the same key gives the same trip. 1 to 200 characters. */
  readonly idempotencyKey?: string | null | undefined;
  /** Whether it is offered to the nearest drivers first, and to more of them while nobody accepts; needs `pickup`. While positions cannot be had it goes to `offeredTo`. Default: false. */
  readonly nearestFirst?: boolean | null | undefined;
  /** When it is offered first, up to 30 days ahead. Default: now. */
  readonly offerAt?: string | null | undefined;
  /** How long each offer lasts, in milliseconds, 1 to 3,600,000. */
  readonly offerTtlMs?: number | null | undefined;
  /** Drivers whom the offer reaches, 1 to 500. Default: every driver. */
  readonly offeredTo?: ReadonlyArray<Tsid> | null | undefined;
  /** Where it starts. */
  readonly pickup?: PlaceInput | null | undefined;
  /** An ID from `generateTsids`: a repeat asks for the same trip. Default: a new one. */
  readonly tripId?: Tsid | null | undefined;
};

/** Asks for the next number of a series, to be held. */
export type ReserveDocumentNumberInput = {
  /** Business date, which chooses the period. Default: today in the time zone of the series. */
  readonly date?: string | null | undefined;
  /** The discipline. */
  readonly disciplineCode: string;
  /** How long the number is held, in milliseconds, from 1,000. Default: five minutes. */
  readonly holdMs?: number | null | undefined;
  /** A repeat with the same key and content gives the same number, also after a lost reply. 1 to 200 characters. */
  readonly idempotencyKey?: string | null | undefined;
  /** Who the document comes from. */
  readonly organizationCode: string;
  /** Says that a date in an earlier or later period is meant; that period must be open. */
  readonly otherPeriod?: boolean;
  /** The project, which is the number space. */
  readonly projectCode: string;
  /** Kept in the ledger; up to 1,000 characters. */
  readonly reason?: string | null | undefined;
  /** Organisation that receives it; printed where the format has {RECIPIENT}. */
  readonly recipientCode?: string | null | undefined;
  /** The document type. */
  readonly typeCode: string;
};

/** Saves the next version of a format. Running counters and old numbers stay as they are. */
export type SaveDocumentNumberFormatInput = {
  /** What happens at the first number that does not fit. */
  readonly overflow?: WidthOverflow;
  /** The project that it belongs to. */
  readonly projectCode: string;
  /** How its counters run. Default: as they do; for a type that was never numbered, a yearly reset in Asia/Bangkok. */
  readonly rules?: SeriesRulesInput | null | undefined;
  /** Such as {ORG}-{TYPE}-{DISCIPLINE}-{YEAR}-{SEQ:4}. It must show organisation, discipline and period. */
  readonly template: string;
  /** The document type that it numbers. */
  readonly typeCode: string;
  /** First business date. Default: today. */
  readonly validFrom?: string | null | undefined;
};

/** How the counters of a type run. Fixed once a number was issued, but for dateOrder and dates. */
export type SeriesRulesInput = {
  /** Dates up to this one are closed. */
  readonly closedUntil?: string | null | undefined;
  /** Refuse a business date before the last one. */
  readonly dateOrder?: boolean;
  /** First month of the fiscal year, 1 to 12. */
  readonly fiscalStartMonth?: number;
  /** The year that names a fiscal year. */
  readonly fiscalYearNamedBy?: FiscalYearName;
  /** Dates after this one are not open yet. */
  readonly openUntil?: string | null | undefined;
  /** When its counters start again at the first number. */
  readonly reset?: CounterReset;
  /** IANA name; it decides what "today" is. */
  readonly timeZone?: string;
};

/** Records numbers that nobody will get, such as those lost in a fail-over. */
export type SkipDocumentNumbersInput = {
  /** Business date, which chooses the period. Default: today in the time zone of the series. */
  readonly date?: string | null | undefined;
  /** The discipline. */
  readonly disciplineCode: string;
  /** Who the document comes from. */
  readonly organizationCode: string;
  /** Says that a date in an earlier or later period is meant; that period must be open. */
  readonly otherPeriod?: boolean;
  /** The project, which is the number space. */
  readonly projectCode: string;
  /** Why; 1 to 1,000 characters. */
  readonly reason: string;
  /** Organisation that receives it; printed where the format has {RECIPIENT}. */
  readonly recipientCode?: string | null | undefined;
  /** The document type. */
  readonly typeCode: string;
  /** Last number that is recorded as cancelled, at most 100,000 above the counter. */
  readonly upTo: number;
};

/** Why a trip was cancelled, or why its driver left it. */
export type TripCancelReason =
  /** The rider wants no trip any more. */
  | 'CHANGED_PLANS'
  /** The driver asked the rider to cancel. */
  | 'DRIVER_ASKED'
  /** Something else; for riders and drivers. */
  | 'OTHER'
  /** The driver waited at the pickup in vain; only reportNoShow sets it. */
  | 'RIDER_NO_SHOW'
  /** The driver cannot reach the rider. */
  | 'RIDER_UNREACHABLE'
  /** It is too far for the driver. */
  | 'TOO_FAR'
  /** The driver cannot drive. */
  | 'VEHICLE_PROBLEM'
  /** The rider has waited too long. */
  | 'WAITED_TOO_LONG';

/** What happened to a trip. */
export type TripEventType =
  /** The driver is at the pickup. */
  | 'DRIVER_ARRIVED'
  /** A driver has it. */
  | 'TRIP_ACCEPTED'
  /** The rider has ended it, or never came. */
  | 'TRIP_CANCELLED'
  /** The driver has ended it. */
  | 'TRIP_COMPLETED'
  /** No driver came in time. */
  | 'TRIP_EXPIRED'
  /** The offer reaches more drivers (those who were added, or the next by their distance), or lasts longer. */
  | 'TRIP_OFFERED'
  /** Its driver is gone, and it is offered anew under the next epoch. */
  | 'TRIP_REDISPATCHED'
  /** A rider asked for it; it is offered, now or at its time. */
  | 'TRIP_REQUESTED'
  /** The rider is on board. */
  | 'TRIP_STARTED';

/** All given conditions hold together. */
export type TripFilter = {
  /** Trips that the caller rides or drives. Default: all that the caller may see. */
  readonly as?: TripPart | null | undefined;
  /** Trips in this state. */
  readonly status?: TripStatus | null | undefined;
};

/** Names a trip. */
export type TripInput = {
  /** The trip. */
  readonly tripId: Tsid;
};

/** Whether an offer may be accepted. */
export type TripOfferState =
  /** Somebody has it, or it was cancelled or expired. */
  | 'GONE'
  /** May be accepted with this epoch. */
  | 'OPEN';

/** The caller's part in a trip. */
export type TripPart =
  /** Who has or had it. */
  | 'DRIVER'
  /** Who asked for the trip. */
  | 'RIDER';

/** Where a trip stands. */
export type TripStatus =
  /** One driver has it and is on the way. */
  | 'ACCEPTED'
  /** Ended by the rider, or by a driver who waited for them in vain. */
  | 'CANCELLED'
  /** Ended by the driver. */
  | 'COMPLETED'
  /** Ended because no driver came. */
  | 'EXPIRED'
  /** Offered to drivers; nobody has it. */
  | 'FINDING'
  /** That driver has started it. */
  | 'IN_PROGRESS'
  /** Offered to drivers later, at its time. */
  | 'SCHEDULED';

/** Takes a number out of use; it is never issued again. */
export type VoidDocumentNumberInput = {
  /** As it is printed. */
  readonly number: string;
  /** The project that it belongs to. */
  readonly projectCode: string;
  /** Why; 1 to 1,000 characters. */
  readonly reason: string;
  /** A number issued before that takes its place. */
  readonly replacedBy?: string | null | undefined;
};

/** What happens at the first number that does not fit the width of {SEQ:n}. */
export type WidthOverflow =
  /** It is refused. */
  | 'ERROR'
  /** It is printed with more digits. */
  | 'WIDEN';

export type CorrespondenceFieldsFragment = { readonly id: Tsid, readonly documentNumber: string, readonly subject: string, readonly body: string, readonly createdAt: string, readonly createdBy: Tsid };

export type CreateCorrespondenceMutationVariables = Exact<{
  input: CreateCorrespondenceInput;
}>;


export type CreateCorrespondenceMutation = { readonly createCorrespondence:
    | { readonly __typename: 'Correspondence', readonly id: Tsid, readonly documentNumber: string, readonly subject: string, readonly body: string, readonly createdAt: string, readonly createdBy: Tsid }
    | { readonly __typename: 'IdempotencyKeyReused', readonly message: string }
    | { readonly __typename: 'NumbersExhausted', readonly limit: number, readonly message: string }
    | { readonly __typename: 'PeriodClosed', readonly period: string, readonly message: string }
    | { readonly __typename: 'SeriesBlocked', readonly message: string }
   };

export type CorrespondenceQueryVariables = Exact<{
  id: Tsid;
}>;


export type CorrespondenceQuery = { readonly correspondence: { readonly id: Tsid, readonly documentNumber: string, readonly subject: string, readonly body: string, readonly createdAt: string, readonly createdBy: Tsid, readonly project: { readonly id: Tsid, readonly code: string, readonly name: string } | null, readonly type: { readonly id: Tsid, readonly code: string, readonly name: string } | null, readonly organization: { readonly id: Tsid, readonly code: string, readonly name: string } | null, readonly discipline: { readonly id: Tsid, readonly code: string, readonly name: string } | null } | null };

export type CorrespondencesQueryVariables = Exact<{
  filter?: CorrespondenceFilter | null | undefined;
  first?: number;
  after?: string | null | undefined;
}>;


export type CorrespondencesQuery = { readonly correspondences: { readonly edges: ReadonlyArray<{ readonly cursor: string, readonly node: { readonly id: Tsid, readonly documentNumber: string, readonly subject: string, readonly body: string, readonly createdAt: string, readonly createdBy: Tsid } }>, readonly pageInfo: { readonly hasNextPage: boolean, readonly endCursor: string | null } } };

export type GenerateTsidsMutationVariables = Exact<{
  count?: number;
}>;


export type GenerateTsidsMutation = { readonly generateTsids: ReadonlyArray<Tsid> };

export type TsidQueryVariables = Exact<{
  id: Tsid;
}>;


export type TsidQuery = { readonly tsid: { readonly id: Tsid, readonly time: string, readonly node: number, readonly sequence: number, readonly base62: string, readonly crockford: string } };

export type NodeLeasesQueryVariables = Exact<{ [key: string]: never; }>;


export type NodeLeasesQuery = { readonly nodeLeases: ReadonlyArray<{ readonly node: number, readonly holder: string, readonly isMine: boolean, readonly secondsLeft: number }> };

export type NodePoolQueryVariables = Exact<{ [key: string]: never; }>;


export type NodePoolQuery = { readonly nodePool: { readonly nodeCount: number, readonly freeNodeCount: number, readonly quarantineLeftMs: number } };

export type DocumentNumberQueryVariables = Exact<{
  by: DocumentNumberBy;
}>;


export type DocumentNumberQuery = { readonly documentNumber: { readonly id: Tsid | null, readonly number: string, readonly sequence: number, readonly status: DocumentNumberStatus, readonly period: string, readonly date: string, readonly typeCode: string, readonly organizationCode: string | null, readonly disciplineCode: string | null, readonly formatVersion: number | null, readonly guard: NumberGuard | null, readonly retryCount: number | null, readonly waitedMs: number | null, readonly reason: string | null, readonly replacedBy: string | null, readonly issuedAt: string | null } | null };

export type DocumentNumbersQueryVariables = Exact<{
  filter?: DocumentNumberFilter | null | undefined;
  first?: number;
  after?: string | null | undefined;
}>;


export type DocumentNumbersQuery = { readonly documentNumbers: { readonly edges: ReadonlyArray<{ readonly cursor: string, readonly node: { readonly id: Tsid | null, readonly number: string, readonly sequence: number, readonly status: DocumentNumberStatus, readonly period: string, readonly date: string, readonly typeCode: string, readonly organizationCode: string | null, readonly disciplineCode: string | null, readonly formatVersion: number | null, readonly guard: NumberGuard | null, readonly retryCount: number | null, readonly waitedMs: number | null, readonly reason: string | null, readonly replacedBy: string | null, readonly issuedAt: string | null } }>, readonly pageInfo: { readonly hasNextPage: boolean, readonly endCursor: string | null } } };

export type DocumentNumberEventsQueryVariables = Exact<{
  filter?: DocumentNumberEventFilter | null | undefined;
  first?: number;
  after?: string | null | undefined;
}>;


export type DocumentNumberEventsQuery = { readonly documentNumberEvents: { readonly edges: ReadonlyArray<{ readonly cursor: string, readonly node: { readonly id: string, readonly type: string, readonly number: string | null, readonly sequence: number | null, readonly actorId: string, readonly reason: string | null, readonly facts: JsonObject, readonly occurredAt: string } }>, readonly pageInfo: { readonly hasNextPage: boolean, readonly endCursor: string | null } } };

export type ReconcileDocumentNumbersMutationVariables = Exact<{
  input: ReconcileDocumentNumbersInput;
}>;


export type ReconcileDocumentNumbersMutation = { readonly reconcileDocumentNumbers: ReadonlyArray<{ readonly kind: LedgerFindingKind, readonly counter: string | null, readonly count: number | null, readonly example: string | null, readonly first: number | null, readonly last: number | null, readonly lastNumber: number | null, readonly highWaterMark: number | null, readonly widthUsed: number | null }> };

export type DocumentNumberIssuedSubscriptionVariables = Exact<{
  projectId?: Tsid | null | undefined;
}>;


export type DocumentNumberIssuedSubscription = { readonly documentNumberIssued: { readonly id: Tsid | null, readonly number: string, readonly sequence: number, readonly status: DocumentNumberStatus, readonly period: string, readonly date: string, readonly typeCode: string, readonly organizationCode: string | null, readonly disciplineCode: string | null, readonly formatVersion: number | null, readonly guard: NumberGuard | null, readonly retryCount: number | null, readonly waitedMs: number | null, readonly reason: string | null, readonly replacedBy: string | null, readonly issuedAt: string | null } };

export type CreateProjectMutationVariables = Exact<{
  input: CodedRowInput;
}>;


export type CreateProjectMutation = { readonly createProject: { readonly id: Tsid, readonly code: string, readonly name: string } };

export type CreateOrganizationMutationVariables = Exact<{
  input: CodedRowInput;
}>;


export type CreateOrganizationMutation = { readonly createOrganization: { readonly id: Tsid, readonly code: string, readonly name: string } };

export type CreateCorrespondenceTypeMutationVariables = Exact<{
  input: CodedRowInput;
}>;


export type CreateCorrespondenceTypeMutation = { readonly createCorrespondenceType: { readonly id: Tsid, readonly code: string, readonly name: string } };

export type CreateDisciplineMutationVariables = Exact<{
  input: CodedRowInput;
}>;


export type CreateDisciplineMutation = { readonly createDiscipline: { readonly id: Tsid, readonly code: string, readonly name: string } };

export type ProjectsQueryVariables = Exact<{
  first?: number;
  after?: string | null | undefined;
}>;


export type ProjectsQuery = { readonly projects: { readonly edges: ReadonlyArray<{ readonly cursor: string, readonly node: { readonly id: Tsid, readonly code: string, readonly name: string } }>, readonly pageInfo: { readonly hasNextPage: boolean, readonly endCursor: string | null } } };

export type OrganizationsQueryVariables = Exact<{
  first?: number;
  after?: string | null | undefined;
}>;


export type OrganizationsQuery = { readonly organizations: { readonly edges: ReadonlyArray<{ readonly cursor: string, readonly node: { readonly id: Tsid, readonly code: string, readonly name: string } }>, readonly pageInfo: { readonly hasNextPage: boolean, readonly endCursor: string | null } } };

export type CorrespondenceTypesQueryVariables = Exact<{
  first?: number;
  after?: string | null | undefined;
}>;


export type CorrespondenceTypesQuery = { readonly correspondenceTypes: { readonly edges: ReadonlyArray<{ readonly cursor: string, readonly node: { readonly id: Tsid, readonly code: string, readonly name: string } }>, readonly pageInfo: { readonly hasNextPage: boolean, readonly endCursor: string | null } } };

export type DisciplinesQueryVariables = Exact<{
  first?: number;
  after?: string | null | undefined;
}>;


export type DisciplinesQuery = { readonly disciplines: { readonly edges: ReadonlyArray<{ readonly cursor: string, readonly node: { readonly id: Tsid, readonly code: string, readonly name: string } }>, readonly pageInfo: { readonly hasNextPage: boolean, readonly endCursor: string | null } } };

export type DocumentNumberFieldsFragment = { readonly id: Tsid | null, readonly number: string, readonly sequence: number, readonly status: DocumentNumberStatus, readonly period: string, readonly date: string, readonly typeCode: string, readonly organizationCode: string | null, readonly disciplineCode: string | null, readonly formatVersion: number | null, readonly guard: NumberGuard | null, readonly retryCount: number | null, readonly waitedMs: number | null, readonly reason: string | null, readonly replacedBy: string | null, readonly issuedAt: string | null };

type NumberRefusalFields_IdempotencyKeyReused_Fragment = { readonly message: string };

type NumberRefusalFields_NumbersExhausted_Fragment = { readonly message: string };

type NumberRefusalFields_PeriodClosed_Fragment = { readonly message: string };

type NumberRefusalFields_SeriesBlocked_Fragment = { readonly message: string };

export type NumberRefusalFieldsFragment =
  | NumberRefusalFields_IdempotencyKeyReused_Fragment
  | NumberRefusalFields_NumbersExhausted_Fragment
  | NumberRefusalFields_PeriodClosed_Fragment
  | NumberRefusalFields_SeriesBlocked_Fragment
;

export type IssueDocumentNumberMutationVariables = Exact<{
  input: IssueDocumentNumberInput;
}>;


export type IssueDocumentNumberMutation = { readonly issueDocumentNumber:
    | { readonly __typename: 'DocumentNumber', readonly id: Tsid | null, readonly number: string, readonly sequence: number, readonly status: DocumentNumberStatus, readonly period: string, readonly date: string, readonly typeCode: string, readonly organizationCode: string | null, readonly disciplineCode: string | null, readonly formatVersion: number | null, readonly guard: NumberGuard | null, readonly retryCount: number | null, readonly waitedMs: number | null, readonly reason: string | null, readonly replacedBy: string | null, readonly issuedAt: string | null }
    | { readonly __typename: 'IdempotencyKeyReused', readonly message: string }
    | { readonly __typename: 'NumbersExhausted', readonly limit: number, readonly message: string }
    | { readonly __typename: 'PeriodClosed', readonly period: string, readonly message: string }
    | { readonly __typename: 'SeriesBlocked', readonly message: string }
   };

export type IssueDocumentNumbersMutationVariables = Exact<{
  input: IssueDocumentNumbersInput;
}>;


export type IssueDocumentNumbersMutation = { readonly issueDocumentNumbers:
    | { readonly __typename: 'DocumentNumbersIssued', readonly documentNumbers: ReadonlyArray<{ readonly id: Tsid | null, readonly number: string, readonly sequence: number, readonly status: DocumentNumberStatus, readonly period: string, readonly date: string, readonly typeCode: string, readonly organizationCode: string | null, readonly disciplineCode: string | null, readonly formatVersion: number | null, readonly guard: NumberGuard | null, readonly retryCount: number | null, readonly waitedMs: number | null, readonly reason: string | null, readonly replacedBy: string | null, readonly issuedAt: string | null }> }
    | { readonly __typename: 'IdempotencyKeyReused', readonly message: string }
    | { readonly __typename: 'NumbersExhausted', readonly limit: number, readonly message: string }
    | { readonly __typename: 'PeriodClosed', readonly period: string, readonly message: string }
    | { readonly __typename: 'SeriesBlocked', readonly message: string }
   };

export type ReserveDocumentNumberMutationVariables = Exact<{
  input: ReserveDocumentNumberInput;
}>;


export type ReserveDocumentNumberMutation = { readonly reserveDocumentNumber:
    | { readonly __typename: 'DocumentNumberReservation', readonly token: string, readonly expiresAt: string, readonly documentNumber: { readonly id: Tsid | null, readonly number: string, readonly sequence: number, readonly status: DocumentNumberStatus, readonly period: string, readonly date: string, readonly typeCode: string, readonly organizationCode: string | null, readonly disciplineCode: string | null, readonly formatVersion: number | null, readonly guard: NumberGuard | null, readonly retryCount: number | null, readonly waitedMs: number | null, readonly reason: string | null, readonly replacedBy: string | null, readonly issuedAt: string | null } }
    | { readonly __typename: 'IdempotencyKeyReused', readonly message: string }
    | { readonly __typename: 'NumbersExhausted', readonly limit: number, readonly message: string }
    | { readonly __typename: 'PeriodClosed', readonly period: string, readonly message: string }
    | { readonly __typename: 'SeriesBlocked', readonly message: string }
   };

export type ConfirmDocumentNumberMutationVariables = Exact<{
  input: ConfirmDocumentNumberInput;
}>;


export type ConfirmDocumentNumberMutation = { readonly confirmDocumentNumber: { readonly id: Tsid | null, readonly number: string, readonly sequence: number, readonly status: DocumentNumberStatus, readonly period: string, readonly date: string, readonly typeCode: string, readonly organizationCode: string | null, readonly disciplineCode: string | null, readonly formatVersion: number | null, readonly guard: NumberGuard | null, readonly retryCount: number | null, readonly waitedMs: number | null, readonly reason: string | null, readonly replacedBy: string | null, readonly issuedAt: string | null } };

export type CancelDocumentNumberMutationVariables = Exact<{
  input: CancelDocumentNumberInput;
}>;


export type CancelDocumentNumberMutation = { readonly cancelDocumentNumber: { readonly id: Tsid | null, readonly number: string, readonly sequence: number, readonly status: DocumentNumberStatus, readonly period: string, readonly date: string, readonly typeCode: string, readonly organizationCode: string | null, readonly disciplineCode: string | null, readonly formatVersion: number | null, readonly guard: NumberGuard | null, readonly retryCount: number | null, readonly waitedMs: number | null, readonly reason: string | null, readonly replacedBy: string | null, readonly issuedAt: string | null } };

export type VoidDocumentNumberMutationVariables = Exact<{
  input: VoidDocumentNumberInput;
}>;


export type VoidDocumentNumberMutation = { readonly voidDocumentNumber: { readonly id: Tsid | null, readonly number: string, readonly sequence: number, readonly status: DocumentNumberStatus, readonly period: string, readonly date: string, readonly typeCode: string, readonly organizationCode: string | null, readonly disciplineCode: string | null, readonly formatVersion: number | null, readonly guard: NumberGuard | null, readonly retryCount: number | null, readonly waitedMs: number | null, readonly reason: string | null, readonly replacedBy: string | null, readonly issuedAt: string | null } };

export type ReplaceDocumentNumberMutationVariables = Exact<{
  input: ReplaceDocumentNumberInput;
}>;


export type ReplaceDocumentNumberMutation = { readonly replaceDocumentNumber:
    | { readonly __typename: 'DocumentNumberReplaced', readonly voided: { readonly id: Tsid | null, readonly number: string, readonly sequence: number, readonly status: DocumentNumberStatus, readonly period: string, readonly date: string, readonly typeCode: string, readonly organizationCode: string | null, readonly disciplineCode: string | null, readonly formatVersion: number | null, readonly guard: NumberGuard | null, readonly retryCount: number | null, readonly waitedMs: number | null, readonly reason: string | null, readonly replacedBy: string | null, readonly issuedAt: string | null }, readonly replacement: { readonly id: Tsid | null, readonly number: string, readonly sequence: number, readonly status: DocumentNumberStatus, readonly period: string, readonly date: string, readonly typeCode: string, readonly organizationCode: string | null, readonly disciplineCode: string | null, readonly formatVersion: number | null, readonly guard: NumberGuard | null, readonly retryCount: number | null, readonly waitedMs: number | null, readonly reason: string | null, readonly replacedBy: string | null, readonly issuedAt: string | null } }
    | { readonly __typename: 'IdempotencyKeyReused', readonly message: string }
    | { readonly __typename: 'NumbersExhausted', readonly limit: number, readonly message: string }
    | { readonly __typename: 'PeriodClosed', readonly period: string, readonly message: string }
    | { readonly __typename: 'SeriesBlocked', readonly message: string }
   };

export type AssignDocumentNumberMutationVariables = Exact<{
  input: AssignDocumentNumberInput;
}>;


export type AssignDocumentNumberMutation = { readonly assignDocumentNumber:
    | { readonly __typename: 'DocumentNumber', readonly id: Tsid | null, readonly number: string, readonly sequence: number, readonly status: DocumentNumberStatus, readonly period: string, readonly date: string, readonly typeCode: string, readonly organizationCode: string | null, readonly disciplineCode: string | null, readonly formatVersion: number | null, readonly guard: NumberGuard | null, readonly retryCount: number | null, readonly waitedMs: number | null, readonly reason: string | null, readonly replacedBy: string | null, readonly issuedAt: string | null }
    | { readonly __typename: 'IdempotencyKeyReused', readonly message: string }
    | { readonly __typename: 'NumbersExhausted', readonly limit: number, readonly message: string }
    | { readonly __typename: 'PeriodClosed', readonly period: string, readonly message: string }
    | { readonly __typename: 'SeriesBlocked', readonly message: string }
   };

export type SkipDocumentNumbersMutationVariables = Exact<{
  input: SkipDocumentNumbersInput;
}>;


export type SkipDocumentNumbersMutation = { readonly skipDocumentNumbers: { readonly skippedCount: number } };

export type ImportDocumentNumbersMutationVariables = Exact<{
  input: ImportDocumentNumbersInput;
}>;


export type ImportDocumentNumbersMutation = { readonly importDocumentNumbers: { readonly imported: boolean, readonly rowCount: number, readonly recordedHoleCount: number, readonly problemCount: number, readonly problems: ReadonlyArray<{ readonly code: string, readonly row: number | null, readonly message: string }> } };

export type DocumentNumberCountersQueryVariables = Exact<{
  filter?: DocumentNumberCounterFilter | null | undefined;
  first?: number;
  after?: string | null | undefined;
}>;


export type DocumentNumberCountersQuery = { readonly documentNumberCounters: { readonly edges: ReadonlyArray<{ readonly cursor: string, readonly node: { readonly id: string, readonly typeCode: string, readonly organizationCode: string | null, readonly disciplineCode: string | null, readonly period: string, readonly lastNumber: number, readonly widthUsed: number | null, readonly version: number, readonly updatedAt: string, readonly project: { readonly id: Tsid, readonly code: string } | null } }>, readonly pageInfo: { readonly hasNextPage: boolean, readonly endCursor: string | null } } };

export type DocumentSeriesFieldsFragment = { readonly id: string, readonly typeCode: string, readonly revision: number, readonly reset: CounterReset, readonly timeZone: string, readonly startAt: number, readonly dateOrder: boolean, readonly closedUntil: string | null, readonly openUntil: string | null, readonly fiscalStartMonth: number, readonly fiscalYearNamedBy: FiscalYearName, readonly manualInterval: { readonly first: number, readonly last: number } | null, readonly project: { readonly id: Tsid, readonly code: string } | null };

export type DocumentSeriesQueryVariables = Exact<{
  projectCode?: string | null | undefined;
}>;


export type DocumentSeriesQuery = { readonly documentSeries: ReadonlyArray<{ readonly id: string, readonly typeCode: string, readonly revision: number, readonly reset: CounterReset, readonly timeZone: string, readonly startAt: number, readonly dateOrder: boolean, readonly closedUntil: string | null, readonly openUntil: string | null, readonly fiscalStartMonth: number, readonly fiscalYearNamedBy: FiscalYearName, readonly manualInterval: { readonly first: number, readonly last: number } | null, readonly project: { readonly id: Tsid, readonly code: string } | null }> };

export type DefineDocumentSeriesMutationVariables = Exact<{
  input: DefineDocumentSeriesInput;
}>;


export type DefineDocumentSeriesMutation = { readonly defineDocumentSeries: { readonly id: string, readonly typeCode: string, readonly revision: number, readonly reset: CounterReset, readonly timeZone: string, readonly startAt: number, readonly dateOrder: boolean, readonly closedUntil: string | null, readonly openUntil: string | null, readonly fiscalStartMonth: number, readonly fiscalYearNamedBy: FiscalYearName, readonly manualInterval: { readonly first: number, readonly last: number } | null, readonly project: { readonly id: Tsid, readonly code: string } | null } };

export type DocumentNumberFormatFieldsFragment = { readonly version: number, readonly typeCode: string, readonly template: string, readonly overflow: WidthOverflow, readonly validFrom: string | null, readonly validUntil: string | null, readonly createdAt: string, readonly project: { readonly id: Tsid, readonly code: string } | null };

export type DocumentNumberFormatsQueryVariables = Exact<{
  projectId?: Tsid | null | undefined;
}>;


export type DocumentNumberFormatsQuery = { readonly documentNumberFormats: ReadonlyArray<{ readonly version: number, readonly typeCode: string, readonly template: string, readonly overflow: WidthOverflow, readonly validFrom: string | null, readonly validUntil: string | null, readonly createdAt: string, readonly project: { readonly id: Tsid, readonly code: string } | null }> };

export type SaveDocumentNumberFormatMutationVariables = Exact<{
  input: SaveDocumentNumberFormatInput;
}>;


export type SaveDocumentNumberFormatMutation = { readonly saveDocumentNumberFormat: { readonly version: number, readonly typeCode: string, readonly template: string, readonly overflow: WidthOverflow, readonly validFrom: string | null, readonly validUntil: string | null, readonly createdAt: string, readonly project: { readonly id: Tsid, readonly code: string } | null } };

export type DocumentNumberPreviewQueryVariables = Exact<{
  input: DocumentSeriesInput;
}>;


export type DocumentNumberPreviewQuery = { readonly documentNumberPreview: { readonly number: string, readonly sequence: number, readonly period: string, readonly formatVersion: number, readonly promised: boolean } };

export type TripFieldsFragment = { readonly id: Tsid, readonly status: TripStatus, readonly revision: number, readonly riderId: Tsid | null, readonly driverId: Tsid | null, readonly offerEpoch: number, readonly offerExpiresAt: string, readonly requestedAt: string, readonly acceptedAt: string | null, readonly startedAt: string | null, readonly endedAt: string | null, readonly pickup: { readonly latitude: number, readonly longitude: number, readonly address: string | null } | null, readonly dropoff: { readonly latitude: number, readonly longitude: number, readonly address: string | null } | null };

export type TripEventFieldsFragment = { readonly id: string, readonly tripId: Tsid, readonly type: TripEventType, readonly status: TripStatus, readonly revision: number, readonly offerEpoch: number, readonly driverId: Tsid | null, readonly occurredAt: string };

type TripRefusalFields_DriverBusy_Fragment = { readonly message: string, readonly tripId: Tsid };

type TripRefusalFields_NoShowTooEarly_Fragment = { readonly message: string, readonly tripId: Tsid };

type TripRefusalFields_NotOffered_Fragment = { readonly message: string, readonly tripId: Tsid };

type TripRefusalFields_StaleOffer_Fragment = { readonly message: string, readonly tripId: Tsid };

type TripRefusalFields_TripNotOpen_Fragment = { readonly message: string, readonly tripId: Tsid };

type TripRefusalFields_TripTaken_Fragment = { readonly message: string, readonly tripId: Tsid };

type TripRefusalFields_TripUndecided_Fragment = { readonly message: string, readonly tripId: Tsid };

export type TripRefusalFieldsFragment =
  | TripRefusalFields_DriverBusy_Fragment
  | TripRefusalFields_NoShowTooEarly_Fragment
  | TripRefusalFields_NotOffered_Fragment
  | TripRefusalFields_StaleOffer_Fragment
  | TripRefusalFields_TripNotOpen_Fragment
  | TripRefusalFields_TripTaken_Fragment
  | TripRefusalFields_TripUndecided_Fragment
;

export type RequestTripMutationVariables = Exact<{
  input: RequestTripInput;
}>;


export type RequestTripMutation = { readonly requestTrip: { readonly id: Tsid, readonly status: TripStatus, readonly revision: number, readonly riderId: Tsid | null, readonly driverId: Tsid | null, readonly offerEpoch: number, readonly offerExpiresAt: string, readonly requestedAt: string, readonly acceptedAt: string | null, readonly startedAt: string | null, readonly endedAt: string | null, readonly pickup: { readonly latitude: number, readonly longitude: number, readonly address: string | null } | null, readonly dropoff: { readonly latitude: number, readonly longitude: number, readonly address: string | null } | null } };

export type BroadcastTripMutationVariables = Exact<{
  input: BroadcastTripInput;
}>;


export type BroadcastTripMutation = { readonly broadcastTrip:
    | { readonly __typename: 'NotOffered', readonly reason: NotOfferedReason, readonly message: string, readonly tripId: Tsid }
    | { readonly __typename: 'StaleOffer', readonly offerEpoch: number, readonly currentEpoch: number, readonly message: string, readonly tripId: Tsid }
    | { readonly __typename: 'TripBroadcast', readonly trip: { readonly id: Tsid, readonly status: TripStatus, readonly revision: number, readonly riderId: Tsid | null, readonly driverId: Tsid | null, readonly offerEpoch: number, readonly offerExpiresAt: string, readonly requestedAt: string, readonly acceptedAt: string | null, readonly startedAt: string | null, readonly endedAt: string | null, readonly pickup: { readonly latitude: number, readonly longitude: number, readonly address: string | null } | null, readonly dropoff: { readonly latitude: number, readonly longitude: number, readonly address: string | null } | null } }
    | { readonly __typename: 'TripNotOpen', readonly status: TripStatus, readonly message: string, readonly tripId: Tsid }
    | { readonly __typename: 'TripTaken', readonly message: string, readonly tripId: Tsid }
   };

export type AcceptTripMutationVariables = Exact<{
  input: AnswerOfferInput;
}>;


export type AcceptTripMutation = { readonly acceptTrip:
    | { readonly __typename: 'DriverBusy', readonly activeTripId: Tsid, readonly message: string, readonly tripId: Tsid }
    | { readonly __typename: 'NotOffered', readonly reason: NotOfferedReason, readonly message: string, readonly tripId: Tsid }
    | { readonly __typename: 'StaleOffer', readonly offerEpoch: number, readonly currentEpoch: number, readonly message: string, readonly tripId: Tsid }
    | { readonly __typename: 'TripAccepted', readonly tripId: Tsid, readonly driverId: Tsid, readonly offerEpoch: number, readonly acceptedAt: string }
    | { readonly __typename: 'TripNotOpen', readonly status: TripStatus, readonly message: string, readonly tripId: Tsid }
    | { readonly __typename: 'TripTaken', readonly message: string, readonly tripId: Tsid }
    | { readonly __typename: 'TripUndecided', readonly retryAfterMs: number, readonly message: string, readonly tripId: Tsid }
   };

export type RejectTripMutationVariables = Exact<{
  input: AnswerOfferInput;
}>;


export type RejectTripMutation = { readonly rejectTrip:
    | { readonly __typename: 'NotOffered', readonly reason: NotOfferedReason, readonly message: string, readonly tripId: Tsid }
    | { readonly __typename: 'StaleOffer', readonly offerEpoch: number, readonly currentEpoch: number, readonly message: string, readonly tripId: Tsid }
    | { readonly __typename: 'TripAccepted', readonly tripId: Tsid, readonly driverId: Tsid, readonly offerEpoch: number, readonly acceptedAt: string }
    | { readonly __typename: 'TripNotOpen', readonly status: TripStatus, readonly message: string, readonly tripId: Tsid }
    | { readonly __typename: 'TripRejected', readonly tripId: Tsid, readonly offerEpoch: number }
    | { readonly __typename: 'TripTaken', readonly message: string, readonly tripId: Tsid }
   };

export type StartTripMutationVariables = Exact<{
  input: TripInput;
}>;


export type StartTripMutation = { readonly startTrip:
    | { readonly __typename: 'TripNotOpen', readonly status: TripStatus, readonly message: string, readonly tripId: Tsid }
    | { readonly __typename: 'TripStarted', readonly trip: { readonly id: Tsid, readonly status: TripStatus, readonly revision: number, readonly riderId: Tsid | null, readonly driverId: Tsid | null, readonly offerEpoch: number, readonly offerExpiresAt: string, readonly requestedAt: string, readonly acceptedAt: string | null, readonly startedAt: string | null, readonly endedAt: string | null, readonly pickup: { readonly latitude: number, readonly longitude: number, readonly address: string | null } | null, readonly dropoff: { readonly latitude: number, readonly longitude: number, readonly address: string | null } | null } }
   };

export type CompleteTripMutationVariables = Exact<{
  input: TripInput;
}>;


export type CompleteTripMutation = { readonly completeTrip:
    | { readonly __typename: 'TripCompleted', readonly trip: { readonly id: Tsid, readonly status: TripStatus, readonly revision: number, readonly riderId: Tsid | null, readonly driverId: Tsid | null, readonly offerEpoch: number, readonly offerExpiresAt: string, readonly requestedAt: string, readonly acceptedAt: string | null, readonly startedAt: string | null, readonly endedAt: string | null, readonly pickup: { readonly latitude: number, readonly longitude: number, readonly address: string | null } | null, readonly dropoff: { readonly latitude: number, readonly longitude: number, readonly address: string | null } | null } }
    | { readonly __typename: 'TripNotOpen', readonly status: TripStatus, readonly message: string, readonly tripId: Tsid }
   };

export type CancelTripMutationVariables = Exact<{
  input: CancelTripInput;
}>;


export type CancelTripMutation = { readonly cancelTrip:
    | { readonly __typename: 'TripCancelled', readonly trip: { readonly id: Tsid, readonly status: TripStatus, readonly revision: number, readonly riderId: Tsid | null, readonly driverId: Tsid | null, readonly offerEpoch: number, readonly offerExpiresAt: string, readonly requestedAt: string, readonly acceptedAt: string | null, readonly startedAt: string | null, readonly endedAt: string | null, readonly pickup: { readonly latitude: number, readonly longitude: number, readonly address: string | null } | null, readonly dropoff: { readonly latitude: number, readonly longitude: number, readonly address: string | null } | null } }
    | { readonly __typename: 'TripNotOpen', readonly status: TripStatus, readonly message: string, readonly tripId: Tsid }
    | { readonly __typename: 'TripRedispatched', readonly trip: { readonly id: Tsid, readonly status: TripStatus, readonly revision: number, readonly riderId: Tsid | null, readonly driverId: Tsid | null, readonly offerEpoch: number, readonly offerExpiresAt: string, readonly requestedAt: string, readonly acceptedAt: string | null, readonly startedAt: string | null, readonly endedAt: string | null, readonly pickup: { readonly latitude: number, readonly longitude: number, readonly address: string | null } | null, readonly dropoff: { readonly latitude: number, readonly longitude: number, readonly address: string | null } | null } }
   };

export type TripQueryVariables = Exact<{
  id: Tsid;
}>;


export type TripQuery = { readonly trip: { readonly id: Tsid, readonly status: TripStatus, readonly revision: number, readonly riderId: Tsid | null, readonly driverId: Tsid | null, readonly offerEpoch: number, readonly offerExpiresAt: string, readonly requestedAt: string, readonly acceptedAt: string | null, readonly startedAt: string | null, readonly endedAt: string | null, readonly pickup: { readonly latitude: number, readonly longitude: number, readonly address: string | null } | null, readonly dropoff: { readonly latitude: number, readonly longitude: number, readonly address: string | null } | null } | null };

export type TripsQueryVariables = Exact<{
  filter?: TripFilter | null | undefined;
  first?: number;
  after?: string | null | undefined;
}>;


export type TripsQuery = { readonly trips: { readonly edges: ReadonlyArray<{ readonly cursor: string, readonly node: { readonly id: Tsid, readonly status: TripStatus, readonly revision: number, readonly riderId: Tsid | null, readonly driverId: Tsid | null, readonly offerEpoch: number, readonly offerExpiresAt: string, readonly requestedAt: string, readonly acceptedAt: string | null, readonly startedAt: string | null, readonly endedAt: string | null, readonly pickup: { readonly latitude: number, readonly longitude: number, readonly address: string | null } | null, readonly dropoff: { readonly latitude: number, readonly longitude: number, readonly address: string | null } | null } }>, readonly pageInfo: { readonly hasNextPage: boolean, readonly endCursor: string | null } } };

export type TripHistoryQueryVariables = Exact<{
  tripId: Tsid;
  afterRevision?: number;
  first?: number;
}>;


export type TripHistoryQuery = { readonly tripHistory: ReadonlyArray<{ readonly id: string, readonly tripId: Tsid, readonly type: TripEventType, readonly status: TripStatus, readonly revision: number, readonly offerEpoch: number, readonly driverId: Tsid | null, readonly occurredAt: string }> };

export type TripAttemptsQueryVariables = Exact<{
  tripId: Tsid;
}>;


export type TripAttemptsQuery = { readonly tripAttempts: ReadonlyArray<{ readonly offerEpoch: number, readonly outcome: string, readonly count: number }> };

export type TripUpdatedSubscriptionVariables = Exact<{
  tripId: Tsid;
  afterRevision: number;
}>;


export type TripUpdatedSubscription = { readonly tripUpdated: { readonly id: string, readonly tripId: Tsid, readonly type: TripEventType, readonly status: TripStatus, readonly revision: number, readonly offerEpoch: number, readonly driverId: Tsid | null, readonly occurredAt: string } };

export type TripOfferedSubscriptionVariables = Exact<{ [key: string]: never; }>;


export type TripOfferedSubscription = { readonly tripOffered: { readonly id: string, readonly tripId: Tsid, readonly offerEpoch: number, readonly state: TripOfferState, readonly expiresAt: string } };

export const CorrespondenceFieldsFragmentDoc: TypedDocument<CorrespondenceFieldsFragment, unknown> = {"kind":"Document","definitions":[{"kind":"FragmentDefinition","name":{"kind":"Name","value":"CorrespondenceFields"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Correspondence"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"documentNumber"}},{"kind":"Field","name":{"kind":"Name","value":"subject"}},{"kind":"Field","name":{"kind":"Name","value":"body"}},{"kind":"Field","name":{"kind":"Name","value":"createdAt"}},{"kind":"Field","name":{"kind":"Name","value":"createdBy"}}]}}]} as never;
export const DocumentNumberFieldsFragmentDoc: TypedDocument<DocumentNumberFieldsFragment, unknown> = {"kind":"Document","definitions":[{"kind":"FragmentDefinition","name":{"kind":"Name","value":"DocumentNumberFields"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"DocumentNumber"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"number"}},{"kind":"Field","name":{"kind":"Name","value":"sequence"}},{"kind":"Field","name":{"kind":"Name","value":"status"}},{"kind":"Field","name":{"kind":"Name","value":"period"}},{"kind":"Field","name":{"kind":"Name","value":"date"}},{"kind":"Field","name":{"kind":"Name","value":"typeCode"}},{"kind":"Field","name":{"kind":"Name","value":"organizationCode"}},{"kind":"Field","name":{"kind":"Name","value":"disciplineCode"}},{"kind":"Field","name":{"kind":"Name","value":"formatVersion"}},{"kind":"Field","name":{"kind":"Name","value":"guard"}},{"kind":"Field","name":{"kind":"Name","value":"retryCount"}},{"kind":"Field","name":{"kind":"Name","value":"waitedMs"}},{"kind":"Field","name":{"kind":"Name","value":"reason"}},{"kind":"Field","name":{"kind":"Name","value":"replacedBy"}},{"kind":"Field","name":{"kind":"Name","value":"issuedAt"}}]}}]} as never;
export const NumberRefusalFieldsFragmentDoc: TypedDocument<NumberRefusalFieldsFragment, unknown> = {"kind":"Document","definitions":[{"kind":"FragmentDefinition","name":{"kind":"Name","value":"NumberRefusalFields"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"DocumentNumberRefusal"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"message"}}]}}]} as never;
export const DocumentSeriesFieldsFragmentDoc: TypedDocument<DocumentSeriesFieldsFragment, unknown> = {"kind":"Document","definitions":[{"kind":"FragmentDefinition","name":{"kind":"Name","value":"DocumentSeriesFields"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"DocumentSeries"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"typeCode"}},{"kind":"Field","name":{"kind":"Name","value":"revision"}},{"kind":"Field","name":{"kind":"Name","value":"reset"}},{"kind":"Field","name":{"kind":"Name","value":"timeZone"}},{"kind":"Field","name":{"kind":"Name","value":"startAt"}},{"kind":"Field","name":{"kind":"Name","value":"dateOrder"}},{"kind":"Field","name":{"kind":"Name","value":"closedUntil"}},{"kind":"Field","name":{"kind":"Name","value":"openUntil"}},{"kind":"Field","name":{"kind":"Name","value":"fiscalStartMonth"}},{"kind":"Field","name":{"kind":"Name","value":"fiscalYearNamedBy"}},{"kind":"Field","name":{"kind":"Name","value":"manualInterval"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"first"}},{"kind":"Field","name":{"kind":"Name","value":"last"}}]}},{"kind":"Field","name":{"kind":"Name","value":"project"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"code"}}]}}]}}]} as never;
export const DocumentNumberFormatFieldsFragmentDoc: TypedDocument<DocumentNumberFormatFieldsFragment, unknown> = {"kind":"Document","definitions":[{"kind":"FragmentDefinition","name":{"kind":"Name","value":"DocumentNumberFormatFields"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"DocumentNumberFormat"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"version"}},{"kind":"Field","name":{"kind":"Name","value":"typeCode"}},{"kind":"Field","name":{"kind":"Name","value":"template"}},{"kind":"Field","name":{"kind":"Name","value":"overflow"}},{"kind":"Field","name":{"kind":"Name","value":"validFrom"}},{"kind":"Field","name":{"kind":"Name","value":"validUntil"}},{"kind":"Field","name":{"kind":"Name","value":"createdAt"}},{"kind":"Field","name":{"kind":"Name","value":"project"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"code"}}]}}]}}]} as never;
export const TripFieldsFragmentDoc: TypedDocument<TripFieldsFragment, unknown> = {"kind":"Document","definitions":[{"kind":"FragmentDefinition","name":{"kind":"Name","value":"TripFields"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Trip"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"status"}},{"kind":"Field","name":{"kind":"Name","value":"revision"}},{"kind":"Field","name":{"kind":"Name","value":"riderId"}},{"kind":"Field","name":{"kind":"Name","value":"driverId"}},{"kind":"Field","name":{"kind":"Name","value":"offerEpoch"}},{"kind":"Field","name":{"kind":"Name","value":"offerExpiresAt"}},{"kind":"Field","name":{"kind":"Name","value":"requestedAt"}},{"kind":"Field","name":{"kind":"Name","value":"acceptedAt"}},{"kind":"Field","name":{"kind":"Name","value":"startedAt"}},{"kind":"Field","name":{"kind":"Name","value":"endedAt"}},{"kind":"Field","name":{"kind":"Name","value":"pickup"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"latitude"}},{"kind":"Field","name":{"kind":"Name","value":"longitude"}},{"kind":"Field","name":{"kind":"Name","value":"address"}}]}},{"kind":"Field","name":{"kind":"Name","value":"dropoff"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"latitude"}},{"kind":"Field","name":{"kind":"Name","value":"longitude"}},{"kind":"Field","name":{"kind":"Name","value":"address"}}]}}]}}]} as never;
export const TripEventFieldsFragmentDoc: TypedDocument<TripEventFieldsFragment, unknown> = {"kind":"Document","definitions":[{"kind":"FragmentDefinition","name":{"kind":"Name","value":"TripEventFields"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"TripEvent"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"tripId"}},{"kind":"Field","name":{"kind":"Name","value":"type"}},{"kind":"Field","name":{"kind":"Name","value":"status"}},{"kind":"Field","name":{"kind":"Name","value":"revision"}},{"kind":"Field","name":{"kind":"Name","value":"offerEpoch"}},{"kind":"Field","name":{"kind":"Name","value":"driverId"}},{"kind":"Field","name":{"kind":"Name","value":"occurredAt"}}]}}]} as never;
export const TripRefusalFieldsFragmentDoc: TypedDocument<TripRefusalFieldsFragment, unknown> = {"kind":"Document","definitions":[{"kind":"FragmentDefinition","name":{"kind":"Name","value":"TripRefusalFields"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"TripRefusal"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"Field","name":{"kind":"Name","value":"tripId"}}]}}]} as never;
export const CreateCorrespondenceDocument: TypedDocument<CreateCorrespondenceMutation, CreateCorrespondenceMutationVariables> = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"CreateCorrespondence"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"input"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"CreateCorrespondenceInput"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"createCorrespondence"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"Variable","name":{"kind":"Name","value":"input"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"FragmentSpread","name":{"kind":"Name","value":"CorrespondenceFields"}},{"kind":"FragmentSpread","name":{"kind":"Name","value":"NumberRefusalFields"}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"NumbersExhausted"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"limit"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"PeriodClosed"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"period"}}]}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"CorrespondenceFields"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Correspondence"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"documentNumber"}},{"kind":"Field","name":{"kind":"Name","value":"subject"}},{"kind":"Field","name":{"kind":"Name","value":"body"}},{"kind":"Field","name":{"kind":"Name","value":"createdAt"}},{"kind":"Field","name":{"kind":"Name","value":"createdBy"}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"NumberRefusalFields"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"DocumentNumberRefusal"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"message"}}]}}]} as never;
export const CorrespondenceDocument: TypedDocument<CorrespondenceQuery, CorrespondenceQueryVariables> = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"Correspondence"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"id"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"TSID"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"correspondence"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"id"},"value":{"kind":"Variable","name":{"kind":"Name","value":"id"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"CorrespondenceFields"}},{"kind":"Field","name":{"kind":"Name","value":"project"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"code"}},{"kind":"Field","name":{"kind":"Name","value":"name"}}]}},{"kind":"Field","name":{"kind":"Name","value":"type"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"code"}},{"kind":"Field","name":{"kind":"Name","value":"name"}}]}},{"kind":"Field","name":{"kind":"Name","value":"organization"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"code"}},{"kind":"Field","name":{"kind":"Name","value":"name"}}]}},{"kind":"Field","name":{"kind":"Name","value":"discipline"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"code"}},{"kind":"Field","name":{"kind":"Name","value":"name"}}]}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"CorrespondenceFields"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Correspondence"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"documentNumber"}},{"kind":"Field","name":{"kind":"Name","value":"subject"}},{"kind":"Field","name":{"kind":"Name","value":"body"}},{"kind":"Field","name":{"kind":"Name","value":"createdAt"}},{"kind":"Field","name":{"kind":"Name","value":"createdBy"}}]}}]} as never;
export const CorrespondencesDocument: TypedDocument<CorrespondencesQuery, CorrespondencesQueryVariables> = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"Correspondences"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"filter"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"CorrespondenceFilter"}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"first"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"Int"}}},"defaultValue":{"kind":"IntValue","value":"20"}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"after"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"String"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"correspondences"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"filter"},"value":{"kind":"Variable","name":{"kind":"Name","value":"filter"}}},{"kind":"Argument","name":{"kind":"Name","value":"first"},"value":{"kind":"Variable","name":{"kind":"Name","value":"first"}}},{"kind":"Argument","name":{"kind":"Name","value":"after"},"value":{"kind":"Variable","name":{"kind":"Name","value":"after"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"edges"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"cursor"}},{"kind":"Field","name":{"kind":"Name","value":"node"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"CorrespondenceFields"}}]}}]}},{"kind":"Field","name":{"kind":"Name","value":"pageInfo"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"hasNextPage"}},{"kind":"Field","name":{"kind":"Name","value":"endCursor"}}]}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"CorrespondenceFields"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Correspondence"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"documentNumber"}},{"kind":"Field","name":{"kind":"Name","value":"subject"}},{"kind":"Field","name":{"kind":"Name","value":"body"}},{"kind":"Field","name":{"kind":"Name","value":"createdAt"}},{"kind":"Field","name":{"kind":"Name","value":"createdBy"}}]}}]} as never;
export const GenerateTsidsDocument: TypedDocument<GenerateTsidsMutation, GenerateTsidsMutationVariables> = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"GenerateTsids"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"count"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"Int"}}},"defaultValue":{"kind":"IntValue","value":"1"}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"generateTsids"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"count"},"value":{"kind":"Variable","name":{"kind":"Name","value":"count"}}}]}]}}]} as never;
export const TsidDocument: TypedDocument<TsidQuery, TsidQueryVariables> = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"Tsid"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"id"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"TSID"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"tsid"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"id"},"value":{"kind":"Variable","name":{"kind":"Name","value":"id"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"time"}},{"kind":"Field","name":{"kind":"Name","value":"node"}},{"kind":"Field","name":{"kind":"Name","value":"sequence"}},{"kind":"Field","name":{"kind":"Name","value":"base62"}},{"kind":"Field","name":{"kind":"Name","value":"crockford"}}]}}]}}]} as never;
export const NodeLeasesDocument: TypedDocument<NodeLeasesQuery, NodeLeasesQueryVariables> = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"NodeLeases"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"nodeLeases"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"node"}},{"kind":"Field","name":{"kind":"Name","value":"holder"}},{"kind":"Field","name":{"kind":"Name","value":"isMine"}},{"kind":"Field","name":{"kind":"Name","value":"secondsLeft"}}]}}]}}]} as never;
export const NodePoolDocument: TypedDocument<NodePoolQuery, NodePoolQueryVariables> = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"NodePool"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"nodePool"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"nodeCount"}},{"kind":"Field","name":{"kind":"Name","value":"freeNodeCount"}},{"kind":"Field","name":{"kind":"Name","value":"quarantineLeftMs"}}]}}]}}]} as never;
export const DocumentNumberDocument: TypedDocument<DocumentNumberQuery, DocumentNumberQueryVariables> = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"DocumentNumber"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"by"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"DocumentNumberBy"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"documentNumber"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"by"},"value":{"kind":"Variable","name":{"kind":"Name","value":"by"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"DocumentNumberFields"}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"DocumentNumberFields"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"DocumentNumber"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"number"}},{"kind":"Field","name":{"kind":"Name","value":"sequence"}},{"kind":"Field","name":{"kind":"Name","value":"status"}},{"kind":"Field","name":{"kind":"Name","value":"period"}},{"kind":"Field","name":{"kind":"Name","value":"date"}},{"kind":"Field","name":{"kind":"Name","value":"typeCode"}},{"kind":"Field","name":{"kind":"Name","value":"organizationCode"}},{"kind":"Field","name":{"kind":"Name","value":"disciplineCode"}},{"kind":"Field","name":{"kind":"Name","value":"formatVersion"}},{"kind":"Field","name":{"kind":"Name","value":"guard"}},{"kind":"Field","name":{"kind":"Name","value":"retryCount"}},{"kind":"Field","name":{"kind":"Name","value":"waitedMs"}},{"kind":"Field","name":{"kind":"Name","value":"reason"}},{"kind":"Field","name":{"kind":"Name","value":"replacedBy"}},{"kind":"Field","name":{"kind":"Name","value":"issuedAt"}}]}}]} as never;
export const DocumentNumbersDocument: TypedDocument<DocumentNumbersQuery, DocumentNumbersQueryVariables> = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"DocumentNumbers"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"filter"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"DocumentNumberFilter"}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"first"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"Int"}}},"defaultValue":{"kind":"IntValue","value":"20"}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"after"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"String"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"documentNumbers"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"filter"},"value":{"kind":"Variable","name":{"kind":"Name","value":"filter"}}},{"kind":"Argument","name":{"kind":"Name","value":"first"},"value":{"kind":"Variable","name":{"kind":"Name","value":"first"}}},{"kind":"Argument","name":{"kind":"Name","value":"after"},"value":{"kind":"Variable","name":{"kind":"Name","value":"after"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"edges"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"cursor"}},{"kind":"Field","name":{"kind":"Name","value":"node"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"DocumentNumberFields"}}]}}]}},{"kind":"Field","name":{"kind":"Name","value":"pageInfo"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"hasNextPage"}},{"kind":"Field","name":{"kind":"Name","value":"endCursor"}}]}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"DocumentNumberFields"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"DocumentNumber"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"number"}},{"kind":"Field","name":{"kind":"Name","value":"sequence"}},{"kind":"Field","name":{"kind":"Name","value":"status"}},{"kind":"Field","name":{"kind":"Name","value":"period"}},{"kind":"Field","name":{"kind":"Name","value":"date"}},{"kind":"Field","name":{"kind":"Name","value":"typeCode"}},{"kind":"Field","name":{"kind":"Name","value":"organizationCode"}},{"kind":"Field","name":{"kind":"Name","value":"disciplineCode"}},{"kind":"Field","name":{"kind":"Name","value":"formatVersion"}},{"kind":"Field","name":{"kind":"Name","value":"guard"}},{"kind":"Field","name":{"kind":"Name","value":"retryCount"}},{"kind":"Field","name":{"kind":"Name","value":"waitedMs"}},{"kind":"Field","name":{"kind":"Name","value":"reason"}},{"kind":"Field","name":{"kind":"Name","value":"replacedBy"}},{"kind":"Field","name":{"kind":"Name","value":"issuedAt"}}]}}]} as never;
export const DocumentNumberEventsDocument: TypedDocument<DocumentNumberEventsQuery, DocumentNumberEventsQueryVariables> = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"DocumentNumberEvents"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"filter"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"DocumentNumberEventFilter"}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"first"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"Int"}}},"defaultValue":{"kind":"IntValue","value":"20"}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"after"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"String"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"documentNumberEvents"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"filter"},"value":{"kind":"Variable","name":{"kind":"Name","value":"filter"}}},{"kind":"Argument","name":{"kind":"Name","value":"first"},"value":{"kind":"Variable","name":{"kind":"Name","value":"first"}}},{"kind":"Argument","name":{"kind":"Name","value":"after"},"value":{"kind":"Variable","name":{"kind":"Name","value":"after"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"edges"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"cursor"}},{"kind":"Field","name":{"kind":"Name","value":"node"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"type"}},{"kind":"Field","name":{"kind":"Name","value":"number"}},{"kind":"Field","name":{"kind":"Name","value":"sequence"}},{"kind":"Field","name":{"kind":"Name","value":"actorId"}},{"kind":"Field","name":{"kind":"Name","value":"reason"}},{"kind":"Field","name":{"kind":"Name","value":"facts"}},{"kind":"Field","name":{"kind":"Name","value":"occurredAt"}}]}}]}},{"kind":"Field","name":{"kind":"Name","value":"pageInfo"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"hasNextPage"}},{"kind":"Field","name":{"kind":"Name","value":"endCursor"}}]}}]}}]}}]} as never;
export const ReconcileDocumentNumbersDocument: TypedDocument<ReconcileDocumentNumbersMutation, ReconcileDocumentNumbersMutationVariables> = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"ReconcileDocumentNumbers"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"input"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ReconcileDocumentNumbersInput"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"reconcileDocumentNumbers"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"Variable","name":{"kind":"Name","value":"input"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"kind"}},{"kind":"Field","name":{"kind":"Name","value":"counter"}},{"kind":"Field","name":{"kind":"Name","value":"count"}},{"kind":"Field","name":{"kind":"Name","value":"example"}},{"kind":"Field","name":{"kind":"Name","value":"first"}},{"kind":"Field","name":{"kind":"Name","value":"last"}},{"kind":"Field","name":{"kind":"Name","value":"lastNumber"}},{"kind":"Field","name":{"kind":"Name","value":"highWaterMark"}},{"kind":"Field","name":{"kind":"Name","value":"widthUsed"}}]}}]}}]} as never;
export const DocumentNumberIssuedDocument: TypedDocument<DocumentNumberIssuedSubscription, DocumentNumberIssuedSubscriptionVariables> = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"subscription","name":{"kind":"Name","value":"DocumentNumberIssued"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"projectId"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"TSID"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"documentNumberIssued"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"projectId"},"value":{"kind":"Variable","name":{"kind":"Name","value":"projectId"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"DocumentNumberFields"}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"DocumentNumberFields"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"DocumentNumber"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"number"}},{"kind":"Field","name":{"kind":"Name","value":"sequence"}},{"kind":"Field","name":{"kind":"Name","value":"status"}},{"kind":"Field","name":{"kind":"Name","value":"period"}},{"kind":"Field","name":{"kind":"Name","value":"date"}},{"kind":"Field","name":{"kind":"Name","value":"typeCode"}},{"kind":"Field","name":{"kind":"Name","value":"organizationCode"}},{"kind":"Field","name":{"kind":"Name","value":"disciplineCode"}},{"kind":"Field","name":{"kind":"Name","value":"formatVersion"}},{"kind":"Field","name":{"kind":"Name","value":"guard"}},{"kind":"Field","name":{"kind":"Name","value":"retryCount"}},{"kind":"Field","name":{"kind":"Name","value":"waitedMs"}},{"kind":"Field","name":{"kind":"Name","value":"reason"}},{"kind":"Field","name":{"kind":"Name","value":"replacedBy"}},{"kind":"Field","name":{"kind":"Name","value":"issuedAt"}}]}}]} as never;
export const CreateProjectDocument: TypedDocument<CreateProjectMutation, CreateProjectMutationVariables> = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"CreateProject"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"input"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"CodedRowInput"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"createProject"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"Variable","name":{"kind":"Name","value":"input"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"code"}},{"kind":"Field","name":{"kind":"Name","value":"name"}}]}}]}}]} as never;
export const CreateOrganizationDocument: TypedDocument<CreateOrganizationMutation, CreateOrganizationMutationVariables> = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"CreateOrganization"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"input"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"CodedRowInput"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"createOrganization"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"Variable","name":{"kind":"Name","value":"input"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"code"}},{"kind":"Field","name":{"kind":"Name","value":"name"}}]}}]}}]} as never;
export const CreateCorrespondenceTypeDocument: TypedDocument<CreateCorrespondenceTypeMutation, CreateCorrespondenceTypeMutationVariables> = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"CreateCorrespondenceType"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"input"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"CodedRowInput"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"createCorrespondenceType"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"Variable","name":{"kind":"Name","value":"input"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"code"}},{"kind":"Field","name":{"kind":"Name","value":"name"}}]}}]}}]} as never;
export const CreateDisciplineDocument: TypedDocument<CreateDisciplineMutation, CreateDisciplineMutationVariables> = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"CreateDiscipline"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"input"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"CodedRowInput"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"createDiscipline"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"Variable","name":{"kind":"Name","value":"input"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"code"}},{"kind":"Field","name":{"kind":"Name","value":"name"}}]}}]}}]} as never;
export const ProjectsDocument: TypedDocument<ProjectsQuery, ProjectsQueryVariables> = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"Projects"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"first"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"Int"}}},"defaultValue":{"kind":"IntValue","value":"20"}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"after"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"String"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"projects"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"first"},"value":{"kind":"Variable","name":{"kind":"Name","value":"first"}}},{"kind":"Argument","name":{"kind":"Name","value":"after"},"value":{"kind":"Variable","name":{"kind":"Name","value":"after"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"edges"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"cursor"}},{"kind":"Field","name":{"kind":"Name","value":"node"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"code"}},{"kind":"Field","name":{"kind":"Name","value":"name"}}]}}]}},{"kind":"Field","name":{"kind":"Name","value":"pageInfo"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"hasNextPage"}},{"kind":"Field","name":{"kind":"Name","value":"endCursor"}}]}}]}}]}}]} as never;
export const OrganizationsDocument: TypedDocument<OrganizationsQuery, OrganizationsQueryVariables> = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"Organizations"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"first"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"Int"}}},"defaultValue":{"kind":"IntValue","value":"20"}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"after"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"String"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"organizations"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"first"},"value":{"kind":"Variable","name":{"kind":"Name","value":"first"}}},{"kind":"Argument","name":{"kind":"Name","value":"after"},"value":{"kind":"Variable","name":{"kind":"Name","value":"after"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"edges"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"cursor"}},{"kind":"Field","name":{"kind":"Name","value":"node"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"code"}},{"kind":"Field","name":{"kind":"Name","value":"name"}}]}}]}},{"kind":"Field","name":{"kind":"Name","value":"pageInfo"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"hasNextPage"}},{"kind":"Field","name":{"kind":"Name","value":"endCursor"}}]}}]}}]}}]} as never;
export const CorrespondenceTypesDocument: TypedDocument<CorrespondenceTypesQuery, CorrespondenceTypesQueryVariables> = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"CorrespondenceTypes"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"first"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"Int"}}},"defaultValue":{"kind":"IntValue","value":"20"}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"after"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"String"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"correspondenceTypes"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"first"},"value":{"kind":"Variable","name":{"kind":"Name","value":"first"}}},{"kind":"Argument","name":{"kind":"Name","value":"after"},"value":{"kind":"Variable","name":{"kind":"Name","value":"after"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"edges"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"cursor"}},{"kind":"Field","name":{"kind":"Name","value":"node"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"code"}},{"kind":"Field","name":{"kind":"Name","value":"name"}}]}}]}},{"kind":"Field","name":{"kind":"Name","value":"pageInfo"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"hasNextPage"}},{"kind":"Field","name":{"kind":"Name","value":"endCursor"}}]}}]}}]}}]} as never;
export const DisciplinesDocument: TypedDocument<DisciplinesQuery, DisciplinesQueryVariables> = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"Disciplines"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"first"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"Int"}}},"defaultValue":{"kind":"IntValue","value":"20"}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"after"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"String"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"disciplines"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"first"},"value":{"kind":"Variable","name":{"kind":"Name","value":"first"}}},{"kind":"Argument","name":{"kind":"Name","value":"after"},"value":{"kind":"Variable","name":{"kind":"Name","value":"after"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"edges"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"cursor"}},{"kind":"Field","name":{"kind":"Name","value":"node"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"code"}},{"kind":"Field","name":{"kind":"Name","value":"name"}}]}}]}},{"kind":"Field","name":{"kind":"Name","value":"pageInfo"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"hasNextPage"}},{"kind":"Field","name":{"kind":"Name","value":"endCursor"}}]}}]}}]}}]} as never;
export const IssueDocumentNumberDocument: TypedDocument<IssueDocumentNumberMutation, IssueDocumentNumberMutationVariables> = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"IssueDocumentNumber"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"input"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"IssueDocumentNumberInput"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"issueDocumentNumber"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"Variable","name":{"kind":"Name","value":"input"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"FragmentSpread","name":{"kind":"Name","value":"DocumentNumberFields"}},{"kind":"FragmentSpread","name":{"kind":"Name","value":"NumberRefusalFields"}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"NumbersExhausted"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"limit"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"PeriodClosed"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"period"}}]}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"DocumentNumberFields"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"DocumentNumber"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"number"}},{"kind":"Field","name":{"kind":"Name","value":"sequence"}},{"kind":"Field","name":{"kind":"Name","value":"status"}},{"kind":"Field","name":{"kind":"Name","value":"period"}},{"kind":"Field","name":{"kind":"Name","value":"date"}},{"kind":"Field","name":{"kind":"Name","value":"typeCode"}},{"kind":"Field","name":{"kind":"Name","value":"organizationCode"}},{"kind":"Field","name":{"kind":"Name","value":"disciplineCode"}},{"kind":"Field","name":{"kind":"Name","value":"formatVersion"}},{"kind":"Field","name":{"kind":"Name","value":"guard"}},{"kind":"Field","name":{"kind":"Name","value":"retryCount"}},{"kind":"Field","name":{"kind":"Name","value":"waitedMs"}},{"kind":"Field","name":{"kind":"Name","value":"reason"}},{"kind":"Field","name":{"kind":"Name","value":"replacedBy"}},{"kind":"Field","name":{"kind":"Name","value":"issuedAt"}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"NumberRefusalFields"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"DocumentNumberRefusal"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"message"}}]}}]} as never;
export const IssueDocumentNumbersDocument: TypedDocument<IssueDocumentNumbersMutation, IssueDocumentNumbersMutationVariables> = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"IssueDocumentNumbers"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"input"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"IssueDocumentNumbersInput"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"issueDocumentNumbers"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"Variable","name":{"kind":"Name","value":"input"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"DocumentNumbersIssued"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"documentNumbers"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"DocumentNumberFields"}}]}}]}},{"kind":"FragmentSpread","name":{"kind":"Name","value":"NumberRefusalFields"}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"NumbersExhausted"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"limit"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"PeriodClosed"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"period"}}]}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"DocumentNumberFields"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"DocumentNumber"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"number"}},{"kind":"Field","name":{"kind":"Name","value":"sequence"}},{"kind":"Field","name":{"kind":"Name","value":"status"}},{"kind":"Field","name":{"kind":"Name","value":"period"}},{"kind":"Field","name":{"kind":"Name","value":"date"}},{"kind":"Field","name":{"kind":"Name","value":"typeCode"}},{"kind":"Field","name":{"kind":"Name","value":"organizationCode"}},{"kind":"Field","name":{"kind":"Name","value":"disciplineCode"}},{"kind":"Field","name":{"kind":"Name","value":"formatVersion"}},{"kind":"Field","name":{"kind":"Name","value":"guard"}},{"kind":"Field","name":{"kind":"Name","value":"retryCount"}},{"kind":"Field","name":{"kind":"Name","value":"waitedMs"}},{"kind":"Field","name":{"kind":"Name","value":"reason"}},{"kind":"Field","name":{"kind":"Name","value":"replacedBy"}},{"kind":"Field","name":{"kind":"Name","value":"issuedAt"}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"NumberRefusalFields"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"DocumentNumberRefusal"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"message"}}]}}]} as never;
export const ReserveDocumentNumberDocument: TypedDocument<ReserveDocumentNumberMutation, ReserveDocumentNumberMutationVariables> = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"ReserveDocumentNumber"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"input"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ReserveDocumentNumberInput"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"reserveDocumentNumber"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"Variable","name":{"kind":"Name","value":"input"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"DocumentNumberReservation"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"token"}},{"kind":"Field","name":{"kind":"Name","value":"expiresAt"}},{"kind":"Field","name":{"kind":"Name","value":"documentNumber"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"DocumentNumberFields"}}]}}]}},{"kind":"FragmentSpread","name":{"kind":"Name","value":"NumberRefusalFields"}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"NumbersExhausted"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"limit"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"PeriodClosed"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"period"}}]}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"DocumentNumberFields"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"DocumentNumber"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"number"}},{"kind":"Field","name":{"kind":"Name","value":"sequence"}},{"kind":"Field","name":{"kind":"Name","value":"status"}},{"kind":"Field","name":{"kind":"Name","value":"period"}},{"kind":"Field","name":{"kind":"Name","value":"date"}},{"kind":"Field","name":{"kind":"Name","value":"typeCode"}},{"kind":"Field","name":{"kind":"Name","value":"organizationCode"}},{"kind":"Field","name":{"kind":"Name","value":"disciplineCode"}},{"kind":"Field","name":{"kind":"Name","value":"formatVersion"}},{"kind":"Field","name":{"kind":"Name","value":"guard"}},{"kind":"Field","name":{"kind":"Name","value":"retryCount"}},{"kind":"Field","name":{"kind":"Name","value":"waitedMs"}},{"kind":"Field","name":{"kind":"Name","value":"reason"}},{"kind":"Field","name":{"kind":"Name","value":"replacedBy"}},{"kind":"Field","name":{"kind":"Name","value":"issuedAt"}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"NumberRefusalFields"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"DocumentNumberRefusal"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"message"}}]}}]} as never;
export const ConfirmDocumentNumberDocument: TypedDocument<ConfirmDocumentNumberMutation, ConfirmDocumentNumberMutationVariables> = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"ConfirmDocumentNumber"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"input"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ConfirmDocumentNumberInput"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"confirmDocumentNumber"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"Variable","name":{"kind":"Name","value":"input"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"DocumentNumberFields"}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"DocumentNumberFields"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"DocumentNumber"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"number"}},{"kind":"Field","name":{"kind":"Name","value":"sequence"}},{"kind":"Field","name":{"kind":"Name","value":"status"}},{"kind":"Field","name":{"kind":"Name","value":"period"}},{"kind":"Field","name":{"kind":"Name","value":"date"}},{"kind":"Field","name":{"kind":"Name","value":"typeCode"}},{"kind":"Field","name":{"kind":"Name","value":"organizationCode"}},{"kind":"Field","name":{"kind":"Name","value":"disciplineCode"}},{"kind":"Field","name":{"kind":"Name","value":"formatVersion"}},{"kind":"Field","name":{"kind":"Name","value":"guard"}},{"kind":"Field","name":{"kind":"Name","value":"retryCount"}},{"kind":"Field","name":{"kind":"Name","value":"waitedMs"}},{"kind":"Field","name":{"kind":"Name","value":"reason"}},{"kind":"Field","name":{"kind":"Name","value":"replacedBy"}},{"kind":"Field","name":{"kind":"Name","value":"issuedAt"}}]}}]} as never;
export const CancelDocumentNumberDocument: TypedDocument<CancelDocumentNumberMutation, CancelDocumentNumberMutationVariables> = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"CancelDocumentNumber"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"input"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"CancelDocumentNumberInput"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"cancelDocumentNumber"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"Variable","name":{"kind":"Name","value":"input"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"DocumentNumberFields"}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"DocumentNumberFields"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"DocumentNumber"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"number"}},{"kind":"Field","name":{"kind":"Name","value":"sequence"}},{"kind":"Field","name":{"kind":"Name","value":"status"}},{"kind":"Field","name":{"kind":"Name","value":"period"}},{"kind":"Field","name":{"kind":"Name","value":"date"}},{"kind":"Field","name":{"kind":"Name","value":"typeCode"}},{"kind":"Field","name":{"kind":"Name","value":"organizationCode"}},{"kind":"Field","name":{"kind":"Name","value":"disciplineCode"}},{"kind":"Field","name":{"kind":"Name","value":"formatVersion"}},{"kind":"Field","name":{"kind":"Name","value":"guard"}},{"kind":"Field","name":{"kind":"Name","value":"retryCount"}},{"kind":"Field","name":{"kind":"Name","value":"waitedMs"}},{"kind":"Field","name":{"kind":"Name","value":"reason"}},{"kind":"Field","name":{"kind":"Name","value":"replacedBy"}},{"kind":"Field","name":{"kind":"Name","value":"issuedAt"}}]}}]} as never;
export const VoidDocumentNumberDocument: TypedDocument<VoidDocumentNumberMutation, VoidDocumentNumberMutationVariables> = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"VoidDocumentNumber"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"input"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"VoidDocumentNumberInput"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"voidDocumentNumber"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"Variable","name":{"kind":"Name","value":"input"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"DocumentNumberFields"}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"DocumentNumberFields"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"DocumentNumber"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"number"}},{"kind":"Field","name":{"kind":"Name","value":"sequence"}},{"kind":"Field","name":{"kind":"Name","value":"status"}},{"kind":"Field","name":{"kind":"Name","value":"period"}},{"kind":"Field","name":{"kind":"Name","value":"date"}},{"kind":"Field","name":{"kind":"Name","value":"typeCode"}},{"kind":"Field","name":{"kind":"Name","value":"organizationCode"}},{"kind":"Field","name":{"kind":"Name","value":"disciplineCode"}},{"kind":"Field","name":{"kind":"Name","value":"formatVersion"}},{"kind":"Field","name":{"kind":"Name","value":"guard"}},{"kind":"Field","name":{"kind":"Name","value":"retryCount"}},{"kind":"Field","name":{"kind":"Name","value":"waitedMs"}},{"kind":"Field","name":{"kind":"Name","value":"reason"}},{"kind":"Field","name":{"kind":"Name","value":"replacedBy"}},{"kind":"Field","name":{"kind":"Name","value":"issuedAt"}}]}}]} as never;
export const ReplaceDocumentNumberDocument: TypedDocument<ReplaceDocumentNumberMutation, ReplaceDocumentNumberMutationVariables> = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"ReplaceDocumentNumber"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"input"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ReplaceDocumentNumberInput"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"replaceDocumentNumber"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"Variable","name":{"kind":"Name","value":"input"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"DocumentNumberReplaced"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"voided"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"DocumentNumberFields"}}]}},{"kind":"Field","name":{"kind":"Name","value":"replacement"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"DocumentNumberFields"}}]}}]}},{"kind":"FragmentSpread","name":{"kind":"Name","value":"NumberRefusalFields"}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"NumbersExhausted"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"limit"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"PeriodClosed"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"period"}}]}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"DocumentNumberFields"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"DocumentNumber"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"number"}},{"kind":"Field","name":{"kind":"Name","value":"sequence"}},{"kind":"Field","name":{"kind":"Name","value":"status"}},{"kind":"Field","name":{"kind":"Name","value":"period"}},{"kind":"Field","name":{"kind":"Name","value":"date"}},{"kind":"Field","name":{"kind":"Name","value":"typeCode"}},{"kind":"Field","name":{"kind":"Name","value":"organizationCode"}},{"kind":"Field","name":{"kind":"Name","value":"disciplineCode"}},{"kind":"Field","name":{"kind":"Name","value":"formatVersion"}},{"kind":"Field","name":{"kind":"Name","value":"guard"}},{"kind":"Field","name":{"kind":"Name","value":"retryCount"}},{"kind":"Field","name":{"kind":"Name","value":"waitedMs"}},{"kind":"Field","name":{"kind":"Name","value":"reason"}},{"kind":"Field","name":{"kind":"Name","value":"replacedBy"}},{"kind":"Field","name":{"kind":"Name","value":"issuedAt"}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"NumberRefusalFields"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"DocumentNumberRefusal"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"message"}}]}}]} as never;
export const AssignDocumentNumberDocument: TypedDocument<AssignDocumentNumberMutation, AssignDocumentNumberMutationVariables> = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"AssignDocumentNumber"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"input"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"AssignDocumentNumberInput"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"assignDocumentNumber"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"Variable","name":{"kind":"Name","value":"input"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"FragmentSpread","name":{"kind":"Name","value":"DocumentNumberFields"}},{"kind":"FragmentSpread","name":{"kind":"Name","value":"NumberRefusalFields"}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"NumbersExhausted"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"limit"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"PeriodClosed"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"period"}}]}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"DocumentNumberFields"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"DocumentNumber"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"number"}},{"kind":"Field","name":{"kind":"Name","value":"sequence"}},{"kind":"Field","name":{"kind":"Name","value":"status"}},{"kind":"Field","name":{"kind":"Name","value":"period"}},{"kind":"Field","name":{"kind":"Name","value":"date"}},{"kind":"Field","name":{"kind":"Name","value":"typeCode"}},{"kind":"Field","name":{"kind":"Name","value":"organizationCode"}},{"kind":"Field","name":{"kind":"Name","value":"disciplineCode"}},{"kind":"Field","name":{"kind":"Name","value":"formatVersion"}},{"kind":"Field","name":{"kind":"Name","value":"guard"}},{"kind":"Field","name":{"kind":"Name","value":"retryCount"}},{"kind":"Field","name":{"kind":"Name","value":"waitedMs"}},{"kind":"Field","name":{"kind":"Name","value":"reason"}},{"kind":"Field","name":{"kind":"Name","value":"replacedBy"}},{"kind":"Field","name":{"kind":"Name","value":"issuedAt"}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"NumberRefusalFields"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"DocumentNumberRefusal"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"message"}}]}}]} as never;
export const SkipDocumentNumbersDocument: TypedDocument<SkipDocumentNumbersMutation, SkipDocumentNumbersMutationVariables> = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"SkipDocumentNumbers"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"input"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"SkipDocumentNumbersInput"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"skipDocumentNumbers"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"Variable","name":{"kind":"Name","value":"input"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"skippedCount"}}]}}]}}]} as never;
export const ImportDocumentNumbersDocument: TypedDocument<ImportDocumentNumbersMutation, ImportDocumentNumbersMutationVariables> = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"ImportDocumentNumbers"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"input"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ImportDocumentNumbersInput"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"importDocumentNumbers"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"Variable","name":{"kind":"Name","value":"input"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"imported"}},{"kind":"Field","name":{"kind":"Name","value":"rowCount"}},{"kind":"Field","name":{"kind":"Name","value":"recordedHoleCount"}},{"kind":"Field","name":{"kind":"Name","value":"problemCount"}},{"kind":"Field","name":{"kind":"Name","value":"problems"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"code"}},{"kind":"Field","name":{"kind":"Name","value":"row"}},{"kind":"Field","name":{"kind":"Name","value":"message"}}]}}]}}]}}]} as never;
export const DocumentNumberCountersDocument: TypedDocument<DocumentNumberCountersQuery, DocumentNumberCountersQueryVariables> = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"DocumentNumberCounters"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"filter"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"DocumentNumberCounterFilter"}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"first"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"Int"}}},"defaultValue":{"kind":"IntValue","value":"20"}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"after"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"String"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"documentNumberCounters"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"filter"},"value":{"kind":"Variable","name":{"kind":"Name","value":"filter"}}},{"kind":"Argument","name":{"kind":"Name","value":"first"},"value":{"kind":"Variable","name":{"kind":"Name","value":"first"}}},{"kind":"Argument","name":{"kind":"Name","value":"after"},"value":{"kind":"Variable","name":{"kind":"Name","value":"after"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"edges"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"cursor"}},{"kind":"Field","name":{"kind":"Name","value":"node"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"typeCode"}},{"kind":"Field","name":{"kind":"Name","value":"organizationCode"}},{"kind":"Field","name":{"kind":"Name","value":"disciplineCode"}},{"kind":"Field","name":{"kind":"Name","value":"period"}},{"kind":"Field","name":{"kind":"Name","value":"lastNumber"}},{"kind":"Field","name":{"kind":"Name","value":"widthUsed"}},{"kind":"Field","name":{"kind":"Name","value":"version"}},{"kind":"Field","name":{"kind":"Name","value":"updatedAt"}},{"kind":"Field","name":{"kind":"Name","value":"project"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"code"}}]}}]}}]}},{"kind":"Field","name":{"kind":"Name","value":"pageInfo"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"hasNextPage"}},{"kind":"Field","name":{"kind":"Name","value":"endCursor"}}]}}]}}]}}]} as never;
export const DocumentSeriesDocument: TypedDocument<DocumentSeriesQuery, DocumentSeriesQueryVariables> = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"DocumentSeries"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"projectCode"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"String"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"documentSeries"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"projectCode"},"value":{"kind":"Variable","name":{"kind":"Name","value":"projectCode"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"DocumentSeriesFields"}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"DocumentSeriesFields"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"DocumentSeries"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"typeCode"}},{"kind":"Field","name":{"kind":"Name","value":"revision"}},{"kind":"Field","name":{"kind":"Name","value":"reset"}},{"kind":"Field","name":{"kind":"Name","value":"timeZone"}},{"kind":"Field","name":{"kind":"Name","value":"startAt"}},{"kind":"Field","name":{"kind":"Name","value":"dateOrder"}},{"kind":"Field","name":{"kind":"Name","value":"closedUntil"}},{"kind":"Field","name":{"kind":"Name","value":"openUntil"}},{"kind":"Field","name":{"kind":"Name","value":"fiscalStartMonth"}},{"kind":"Field","name":{"kind":"Name","value":"fiscalYearNamedBy"}},{"kind":"Field","name":{"kind":"Name","value":"manualInterval"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"first"}},{"kind":"Field","name":{"kind":"Name","value":"last"}}]}},{"kind":"Field","name":{"kind":"Name","value":"project"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"code"}}]}}]}}]} as never;
export const DefineDocumentSeriesDocument: TypedDocument<DefineDocumentSeriesMutation, DefineDocumentSeriesMutationVariables> = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"DefineDocumentSeries"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"input"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"DefineDocumentSeriesInput"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"defineDocumentSeries"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"Variable","name":{"kind":"Name","value":"input"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"DocumentSeriesFields"}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"DocumentSeriesFields"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"DocumentSeries"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"typeCode"}},{"kind":"Field","name":{"kind":"Name","value":"revision"}},{"kind":"Field","name":{"kind":"Name","value":"reset"}},{"kind":"Field","name":{"kind":"Name","value":"timeZone"}},{"kind":"Field","name":{"kind":"Name","value":"startAt"}},{"kind":"Field","name":{"kind":"Name","value":"dateOrder"}},{"kind":"Field","name":{"kind":"Name","value":"closedUntil"}},{"kind":"Field","name":{"kind":"Name","value":"openUntil"}},{"kind":"Field","name":{"kind":"Name","value":"fiscalStartMonth"}},{"kind":"Field","name":{"kind":"Name","value":"fiscalYearNamedBy"}},{"kind":"Field","name":{"kind":"Name","value":"manualInterval"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"first"}},{"kind":"Field","name":{"kind":"Name","value":"last"}}]}},{"kind":"Field","name":{"kind":"Name","value":"project"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"code"}}]}}]}}]} as never;
export const DocumentNumberFormatsDocument: TypedDocument<DocumentNumberFormatsQuery, DocumentNumberFormatsQueryVariables> = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"DocumentNumberFormats"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"projectId"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"TSID"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"documentNumberFormats"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"projectId"},"value":{"kind":"Variable","name":{"kind":"Name","value":"projectId"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"DocumentNumberFormatFields"}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"DocumentNumberFormatFields"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"DocumentNumberFormat"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"version"}},{"kind":"Field","name":{"kind":"Name","value":"typeCode"}},{"kind":"Field","name":{"kind":"Name","value":"template"}},{"kind":"Field","name":{"kind":"Name","value":"overflow"}},{"kind":"Field","name":{"kind":"Name","value":"validFrom"}},{"kind":"Field","name":{"kind":"Name","value":"validUntil"}},{"kind":"Field","name":{"kind":"Name","value":"createdAt"}},{"kind":"Field","name":{"kind":"Name","value":"project"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"code"}}]}}]}}]} as never;
export const SaveDocumentNumberFormatDocument: TypedDocument<SaveDocumentNumberFormatMutation, SaveDocumentNumberFormatMutationVariables> = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"SaveDocumentNumberFormat"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"input"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"SaveDocumentNumberFormatInput"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"saveDocumentNumberFormat"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"Variable","name":{"kind":"Name","value":"input"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"DocumentNumberFormatFields"}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"DocumentNumberFormatFields"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"DocumentNumberFormat"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"version"}},{"kind":"Field","name":{"kind":"Name","value":"typeCode"}},{"kind":"Field","name":{"kind":"Name","value":"template"}},{"kind":"Field","name":{"kind":"Name","value":"overflow"}},{"kind":"Field","name":{"kind":"Name","value":"validFrom"}},{"kind":"Field","name":{"kind":"Name","value":"validUntil"}},{"kind":"Field","name":{"kind":"Name","value":"createdAt"}},{"kind":"Field","name":{"kind":"Name","value":"project"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"code"}}]}}]}}]} as never;
export const DocumentNumberPreviewDocument: TypedDocument<DocumentNumberPreviewQuery, DocumentNumberPreviewQueryVariables> = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"DocumentNumberPreview"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"input"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"DocumentSeriesInput"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"documentNumberPreview"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"Variable","name":{"kind":"Name","value":"input"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"number"}},{"kind":"Field","name":{"kind":"Name","value":"sequence"}},{"kind":"Field","name":{"kind":"Name","value":"period"}},{"kind":"Field","name":{"kind":"Name","value":"formatVersion"}},{"kind":"Field","name":{"kind":"Name","value":"promised"}}]}}]}}]} as never;
export const RequestTripDocument: TypedDocument<RequestTripMutation, RequestTripMutationVariables> = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"RequestTrip"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"input"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"RequestTripInput"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"requestTrip"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"Variable","name":{"kind":"Name","value":"input"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"TripFields"}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"TripFields"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Trip"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"status"}},{"kind":"Field","name":{"kind":"Name","value":"revision"}},{"kind":"Field","name":{"kind":"Name","value":"riderId"}},{"kind":"Field","name":{"kind":"Name","value":"driverId"}},{"kind":"Field","name":{"kind":"Name","value":"offerEpoch"}},{"kind":"Field","name":{"kind":"Name","value":"offerExpiresAt"}},{"kind":"Field","name":{"kind":"Name","value":"requestedAt"}},{"kind":"Field","name":{"kind":"Name","value":"acceptedAt"}},{"kind":"Field","name":{"kind":"Name","value":"startedAt"}},{"kind":"Field","name":{"kind":"Name","value":"endedAt"}},{"kind":"Field","name":{"kind":"Name","value":"pickup"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"latitude"}},{"kind":"Field","name":{"kind":"Name","value":"longitude"}},{"kind":"Field","name":{"kind":"Name","value":"address"}}]}},{"kind":"Field","name":{"kind":"Name","value":"dropoff"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"latitude"}},{"kind":"Field","name":{"kind":"Name","value":"longitude"}},{"kind":"Field","name":{"kind":"Name","value":"address"}}]}}]}}]} as never;
export const BroadcastTripDocument: TypedDocument<BroadcastTripMutation, BroadcastTripMutationVariables> = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"BroadcastTrip"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"input"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"BroadcastTripInput"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"broadcastTrip"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"Variable","name":{"kind":"Name","value":"input"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"FragmentSpread","name":{"kind":"Name","value":"TripRefusalFields"}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"TripBroadcast"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"trip"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"TripFields"}}]}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"NotOffered"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"reason"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"StaleOffer"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"offerEpoch"}},{"kind":"Field","name":{"kind":"Name","value":"currentEpoch"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"TripNotOpen"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"status"}}]}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"TripFields"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Trip"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"status"}},{"kind":"Field","name":{"kind":"Name","value":"revision"}},{"kind":"Field","name":{"kind":"Name","value":"riderId"}},{"kind":"Field","name":{"kind":"Name","value":"driverId"}},{"kind":"Field","name":{"kind":"Name","value":"offerEpoch"}},{"kind":"Field","name":{"kind":"Name","value":"offerExpiresAt"}},{"kind":"Field","name":{"kind":"Name","value":"requestedAt"}},{"kind":"Field","name":{"kind":"Name","value":"acceptedAt"}},{"kind":"Field","name":{"kind":"Name","value":"startedAt"}},{"kind":"Field","name":{"kind":"Name","value":"endedAt"}},{"kind":"Field","name":{"kind":"Name","value":"pickup"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"latitude"}},{"kind":"Field","name":{"kind":"Name","value":"longitude"}},{"kind":"Field","name":{"kind":"Name","value":"address"}}]}},{"kind":"Field","name":{"kind":"Name","value":"dropoff"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"latitude"}},{"kind":"Field","name":{"kind":"Name","value":"longitude"}},{"kind":"Field","name":{"kind":"Name","value":"address"}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"TripRefusalFields"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"TripRefusal"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"Field","name":{"kind":"Name","value":"tripId"}}]}}]} as never;
export const AcceptTripDocument: TypedDocument<AcceptTripMutation, AcceptTripMutationVariables> = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"AcceptTrip"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"input"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"AnswerOfferInput"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"acceptTrip"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"Variable","name":{"kind":"Name","value":"input"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"FragmentSpread","name":{"kind":"Name","value":"TripRefusalFields"}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"TripAccepted"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"tripId"}},{"kind":"Field","name":{"kind":"Name","value":"driverId"}},{"kind":"Field","name":{"kind":"Name","value":"offerEpoch"}},{"kind":"Field","name":{"kind":"Name","value":"acceptedAt"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"DriverBusy"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"activeTripId"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"NotOffered"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"reason"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"StaleOffer"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"offerEpoch"}},{"kind":"Field","name":{"kind":"Name","value":"currentEpoch"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"TripNotOpen"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"status"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"TripUndecided"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"retryAfterMs"}}]}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"TripRefusalFields"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"TripRefusal"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"Field","name":{"kind":"Name","value":"tripId"}}]}}]} as never;
export const RejectTripDocument: TypedDocument<RejectTripMutation, RejectTripMutationVariables> = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"RejectTrip"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"input"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"AnswerOfferInput"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"rejectTrip"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"Variable","name":{"kind":"Name","value":"input"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"FragmentSpread","name":{"kind":"Name","value":"TripRefusalFields"}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"TripRejected"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"tripId"}},{"kind":"Field","name":{"kind":"Name","value":"offerEpoch"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"TripAccepted"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"tripId"}},{"kind":"Field","name":{"kind":"Name","value":"driverId"}},{"kind":"Field","name":{"kind":"Name","value":"offerEpoch"}},{"kind":"Field","name":{"kind":"Name","value":"acceptedAt"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"NotOffered"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"reason"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"StaleOffer"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"offerEpoch"}},{"kind":"Field","name":{"kind":"Name","value":"currentEpoch"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"TripNotOpen"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"status"}}]}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"TripRefusalFields"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"TripRefusal"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"Field","name":{"kind":"Name","value":"tripId"}}]}}]} as never;
export const StartTripDocument: TypedDocument<StartTripMutation, StartTripMutationVariables> = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"StartTrip"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"input"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"TripInput"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"startTrip"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"Variable","name":{"kind":"Name","value":"input"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"FragmentSpread","name":{"kind":"Name","value":"TripRefusalFields"}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"TripStarted"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"trip"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"TripFields"}}]}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"TripNotOpen"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"status"}}]}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"TripFields"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Trip"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"status"}},{"kind":"Field","name":{"kind":"Name","value":"revision"}},{"kind":"Field","name":{"kind":"Name","value":"riderId"}},{"kind":"Field","name":{"kind":"Name","value":"driverId"}},{"kind":"Field","name":{"kind":"Name","value":"offerEpoch"}},{"kind":"Field","name":{"kind":"Name","value":"offerExpiresAt"}},{"kind":"Field","name":{"kind":"Name","value":"requestedAt"}},{"kind":"Field","name":{"kind":"Name","value":"acceptedAt"}},{"kind":"Field","name":{"kind":"Name","value":"startedAt"}},{"kind":"Field","name":{"kind":"Name","value":"endedAt"}},{"kind":"Field","name":{"kind":"Name","value":"pickup"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"latitude"}},{"kind":"Field","name":{"kind":"Name","value":"longitude"}},{"kind":"Field","name":{"kind":"Name","value":"address"}}]}},{"kind":"Field","name":{"kind":"Name","value":"dropoff"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"latitude"}},{"kind":"Field","name":{"kind":"Name","value":"longitude"}},{"kind":"Field","name":{"kind":"Name","value":"address"}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"TripRefusalFields"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"TripRefusal"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"Field","name":{"kind":"Name","value":"tripId"}}]}}]} as never;
export const CompleteTripDocument: TypedDocument<CompleteTripMutation, CompleteTripMutationVariables> = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"CompleteTrip"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"input"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"TripInput"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"completeTrip"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"Variable","name":{"kind":"Name","value":"input"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"FragmentSpread","name":{"kind":"Name","value":"TripRefusalFields"}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"TripCompleted"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"trip"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"TripFields"}}]}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"TripNotOpen"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"status"}}]}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"TripFields"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Trip"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"status"}},{"kind":"Field","name":{"kind":"Name","value":"revision"}},{"kind":"Field","name":{"kind":"Name","value":"riderId"}},{"kind":"Field","name":{"kind":"Name","value":"driverId"}},{"kind":"Field","name":{"kind":"Name","value":"offerEpoch"}},{"kind":"Field","name":{"kind":"Name","value":"offerExpiresAt"}},{"kind":"Field","name":{"kind":"Name","value":"requestedAt"}},{"kind":"Field","name":{"kind":"Name","value":"acceptedAt"}},{"kind":"Field","name":{"kind":"Name","value":"startedAt"}},{"kind":"Field","name":{"kind":"Name","value":"endedAt"}},{"kind":"Field","name":{"kind":"Name","value":"pickup"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"latitude"}},{"kind":"Field","name":{"kind":"Name","value":"longitude"}},{"kind":"Field","name":{"kind":"Name","value":"address"}}]}},{"kind":"Field","name":{"kind":"Name","value":"dropoff"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"latitude"}},{"kind":"Field","name":{"kind":"Name","value":"longitude"}},{"kind":"Field","name":{"kind":"Name","value":"address"}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"TripRefusalFields"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"TripRefusal"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"Field","name":{"kind":"Name","value":"tripId"}}]}}]} as never;
export const CancelTripDocument: TypedDocument<CancelTripMutation, CancelTripMutationVariables> = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"CancelTrip"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"input"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"CancelTripInput"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"cancelTrip"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"Variable","name":{"kind":"Name","value":"input"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"FragmentSpread","name":{"kind":"Name","value":"TripRefusalFields"}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"TripCancelled"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"trip"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"TripFields"}}]}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"TripRedispatched"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"trip"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"TripFields"}}]}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"TripNotOpen"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"status"}}]}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"TripFields"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Trip"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"status"}},{"kind":"Field","name":{"kind":"Name","value":"revision"}},{"kind":"Field","name":{"kind":"Name","value":"riderId"}},{"kind":"Field","name":{"kind":"Name","value":"driverId"}},{"kind":"Field","name":{"kind":"Name","value":"offerEpoch"}},{"kind":"Field","name":{"kind":"Name","value":"offerExpiresAt"}},{"kind":"Field","name":{"kind":"Name","value":"requestedAt"}},{"kind":"Field","name":{"kind":"Name","value":"acceptedAt"}},{"kind":"Field","name":{"kind":"Name","value":"startedAt"}},{"kind":"Field","name":{"kind":"Name","value":"endedAt"}},{"kind":"Field","name":{"kind":"Name","value":"pickup"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"latitude"}},{"kind":"Field","name":{"kind":"Name","value":"longitude"}},{"kind":"Field","name":{"kind":"Name","value":"address"}}]}},{"kind":"Field","name":{"kind":"Name","value":"dropoff"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"latitude"}},{"kind":"Field","name":{"kind":"Name","value":"longitude"}},{"kind":"Field","name":{"kind":"Name","value":"address"}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"TripRefusalFields"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"TripRefusal"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"Field","name":{"kind":"Name","value":"tripId"}}]}}]} as never;
export const TripDocument: TypedDocument<TripQuery, TripQueryVariables> = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"Trip"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"id"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"TSID"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"trip"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"id"},"value":{"kind":"Variable","name":{"kind":"Name","value":"id"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"TripFields"}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"TripFields"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Trip"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"status"}},{"kind":"Field","name":{"kind":"Name","value":"revision"}},{"kind":"Field","name":{"kind":"Name","value":"riderId"}},{"kind":"Field","name":{"kind":"Name","value":"driverId"}},{"kind":"Field","name":{"kind":"Name","value":"offerEpoch"}},{"kind":"Field","name":{"kind":"Name","value":"offerExpiresAt"}},{"kind":"Field","name":{"kind":"Name","value":"requestedAt"}},{"kind":"Field","name":{"kind":"Name","value":"acceptedAt"}},{"kind":"Field","name":{"kind":"Name","value":"startedAt"}},{"kind":"Field","name":{"kind":"Name","value":"endedAt"}},{"kind":"Field","name":{"kind":"Name","value":"pickup"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"latitude"}},{"kind":"Field","name":{"kind":"Name","value":"longitude"}},{"kind":"Field","name":{"kind":"Name","value":"address"}}]}},{"kind":"Field","name":{"kind":"Name","value":"dropoff"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"latitude"}},{"kind":"Field","name":{"kind":"Name","value":"longitude"}},{"kind":"Field","name":{"kind":"Name","value":"address"}}]}}]}}]} as never;
export const TripsDocument: TypedDocument<TripsQuery, TripsQueryVariables> = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"Trips"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"filter"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"TripFilter"}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"first"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"Int"}}},"defaultValue":{"kind":"IntValue","value":"20"}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"after"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"String"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"trips"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"filter"},"value":{"kind":"Variable","name":{"kind":"Name","value":"filter"}}},{"kind":"Argument","name":{"kind":"Name","value":"first"},"value":{"kind":"Variable","name":{"kind":"Name","value":"first"}}},{"kind":"Argument","name":{"kind":"Name","value":"after"},"value":{"kind":"Variable","name":{"kind":"Name","value":"after"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"edges"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"cursor"}},{"kind":"Field","name":{"kind":"Name","value":"node"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"TripFields"}}]}}]}},{"kind":"Field","name":{"kind":"Name","value":"pageInfo"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"hasNextPage"}},{"kind":"Field","name":{"kind":"Name","value":"endCursor"}}]}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"TripFields"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Trip"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"status"}},{"kind":"Field","name":{"kind":"Name","value":"revision"}},{"kind":"Field","name":{"kind":"Name","value":"riderId"}},{"kind":"Field","name":{"kind":"Name","value":"driverId"}},{"kind":"Field","name":{"kind":"Name","value":"offerEpoch"}},{"kind":"Field","name":{"kind":"Name","value":"offerExpiresAt"}},{"kind":"Field","name":{"kind":"Name","value":"requestedAt"}},{"kind":"Field","name":{"kind":"Name","value":"acceptedAt"}},{"kind":"Field","name":{"kind":"Name","value":"startedAt"}},{"kind":"Field","name":{"kind":"Name","value":"endedAt"}},{"kind":"Field","name":{"kind":"Name","value":"pickup"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"latitude"}},{"kind":"Field","name":{"kind":"Name","value":"longitude"}},{"kind":"Field","name":{"kind":"Name","value":"address"}}]}},{"kind":"Field","name":{"kind":"Name","value":"dropoff"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"latitude"}},{"kind":"Field","name":{"kind":"Name","value":"longitude"}},{"kind":"Field","name":{"kind":"Name","value":"address"}}]}}]}}]} as never;
export const TripHistoryDocument: TypedDocument<TripHistoryQuery, TripHistoryQueryVariables> = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"TripHistory"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"tripId"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"TSID"}}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"afterRevision"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"Int"}}},"defaultValue":{"kind":"IntValue","value":"0"}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"first"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"Int"}}},"defaultValue":{"kind":"IntValue","value":"100"}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"tripHistory"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"tripId"},"value":{"kind":"Variable","name":{"kind":"Name","value":"tripId"}}},{"kind":"Argument","name":{"kind":"Name","value":"afterRevision"},"value":{"kind":"Variable","name":{"kind":"Name","value":"afterRevision"}}},{"kind":"Argument","name":{"kind":"Name","value":"first"},"value":{"kind":"Variable","name":{"kind":"Name","value":"first"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"TripEventFields"}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"TripEventFields"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"TripEvent"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"tripId"}},{"kind":"Field","name":{"kind":"Name","value":"type"}},{"kind":"Field","name":{"kind":"Name","value":"status"}},{"kind":"Field","name":{"kind":"Name","value":"revision"}},{"kind":"Field","name":{"kind":"Name","value":"offerEpoch"}},{"kind":"Field","name":{"kind":"Name","value":"driverId"}},{"kind":"Field","name":{"kind":"Name","value":"occurredAt"}}]}}]} as never;
export const TripAttemptsDocument: TypedDocument<TripAttemptsQuery, TripAttemptsQueryVariables> = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"TripAttempts"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"tripId"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"TSID"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"tripAttempts"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"tripId"},"value":{"kind":"Variable","name":{"kind":"Name","value":"tripId"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"offerEpoch"}},{"kind":"Field","name":{"kind":"Name","value":"outcome"}},{"kind":"Field","name":{"kind":"Name","value":"count"}}]}}]}}]} as never;
export const TripUpdatedDocument: TypedDocument<TripUpdatedSubscription, TripUpdatedSubscriptionVariables> = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"subscription","name":{"kind":"Name","value":"TripUpdated"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"tripId"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"TSID"}}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"afterRevision"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"Int"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"tripUpdated"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"tripId"},"value":{"kind":"Variable","name":{"kind":"Name","value":"tripId"}}},{"kind":"Argument","name":{"kind":"Name","value":"afterRevision"},"value":{"kind":"Variable","name":{"kind":"Name","value":"afterRevision"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"TripEventFields"}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"TripEventFields"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"TripEvent"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"tripId"}},{"kind":"Field","name":{"kind":"Name","value":"type"}},{"kind":"Field","name":{"kind":"Name","value":"status"}},{"kind":"Field","name":{"kind":"Name","value":"revision"}},{"kind":"Field","name":{"kind":"Name","value":"offerEpoch"}},{"kind":"Field","name":{"kind":"Name","value":"driverId"}},{"kind":"Field","name":{"kind":"Name","value":"occurredAt"}}]}}]} as never;
export const TripOfferedDocument: TypedDocument<TripOfferedSubscription, TripOfferedSubscriptionVariables> = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"subscription","name":{"kind":"Name","value":"TripOffered"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"tripOffered"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"tripId"}},{"kind":"Field","name":{"kind":"Name","value":"offerEpoch"}},{"kind":"Field","name":{"kind":"Name","value":"state"}},{"kind":"Field","name":{"kind":"Name","value":"expiresAt"}}]}}]}}]} as never;
