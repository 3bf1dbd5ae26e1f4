// Written by scripts/generate.mjs; change operations/*.graphql and run `pnpm generate`.
import type { JsonObject, Tsid } from '../contract/scalars.js';

/** Internal type. DO NOT USE DIRECTLY. */
type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };
/** Internal type. DO NOT USE DIRECTLY. */
export type Incremental<T> = T | { [P in keyof T]?: P extends ' $fragmentName' | '__typename' ? T[P] : never };
/** Names a counter that stands below numbers that were issued once. */
export type AcceptCounterRegressionInput = {
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
  /** Why they are void; 1 to 1,000 characters. */
  readonly reason: string;
  /** Organisation that receives it; printed where the format has {RECIPIENT}. */
  readonly recipientCode?: string | null | undefined;
  /** The document type. */
  readonly typeCode: string;
};

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
  /** Who the document comes from. */
  readonly organizationCode: string;
  /** Says that a date in an earlier or later period is meant; that period must be open. */
  readonly otherPeriod?: boolean;
  /** The project, which is the number space. */
  readonly projectCode: string;
  /** Why; needed, 1 to 1,000 characters. */
  readonly reason?: string | null | undefined;
  /** Organisation that receives it; printed where the format has {RECIPIENT}. */
  readonly recipientCode?: string | null | undefined;
  /** Above the counter, whose numbers in between are then recorded as cancelled, or in the manual interval of the series. */
  readonly sequence: number;
  /** The document type. */
  readonly typeCode: string;
};

/** Stops a series, for a while or for good. */
export type BlockDocumentSeriesInput = {
  /** The project that it belongs to. */
  readonly projectCode: string;
  /** Why, such as "replaced by RFI"; whoever asks for a number reads it. 1 to 1,000 characters. */
  readonly reason: string;
  /** The document type that it numbers. */
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

/** A template as it would be saved for a type that is numbered already. */
export type CheckDocumentNumberFormatInput = {
  /** What happens at the first number that does not fit. */
  readonly overflow?: WidthOverflow;
  /** The project that it belongs to. */
  readonly projectCode: string;
  /** Such as {ORG}-{TYPE}-{DISCIPLINE}-{YEAR}-{SEQ:4}. It must show organisation, discipline and period. */
  readonly template: string;
  /** The document type that it numbers. */
  readonly typeCode: string;
  /** First business date. Default: today. */
  readonly validFrom?: string | null | undefined;
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
  /** With the calendar quarter. */
  | 'QUARTER'
  /** With the week of ISO 8601, whose year is its own. */
  | 'WEEK'
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
  /** What an authority has named the series or its range, such as a validation code of Portugal; {AUTHORITY} prints it. Default: nothing. */
  readonly authorityCode?: string | null | undefined;
  /** Last number of every counter, such as the end of an authorised range. Default: what the format holds. */
  readonly endAt?: number | null | undefined;
  /** The revision that the change was made for; when somebody else has changed the series since, it is refused (SERIES_CHANGED). Default: that of now. */
  readonly expectedRevision?: number | null | undefined;
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

/** Names the series of a document type. */
export type DocumentTypeInput = {
  /** The project that it belongs to. */
  readonly projectCode: string;
  /** The document type that it numbers. */
  readonly typeCode: string;
};

/** The year that names a fiscal year. */
export type FiscalYearName =
  /** The year that it ends in. */
  | 'END'
  /** The year that it starts in. */
  | 'START';

/** Whether somebody may mint on a node. */
export type FleetNodeState =
  /** Nobody holds it; the next process that starts may get it. */
  | 'FREE'
  /** A process mints on it, or was granted it and its window is not over. */
  | 'HELD'
  /** Nobody holds it as far as Redis knows, and Redis may have forgotten: it is not granted yet. */
  | 'QUARANTINED';

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
  /** Where it is dispatched, if there are several regions. Default: the first. */
  readonly region?: string | null | undefined;
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

/** What series of a project begin with that have no format of their own. */
export type SaveDefaultDocumentNumberFormatInput = {
  /** What happens at the first number that does not fit. */
  readonly overflow?: WidthOverflow;
  /** The project that it belongs to. */
  readonly projectCode: string;
  /** Such as {ORG}-{TYPE}-{DISCIPLINE}-{YEAR}-{SEQ:4}. It must show organisation, discipline and period. */
  readonly template: string;
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
  | 'TRIP_STARTED'
  /** Nobody has it after all: drivers who were answered TripUndecided may ask again. */
  | 'TRIP_STILL_OPEN';

/** All given conditions hold together. */
export type TripFilter = {
  /** Trips that the caller rides or drives. Default: all that the caller may see. */
  readonly as?: TripPart | null | undefined;
  /** Trips of this region; needed if there are several. */
  readonly region?: string | null | undefined;
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

/** A way to write a TSID. */
export type TsidSpelling =
  /** 11 characters, 0-9 A-Z a-z. */
  | 'BASE62'
  /** 13 characters of Crockford base 32, in any case, hyphens allowed. */
  | 'CROCKFORD'
  /** 1 to 20 decimal digits, as in JSON. */
  | 'DECIMAL'
  /** 16 hexadecimal digits. */
  | 'HEX';

/** Where the calling driver is, in degrees of WGS 84. */
export type UpdateDriverPositionInput = {
  /** -85 to 85. */
  readonly latitude: number;
  /** -180 to 180. */
  readonly longitude: number;
};

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

/** Names one version of a format by which no number was printed. */
export type WithdrawDocumentNumberFormatInput = {
  /** The project that it belongs to. */
  readonly projectCode: string;
  /** The document type that it numbers. */
  readonly typeCode: string;
  /** The version, from 1. */
  readonly version: number;
};

export type CorrespondenceFieldsFragment = { readonly id: Tsid, readonly documentNumber: string, readonly subject: string, readonly body: string, readonly createdAt: string, readonly createdBy: Tsid };

export type CreateCorrespondenceMutationVariables = Exact<{
  input: CreateCorrespondenceInput;
}>;


export type CreateCorrespondenceMutation = { readonly createCorrespondence:
    | { readonly __typename: 'Correspondence', readonly id: Tsid, readonly documentNumber: string, readonly subject: string, readonly body: string, readonly createdAt: string, readonly createdBy: Tsid }
    | { readonly __typename: 'IdempotencyKeyReused', readonly message: string }
    | { readonly __typename: 'NumbersExhausted', readonly limit: number, readonly message: string }
    | { readonly __typename: 'PeriodClosed', readonly period: string, readonly message: string }
    | { readonly __typename: 'SeriesBlocked', readonly message: string, readonly blockedReason: string }
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

export type TsidReadingsQueryVariables = Exact<{
  text: string;
}>;


export type TsidReadingsQuery = { readonly tsidReadings: ReadonlyArray<{ readonly spelling: TsidSpelling, readonly tsid: { readonly id: Tsid, readonly time: string, readonly node: number, readonly sequence: number, readonly base62: string, readonly crockford: string, readonly hex: string, readonly holder: { readonly holder: string, readonly heldFrom: string, readonly heldUntil: string } | null } }> };

export type NodeFleetQueryVariables = Exact<{
  state?: FleetNodeState | null | undefined;
}>;


export type NodeFleetQuery = { readonly nodeFleet: { readonly nodeCount: number, readonly heldNodeCount: number, readonly freeNodeCount: number, readonly quarantineLeftMs: number, readonly readAt: string, readonly nodes: ReadonlyArray<{ readonly node: number, readonly state: FleetNodeState, readonly holder: string | null, readonly isMine: boolean, readonly heldFrom: string | null, readonly heldUntil: string | null, readonly secondsLeft: number | null }> } };

export type DocumentNumberQueryVariables = Exact<{
  by: DocumentNumberBy;
}>;


export type DocumentNumberQuery = { readonly documentNumber: { readonly id: Tsid | null, readonly number: string, readonly sequence: number, readonly status: DocumentNumberStatus, readonly period: string, readonly date: string, readonly typeCode: string, readonly organizationCode: string | null, readonly disciplineCode: string | null, readonly formatVersion: number | null, readonly guard: NumberGuard | null, readonly retryCount: number | null, readonly waitedMs: number | null, readonly reason: string | null, readonly replacedBy: string | null, readonly issuedAt: string | null, readonly actorId: string | null, readonly commitId: string | null, readonly expiresAt: string | null, readonly idempotencyKey: string | null, readonly actor: { readonly id: Tsid, readonly name: string } | null, readonly project: { readonly id: Tsid, readonly code: string, readonly name: string } | null, readonly correspondence: { readonly id: Tsid, readonly subject: string } | null } | null };

export type DocumentNumbersQueryVariables = Exact<{
  filter?: DocumentNumberFilter | null | undefined;
  first?: number;
  after?: string | null | undefined;
}>;


export type DocumentNumbersQuery = { readonly documentNumbers: { readonly edges: ReadonlyArray<{ readonly cursor: string, readonly node: { readonly id: Tsid | null, readonly number: string, readonly sequence: number, readonly status: DocumentNumberStatus, readonly period: string, readonly date: string, readonly typeCode: string, readonly organizationCode: string | null, readonly disciplineCode: string | null, readonly formatVersion: number | null, readonly guard: NumberGuard | null, readonly retryCount: number | null, readonly waitedMs: number | null, readonly reason: string | null, readonly replacedBy: string | null, readonly issuedAt: string | null, readonly actorId: string | null, readonly commitId: string | null, readonly expiresAt: string | null, readonly idempotencyKey: string | null } }>, readonly pageInfo: { readonly hasNextPage: boolean, readonly endCursor: string | null } } };

export type DocumentNumberEventsQueryVariables = Exact<{
  filter?: DocumentNumberEventFilter | null | undefined;
  first?: number;
  after?: string | null | undefined;
}>;


export type DocumentNumberEventsQuery = { readonly documentNumberEvents: { readonly edges: ReadonlyArray<{ readonly cursor: string, readonly node: { readonly id: string, readonly type: string, readonly number: string | null, readonly sequence: number | null, readonly actorId: string, readonly reason: string | null, readonly facts: JsonObject, readonly occurredAt: string, readonly actor: { readonly id: Tsid, readonly name: string } | null } }>, readonly pageInfo: { readonly hasNextPage: boolean, readonly endCursor: string | null } } };

export type ReconcileDocumentNumbersMutationVariables = Exact<{
  input: ReconcileDocumentNumbersInput;
}>;


export type ReconcileDocumentNumbersMutation = { readonly reconcileDocumentNumbers: ReadonlyArray<{ readonly kind: LedgerFindingKind, readonly counter: string | null, readonly count: number | null, readonly example: string | null, readonly first: number | null, readonly last: number | null, readonly lastNumber: number | null, readonly highWaterMark: number | null, readonly widthUsed: number | null }> };

export type DocumentNumberIssuedSubscriptionVariables = Exact<{
  projectId?: Tsid | null | undefined;
}>;


export type DocumentNumberIssuedSubscription = { readonly documentNumberIssued: { readonly id: Tsid | null, readonly number: string, readonly sequence: number, readonly status: DocumentNumberStatus, readonly period: string, readonly date: string, readonly typeCode: string, readonly organizationCode: string | null, readonly disciplineCode: string | null, readonly formatVersion: number | null, readonly guard: NumberGuard | null, readonly retryCount: number | null, readonly waitedMs: number | null, readonly reason: string | null, readonly replacedBy: string | null, readonly issuedAt: string | null, readonly actorId: string | null, readonly commitId: string | null, readonly expiresAt: string | null, readonly idempotencyKey: string | null } };

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

export type DocumentNumberFieldsFragment = { readonly id: Tsid | null, readonly number: string, readonly sequence: number, readonly status: DocumentNumberStatus, readonly period: string, readonly date: string, readonly typeCode: string, readonly organizationCode: string | null, readonly disciplineCode: string | null, readonly formatVersion: number | null, readonly guard: NumberGuard | null, readonly retryCount: number | null, readonly waitedMs: number | null, readonly reason: string | null, readonly replacedBy: string | null, readonly issuedAt: string | null, readonly actorId: string | null, readonly commitId: string | null, readonly expiresAt: string | null, readonly idempotencyKey: string | null };

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
    | { readonly __typename: 'DocumentNumber', readonly id: Tsid | null, readonly number: string, readonly sequence: number, readonly status: DocumentNumberStatus, readonly period: string, readonly date: string, readonly typeCode: string, readonly organizationCode: string | null, readonly disciplineCode: string | null, readonly formatVersion: number | null, readonly guard: NumberGuard | null, readonly retryCount: number | null, readonly waitedMs: number | null, readonly reason: string | null, readonly replacedBy: string | null, readonly issuedAt: string | null, readonly actorId: string | null, readonly commitId: string | null, readonly expiresAt: string | null, readonly idempotencyKey: string | null }
    | { readonly __typename: 'IdempotencyKeyReused', readonly message: string }
    | { readonly __typename: 'NumbersExhausted', readonly limit: number, readonly message: string }
    | { readonly __typename: 'PeriodClosed', readonly period: string, readonly message: string }
    | { readonly __typename: 'SeriesBlocked', readonly message: string, readonly blockedReason: string }
   };

export type IssueDocumentNumbersMutationVariables = Exact<{
  input: IssueDocumentNumbersInput;
}>;


export type IssueDocumentNumbersMutation = { readonly issueDocumentNumbers:
    | { readonly __typename: 'DocumentNumbersIssued', readonly documentNumbers: ReadonlyArray<{ readonly id: Tsid | null, readonly number: string, readonly sequence: number, readonly status: DocumentNumberStatus, readonly period: string, readonly date: string, readonly typeCode: string, readonly organizationCode: string | null, readonly disciplineCode: string | null, readonly formatVersion: number | null, readonly guard: NumberGuard | null, readonly retryCount: number | null, readonly waitedMs: number | null, readonly reason: string | null, readonly replacedBy: string | null, readonly issuedAt: string | null, readonly actorId: string | null, readonly commitId: string | null, readonly expiresAt: string | null, readonly idempotencyKey: string | null }> }
    | { readonly __typename: 'IdempotencyKeyReused', readonly message: string }
    | { readonly __typename: 'NumbersExhausted', readonly limit: number, readonly message: string }
    | { readonly __typename: 'PeriodClosed', readonly period: string, readonly message: string }
    | { readonly __typename: 'SeriesBlocked', readonly message: string, readonly blockedReason: string }
   };

export type ReserveDocumentNumberMutationVariables = Exact<{
  input: ReserveDocumentNumberInput;
}>;


export type ReserveDocumentNumberMutation = { readonly reserveDocumentNumber:
    | { readonly __typename: 'DocumentNumberReservation', readonly token: string, readonly expiresAt: string, readonly documentNumber: { readonly id: Tsid | null, readonly number: string, readonly sequence: number, readonly status: DocumentNumberStatus, readonly period: string, readonly date: string, readonly typeCode: string, readonly organizationCode: string | null, readonly disciplineCode: string | null, readonly formatVersion: number | null, readonly guard: NumberGuard | null, readonly retryCount: number | null, readonly waitedMs: number | null, readonly reason: string | null, readonly replacedBy: string | null, readonly issuedAt: string | null, readonly actorId: string | null, readonly commitId: string | null, readonly expiresAt: string | null, readonly idempotencyKey: string | null } }
    | { readonly __typename: 'IdempotencyKeyReused', readonly message: string }
    | { readonly __typename: 'NumbersExhausted', readonly limit: number, readonly message: string }
    | { readonly __typename: 'PeriodClosed', readonly period: string, readonly message: string }
    | { readonly __typename: 'SeriesBlocked', readonly message: string, readonly blockedReason: string }
   };

export type ConfirmDocumentNumberMutationVariables = Exact<{
  input: ConfirmDocumentNumberInput;
}>;


export type ConfirmDocumentNumberMutation = { readonly confirmDocumentNumber: { readonly id: Tsid | null, readonly number: string, readonly sequence: number, readonly status: DocumentNumberStatus, readonly period: string, readonly date: string, readonly typeCode: string, readonly organizationCode: string | null, readonly disciplineCode: string | null, readonly formatVersion: number | null, readonly guard: NumberGuard | null, readonly retryCount: number | null, readonly waitedMs: number | null, readonly reason: string | null, readonly replacedBy: string | null, readonly issuedAt: string | null, readonly actorId: string | null, readonly commitId: string | null, readonly expiresAt: string | null, readonly idempotencyKey: string | null } };

export type CancelDocumentNumberMutationVariables = Exact<{
  input: CancelDocumentNumberInput;
}>;


export type CancelDocumentNumberMutation = { readonly cancelDocumentNumber: { readonly id: Tsid | null, readonly number: string, readonly sequence: number, readonly status: DocumentNumberStatus, readonly period: string, readonly date: string, readonly typeCode: string, readonly organizationCode: string | null, readonly disciplineCode: string | null, readonly formatVersion: number | null, readonly guard: NumberGuard | null, readonly retryCount: number | null, readonly waitedMs: number | null, readonly reason: string | null, readonly replacedBy: string | null, readonly issuedAt: string | null, readonly actorId: string | null, readonly commitId: string | null, readonly expiresAt: string | null, readonly idempotencyKey: string | null } };

export type VoidDocumentNumberMutationVariables = Exact<{
  input: VoidDocumentNumberInput;
}>;


export type VoidDocumentNumberMutation = { readonly voidDocumentNumber: { readonly id: Tsid | null, readonly number: string, readonly sequence: number, readonly status: DocumentNumberStatus, readonly period: string, readonly date: string, readonly typeCode: string, readonly organizationCode: string | null, readonly disciplineCode: string | null, readonly formatVersion: number | null, readonly guard: NumberGuard | null, readonly retryCount: number | null, readonly waitedMs: number | null, readonly reason: string | null, readonly replacedBy: string | null, readonly issuedAt: string | null, readonly actorId: string | null, readonly commitId: string | null, readonly expiresAt: string | null, readonly idempotencyKey: string | null } };

export type ReplaceDocumentNumberMutationVariables = Exact<{
  input: ReplaceDocumentNumberInput;
}>;


export type ReplaceDocumentNumberMutation = { readonly replaceDocumentNumber:
    | { readonly __typename: 'DocumentNumberReplaced', readonly voided: { readonly id: Tsid | null, readonly number: string, readonly sequence: number, readonly status: DocumentNumberStatus, readonly period: string, readonly date: string, readonly typeCode: string, readonly organizationCode: string | null, readonly disciplineCode: string | null, readonly formatVersion: number | null, readonly guard: NumberGuard | null, readonly retryCount: number | null, readonly waitedMs: number | null, readonly reason: string | null, readonly replacedBy: string | null, readonly issuedAt: string | null, readonly actorId: string | null, readonly commitId: string | null, readonly expiresAt: string | null, readonly idempotencyKey: string | null }, readonly replacement: { readonly id: Tsid | null, readonly number: string, readonly sequence: number, readonly status: DocumentNumberStatus, readonly period: string, readonly date: string, readonly typeCode: string, readonly organizationCode: string | null, readonly disciplineCode: string | null, readonly formatVersion: number | null, readonly guard: NumberGuard | null, readonly retryCount: number | null, readonly waitedMs: number | null, readonly reason: string | null, readonly replacedBy: string | null, readonly issuedAt: string | null, readonly actorId: string | null, readonly commitId: string | null, readonly expiresAt: string | null, readonly idempotencyKey: string | null } }
    | { readonly __typename: 'IdempotencyKeyReused', readonly message: string }
    | { readonly __typename: 'NumbersExhausted', readonly limit: number, readonly message: string }
    | { readonly __typename: 'PeriodClosed', readonly period: string, readonly message: string }
    | { readonly __typename: 'SeriesBlocked', readonly message: string, readonly blockedReason: string }
   };

export type AssignDocumentNumberMutationVariables = Exact<{
  input: AssignDocumentNumberInput;
}>;


export type AssignDocumentNumberMutation = { readonly assignDocumentNumber:
    | { readonly __typename: 'DocumentNumber', readonly id: Tsid | null, readonly number: string, readonly sequence: number, readonly status: DocumentNumberStatus, readonly period: string, readonly date: string, readonly typeCode: string, readonly organizationCode: string | null, readonly disciplineCode: string | null, readonly formatVersion: number | null, readonly guard: NumberGuard | null, readonly retryCount: number | null, readonly waitedMs: number | null, readonly reason: string | null, readonly replacedBy: string | null, readonly issuedAt: string | null, readonly actorId: string | null, readonly commitId: string | null, readonly expiresAt: string | null, readonly idempotencyKey: string | null }
    | { readonly __typename: 'IdempotencyKeyReused', readonly message: string }
    | { readonly __typename: 'NumbersExhausted', readonly limit: number, readonly message: string }
    | { readonly __typename: 'PeriodClosed', readonly period: string, readonly message: string }
    | { readonly __typename: 'SeriesBlocked', readonly message: string, readonly blockedReason: string }
   };

export type SkipDocumentNumbersMutationVariables = Exact<{
  input: SkipDocumentNumbersInput;
}>;


export type SkipDocumentNumbersMutation = { readonly skipDocumentNumbers: { readonly skippedCount: number } };

export type ImportDocumentNumbersMutationVariables = Exact<{
  input: ImportDocumentNumbersInput;
}>;


export type ImportDocumentNumbersMutation = { readonly importDocumentNumbers: { readonly imported: boolean, readonly rowCount: number, readonly recordedHoleCount: number, readonly problemCount: number, readonly problems: ReadonlyArray<{ readonly code: string, readonly row: number | null, readonly message: string }> } };

export type OverviewQueryVariables = Exact<{ [key: string]: never; }>;


export type OverviewQuery = { readonly overview: { readonly process: string, readonly startedAt: string, readonly node: number | null, readonly leaseSecondsLeft: number | null, readonly idCount: number, readonly parts: ReadonlyArray<{ readonly name: string, readonly isUp: boolean, readonly awaySeconds: number, readonly problem: string | null }>, readonly outbox: { readonly waitingCount: number, readonly oldestSeconds: number } | null, readonly databaseConnections: { readonly usedCount: number, readonly idleCount: number, readonly waitingCount: number }, readonly buckets: ReadonlyArray<{ readonly from: string, readonly seconds: number, readonly operationCount: number, readonly operationP50Ms: number | null, readonly operationP99Ms: number | null, readonly refusedCount: number, readonly failedCount: number, readonly idCount: number, readonly numberCount: number, readonly commitP50Ms: number | null, readonly commitP99Ms: number | null, readonly numberConflictCount: number, readonly numberFallbackCount: number, readonly regressionCount: number, readonly acceptCount: number, readonly acceptP50Ms: number | null, readonly acceptP99Ms: number | null, readonly tripsWonCount: number, readonly gateFailureCount: number, readonly partsAway: ReadonlyArray<string> }> } };

export type DocumentNumberCountersQueryVariables = Exact<{
  filter?: DocumentNumberCounterFilter | null | undefined;
  first?: number;
  after?: string | null | undefined;
}>;


export type DocumentNumberCountersQuery = { readonly documentNumberCounters: { readonly edges: ReadonlyArray<{ readonly cursor: string, readonly node: { readonly id: string, readonly typeCode: string, readonly organizationCode: string | null, readonly disciplineCode: string | null, readonly period: string, readonly lastNumber: number, readonly widthUsed: number | null, readonly limit: number | null, readonly perDay: number | null, readonly fullOn: string | null, readonly version: number, readonly updatedAt: string, readonly project: { readonly id: Tsid, readonly code: string } | null } }>, readonly pageInfo: { readonly hasNextPage: boolean, readonly endCursor: string | null } } };

export type DocumentSeriesFieldsFragment = { readonly id: string, readonly typeCode: string, readonly revision: number, readonly reset: CounterReset, readonly timeZone: string, readonly startAt: number, readonly dateOrder: boolean, readonly closedUntil: string | null, readonly openUntil: string | null, readonly fiscalStartMonth: number, readonly fiscalYearNamedBy: FiscalYearName, readonly endAt: number | null, readonly blockedReason: string | null, readonly authorityCode: string | null, readonly manualInterval: { readonly first: number, readonly last: number } | null, readonly project: { readonly id: Tsid, readonly code: string } | null };

export type DocumentSeriesQueryVariables = Exact<{
  projectCode?: string | null | undefined;
}>;


export type DocumentSeriesQuery = { readonly documentSeries: ReadonlyArray<{ readonly id: string, readonly typeCode: string, readonly revision: number, readonly reset: CounterReset, readonly timeZone: string, readonly startAt: number, readonly dateOrder: boolean, readonly closedUntil: string | null, readonly openUntil: string | null, readonly fiscalStartMonth: number, readonly fiscalYearNamedBy: FiscalYearName, readonly endAt: number | null, readonly blockedReason: string | null, readonly authorityCode: string | null, readonly manualInterval: { readonly first: number, readonly last: number } | null, readonly project: { readonly id: Tsid, readonly code: string } | null }> };

export type DefineDocumentSeriesMutationVariables = Exact<{
  input: DefineDocumentSeriesInput;
}>;


export type DefineDocumentSeriesMutation = { readonly defineDocumentSeries: { readonly id: string, readonly typeCode: string, readonly revision: number, readonly reset: CounterReset, readonly timeZone: string, readonly startAt: number, readonly dateOrder: boolean, readonly closedUntil: string | null, readonly openUntil: string | null, readonly fiscalStartMonth: number, readonly fiscalYearNamedBy: FiscalYearName, readonly endAt: number | null, readonly blockedReason: string | null, readonly authorityCode: string | null, readonly manualInterval: { readonly first: number, readonly last: number } | null, readonly project: { readonly id: Tsid, readonly code: string } | null } };

export type DocumentNumberFormatFieldsFragment = { readonly version: number, readonly typeCode: string, readonly template: string, readonly overflow: WidthOverflow, readonly validFrom: string | null, readonly validUntil: string | null, readonly createdAt: string, readonly project: { readonly id: Tsid, readonly code: string } | null };

export type DocumentNumberFormatsQueryVariables = Exact<{
  projectId?: Tsid | null | undefined;
}>;


export type DocumentNumberFormatsQuery = { readonly documentNumberFormats: ReadonlyArray<{ readonly version: number, readonly typeCode: string, readonly template: string, readonly overflow: WidthOverflow, readonly validFrom: string | null, readonly validUntil: string | null, readonly createdAt: string, readonly project: { readonly id: Tsid, readonly code: string } | null }> };

export type SaveDocumentNumberFormatMutationVariables = Exact<{
  input: SaveDocumentNumberFormatInput;
}>;


export type SaveDocumentNumberFormatMutation = { readonly saveDocumentNumberFormat: { readonly version: number, readonly typeCode: string, readonly template: string, readonly overflow: WidthOverflow, readonly validFrom: string | null, readonly validUntil: string | null, readonly createdAt: string, readonly project: { readonly id: Tsid, readonly code: string } | null } };

export type SaveDefaultDocumentNumberFormatMutationVariables = Exact<{
  input: SaveDefaultDocumentNumberFormatInput;
}>;


export type SaveDefaultDocumentNumberFormatMutation = { readonly saveDefaultDocumentNumberFormat: ReadonlyArray<{ readonly version: number, readonly typeCode: string, readonly template: string, readonly overflow: WidthOverflow, readonly validFrom: string | null, readonly validUntil: string | null, readonly createdAt: string, readonly project: { readonly id: Tsid, readonly code: string } | null }> };

export type DocumentNumberPreviewQueryVariables = Exact<{
  input: DocumentSeriesInput;
}>;


export type DocumentNumberPreviewQuery = { readonly documentNumberPreview: { readonly number: string, readonly sequence: number, readonly period: string, readonly formatVersion: number, readonly promised: boolean } };

export type DocumentNumberFormatCheckQueryVariables = Exact<{
  input: CheckDocumentNumberFormatInput;
}>;


export type DocumentNumberFormatCheckQuery = { readonly documentNumberFormatCheck:
    | { readonly __typename: 'DocumentNumberFormatAmbiguous', readonly message: string, readonly position: number, readonly first: string, readonly second: string, readonly example: string }
    | { readonly __typename: 'DocumentNumberFormatInvalid', readonly message: string, readonly position: number }
    | { readonly __typename: 'DocumentNumberFormatValid', readonly version: number }
   };

export type WithdrawDocumentNumberFormatMutationVariables = Exact<{
  input: WithdrawDocumentNumberFormatInput;
}>;


export type WithdrawDocumentNumberFormatMutation = { readonly withdrawDocumentNumberFormat:
    | { readonly __typename: 'DocumentNumberFormatInUse', readonly version: number, readonly message: string }
    | { readonly __typename: 'DocumentNumberFormatWithdrawn', readonly version: number }
   };

export type BlockDocumentSeriesMutationVariables = Exact<{
  input: BlockDocumentSeriesInput;
}>;


export type BlockDocumentSeriesMutation = { readonly blockDocumentSeries: { readonly id: string, readonly typeCode: string, readonly revision: number, readonly reset: CounterReset, readonly timeZone: string, readonly startAt: number, readonly dateOrder: boolean, readonly closedUntil: string | null, readonly openUntil: string | null, readonly fiscalStartMonth: number, readonly fiscalYearNamedBy: FiscalYearName, readonly endAt: number | null, readonly blockedReason: string | null, readonly authorityCode: string | null, readonly manualInterval: { readonly first: number, readonly last: number } | null, readonly project: { readonly id: Tsid, readonly code: string } | null } };

export type UnblockDocumentSeriesMutationVariables = Exact<{
  input: DocumentTypeInput;
}>;


export type UnblockDocumentSeriesMutation = { readonly unblockDocumentSeries: { readonly id: string, readonly typeCode: string, readonly revision: number, readonly reset: CounterReset, readonly timeZone: string, readonly startAt: number, readonly dateOrder: boolean, readonly closedUntil: string | null, readonly openUntil: string | null, readonly fiscalStartMonth: number, readonly fiscalYearNamedBy: FiscalYearName, readonly endAt: number | null, readonly blockedReason: string | null, readonly authorityCode: string | null, readonly manualInterval: { readonly first: number, readonly last: number } | null, readonly project: { readonly id: Tsid, readonly code: string } | null } };

export type ArchiveDocumentNumbersMutationVariables = Exact<{
  input: DocumentTypeInput;
}>;


export type ArchiveDocumentNumbersMutation = { readonly archiveDocumentNumbers: { readonly counterCount: number, readonly numberCount: number } };

export type AcceptCounterRegressionMutationVariables = Exact<{
  input: AcceptCounterRegressionInput;
}>;


export type AcceptCounterRegressionMutation = { readonly acceptCounterRegression: { readonly lastNumber: number, readonly highWaterMark: number } };

export type TripFieldsFragment = { readonly id: Tsid, readonly status: TripStatus, readonly revision: number, readonly riderId: Tsid | null, readonly driverId: Tsid | null, readonly offerEpoch: number, readonly offerExpiresAt: string, readonly requestedAt: string, readonly offerAt: string | null, readonly acceptedAt: string | null, readonly arrivedAt: string | null, readonly startedAt: string | null, readonly endedAt: string | null, readonly cancelReason: TripCancelReason | null, readonly pickup: { readonly latitude: number, readonly longitude: number, readonly address: string | null } | null, readonly dropoff: { readonly latitude: number, readonly longitude: number, readonly address: string | null } | null };

export type TripEventFieldsFragment = { readonly id: string, readonly tripId: Tsid, readonly type: TripEventType, readonly status: TripStatus, readonly revision: number, readonly offerEpoch: number, readonly driverId: Tsid | null, readonly reason: TripCancelReason | null, readonly occurredAt: string };

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


export type RequestTripMutation = { readonly requestTrip: { readonly id: Tsid, readonly status: TripStatus, readonly revision: number, readonly riderId: Tsid | null, readonly driverId: Tsid | null, readonly offerEpoch: number, readonly offerExpiresAt: string, readonly requestedAt: string, readonly offerAt: string | null, readonly acceptedAt: string | null, readonly arrivedAt: string | null, readonly startedAt: string | null, readonly endedAt: string | null, readonly cancelReason: TripCancelReason | null, readonly pickup: { readonly latitude: number, readonly longitude: number, readonly address: string | null } | null, readonly dropoff: { readonly latitude: number, readonly longitude: number, readonly address: string | null } | null } };

export type BroadcastTripMutationVariables = Exact<{
  input: BroadcastTripInput;
}>;


export type BroadcastTripMutation = { readonly broadcastTrip:
    | { readonly __typename: 'NotOffered', readonly reason: NotOfferedReason, readonly message: string, readonly tripId: Tsid }
    | { readonly __typename: 'StaleOffer', readonly offerEpoch: number, readonly currentEpoch: number, readonly message: string, readonly tripId: Tsid }
    | { readonly __typename: 'TripBroadcast', readonly trip: { readonly id: Tsid, readonly status: TripStatus, readonly revision: number, readonly riderId: Tsid | null, readonly driverId: Tsid | null, readonly offerEpoch: number, readonly offerExpiresAt: string, readonly requestedAt: string, readonly offerAt: string | null, readonly acceptedAt: string | null, readonly arrivedAt: string | null, readonly startedAt: string | null, readonly endedAt: string | null, readonly cancelReason: TripCancelReason | null, readonly pickup: { readonly latitude: number, readonly longitude: number, readonly address: string | null } | null, readonly dropoff: { readonly latitude: number, readonly longitude: number, readonly address: string | null } | null } }
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
    | { readonly __typename: 'TripStarted', readonly trip: { readonly id: Tsid, readonly status: TripStatus, readonly revision: number, readonly riderId: Tsid | null, readonly driverId: Tsid | null, readonly offerEpoch: number, readonly offerExpiresAt: string, readonly requestedAt: string, readonly offerAt: string | null, readonly acceptedAt: string | null, readonly arrivedAt: string | null, readonly startedAt: string | null, readonly endedAt: string | null, readonly cancelReason: TripCancelReason | null, readonly pickup: { readonly latitude: number, readonly longitude: number, readonly address: string | null } | null, readonly dropoff: { readonly latitude: number, readonly longitude: number, readonly address: string | null } | null } }
   };

export type CompleteTripMutationVariables = Exact<{
  input: TripInput;
}>;


export type CompleteTripMutation = { readonly completeTrip:
    | { readonly __typename: 'TripCompleted', readonly trip: { readonly id: Tsid, readonly status: TripStatus, readonly revision: number, readonly riderId: Tsid | null, readonly driverId: Tsid | null, readonly offerEpoch: number, readonly offerExpiresAt: string, readonly requestedAt: string, readonly offerAt: string | null, readonly acceptedAt: string | null, readonly arrivedAt: string | null, readonly startedAt: string | null, readonly endedAt: string | null, readonly cancelReason: TripCancelReason | null, readonly pickup: { readonly latitude: number, readonly longitude: number, readonly address: string | null } | null, readonly dropoff: { readonly latitude: number, readonly longitude: number, readonly address: string | null } | null } }
    | { readonly __typename: 'TripNotOpen', readonly status: TripStatus, readonly message: string, readonly tripId: Tsid }
   };

export type CancelTripMutationVariables = Exact<{
  input: CancelTripInput;
}>;


export type CancelTripMutation = { readonly cancelTrip:
    | { readonly __typename: 'TripCancelled', readonly trip: { readonly id: Tsid, readonly status: TripStatus, readonly revision: number, readonly riderId: Tsid | null, readonly driverId: Tsid | null, readonly offerEpoch: number, readonly offerExpiresAt: string, readonly requestedAt: string, readonly offerAt: string | null, readonly acceptedAt: string | null, readonly arrivedAt: string | null, readonly startedAt: string | null, readonly endedAt: string | null, readonly cancelReason: TripCancelReason | null, readonly pickup: { readonly latitude: number, readonly longitude: number, readonly address: string | null } | null, readonly dropoff: { readonly latitude: number, readonly longitude: number, readonly address: string | null } | null } }
    | { readonly __typename: 'TripNotOpen', readonly status: TripStatus, readonly message: string, readonly tripId: Tsid }
    | { readonly __typename: 'TripRedispatched', readonly trip: { readonly id: Tsid, readonly status: TripStatus, readonly revision: number, readonly riderId: Tsid | null, readonly driverId: Tsid | null, readonly offerEpoch: number, readonly offerExpiresAt: string, readonly requestedAt: string, readonly offerAt: string | null, readonly acceptedAt: string | null, readonly arrivedAt: string | null, readonly startedAt: string | null, readonly endedAt: string | null, readonly cancelReason: TripCancelReason | null, readonly pickup: { readonly latitude: number, readonly longitude: number, readonly address: string | null } | null, readonly dropoff: { readonly latitude: number, readonly longitude: number, readonly address: string | null } | null } }
   };

export type TripQueryVariables = Exact<{
  id: Tsid;
}>;


export type TripQuery = { readonly trip: { readonly id: Tsid, readonly status: TripStatus, readonly revision: number, readonly riderId: Tsid | null, readonly driverId: Tsid | null, readonly offerEpoch: number, readonly offerExpiresAt: string, readonly requestedAt: string, readonly offerAt: string | null, readonly acceptedAt: string | null, readonly arrivedAt: string | null, readonly startedAt: string | null, readonly endedAt: string | null, readonly cancelReason: TripCancelReason | null, readonly pickup: { readonly latitude: number, readonly longitude: number, readonly address: string | null } | null, readonly dropoff: { readonly latitude: number, readonly longitude: number, readonly address: string | null } | null } | null };

export type TripsQueryVariables = Exact<{
  filter?: TripFilter | null | undefined;
  first?: number;
  after?: string | null | undefined;
}>;


export type TripsQuery = { readonly trips: { readonly edges: ReadonlyArray<{ readonly cursor: string, readonly node: { readonly id: Tsid, readonly status: TripStatus, readonly revision: number, readonly riderId: Tsid | null, readonly driverId: Tsid | null, readonly offerEpoch: number, readonly offerExpiresAt: string, readonly requestedAt: string, readonly offerAt: string | null, readonly acceptedAt: string | null, readonly arrivedAt: string | null, readonly startedAt: string | null, readonly endedAt: string | null, readonly cancelReason: TripCancelReason | null, readonly pickup: { readonly latitude: number, readonly longitude: number, readonly address: string | null } | null, readonly dropoff: { readonly latitude: number, readonly longitude: number, readonly address: string | null } | null } }>, readonly pageInfo: { readonly hasNextPage: boolean, readonly endCursor: string | null } } };

export type TripHistoryQueryVariables = Exact<{
  tripId: Tsid;
  afterRevision?: number;
  first?: number;
}>;


export type TripHistoryQuery = { readonly tripHistory: ReadonlyArray<{ readonly id: string, readonly tripId: Tsid, readonly type: TripEventType, readonly status: TripStatus, readonly revision: number, readonly offerEpoch: number, readonly driverId: Tsid | null, readonly reason: TripCancelReason | null, readonly occurredAt: string }> };

export type TripAttemptsQueryVariables = Exact<{
  tripId: Tsid;
}>;


export type TripAttemptsQuery = { readonly tripAttempts: ReadonlyArray<{ readonly offerEpoch: number, readonly outcome: string, readonly count: number }> };

export type TripUpdatedSubscriptionVariables = Exact<{
  tripId: Tsid;
  afterRevision: number;
}>;


export type TripUpdatedSubscription = { readonly tripUpdated: { readonly id: string, readonly tripId: Tsid, readonly type: TripEventType, readonly status: TripStatus, readonly revision: number, readonly offerEpoch: number, readonly driverId: Tsid | null, readonly reason: TripCancelReason | null, readonly occurredAt: string } };

export type TripOfferedSubscriptionVariables = Exact<{ [key: string]: never; }>;


export type TripOfferedSubscription = { readonly tripOffered: { readonly id: string, readonly tripId: Tsid, readonly offerEpoch: number, readonly state: TripOfferState, readonly expiresAt: string } };

export type UpdateDriverPositionMutationVariables = Exact<{
  input: UpdateDriverPositionInput;
}>;


export type UpdateDriverPositionMutation = { readonly updateDriverPosition: { readonly countsForMs: number } };

export type ReportArrivalMutationVariables = Exact<{
  input: TripInput;
}>;


export type ReportArrivalMutation = { readonly reportArrival:
    | { readonly __typename: 'DriverArrived', readonly trip: { readonly id: Tsid, readonly status: TripStatus, readonly revision: number, readonly riderId: Tsid | null, readonly driverId: Tsid | null, readonly offerEpoch: number, readonly offerExpiresAt: string, readonly requestedAt: string, readonly offerAt: string | null, readonly acceptedAt: string | null, readonly arrivedAt: string | null, readonly startedAt: string | null, readonly endedAt: string | null, readonly cancelReason: TripCancelReason | null, readonly pickup: { readonly latitude: number, readonly longitude: number, readonly address: string | null } | null, readonly dropoff: { readonly latitude: number, readonly longitude: number, readonly address: string | null } | null } }
    | { readonly __typename: 'TripNotOpen', readonly status: TripStatus, readonly message: string, readonly tripId: Tsid }
   };

export type ReportNoShowMutationVariables = Exact<{
  input: TripInput;
}>;


export type ReportNoShowMutation = { readonly reportNoShow:
    | { readonly __typename: 'NoShowTooEarly', readonly allowedAt: string | null, readonly message: string, readonly tripId: Tsid }
    | { readonly __typename: 'TripCancelled', readonly trip: { readonly id: Tsid, readonly status: TripStatus, readonly revision: number, readonly riderId: Tsid | null, readonly driverId: Tsid | null, readonly offerEpoch: number, readonly offerExpiresAt: string, readonly requestedAt: string, readonly offerAt: string | null, readonly acceptedAt: string | null, readonly arrivedAt: string | null, readonly startedAt: string | null, readonly endedAt: string | null, readonly cancelReason: TripCancelReason | null, readonly pickup: { readonly latitude: number, readonly longitude: number, readonly address: string | null } | null, readonly dropoff: { readonly latitude: number, readonly longitude: number, readonly address: string | null } | null } }
    | { readonly __typename: 'TripNotOpen', readonly status: TripStatus, readonly message: string, readonly tripId: Tsid }
   };
