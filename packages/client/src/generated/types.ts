// Written by scripts/generate.mjs; change operations/*.graphql and run `pnpm generate`.
import type { JsonObject, Tsid } from '../contract/scalars.js';

/** Internal type. DO NOT USE DIRECTLY. */
type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };
/** Internal type. DO NOT USE DIRECTLY. */
export type Incremental<T> = T | { [P in keyof T]?: P extends ' $fragmentName' | '__typename' ? T[P] : never };
/** Identifies a counter that is below numbers already issued. */
export type AcceptCounterRegressionInput = {
  /** Business date; it determines the period. Default: today in the time zone of the series. */
  readonly date?: string | null | undefined;
  /** Code of the discipline. Required (UNKNOWN_CODE) if the series counts by discipline without a code for none. */
  readonly disciplineCode?: string | null | undefined;
  /** Codes of further tokens. The series counts by its dimensions; the format prints what it names. */
  readonly fields?: ReadonlyArray<DocumentCodeInput> | null | undefined;
  /** Code of the organization the document comes from. */
  readonly organizationCode: string;
  /** Allows a date in an earlier or later period, which must be open. */
  readonly otherPeriod?: boolean;
  /** Code of the project, which is the number space. */
  readonly projectCode: string;
  /** Why those numbers are void, 1 to 1,000 characters. */
  readonly reason: string;
  /** Code of the receiving organization; printed by {RECIPIENT}. */
  readonly recipientCode?: string | null | undefined;
  /** Code of the document type. */
  readonly typeCode: string;
};

/** A driver's answer to an offer. */
export type AnswerOfferInput = {
  /** Epoch of the offer that the driver saw. */
  readonly offerEpoch: number;
  /** ID of the offered trip. */
  readonly tripId: Tsid;
};

/** Request for one chosen number. */
export type AssignDocumentNumberInput = {
  /** Business date; it determines the period. Default: today in the time zone of the series. */
  readonly date?: string | null | undefined;
  /** Code of the discipline. Required (UNKNOWN_CODE) if the series counts by discipline without a code for none. */
  readonly disciplineCode?: string | null | undefined;
  /** Codes of further tokens. The series counts by its dimensions; the format prints what it names. */
  readonly fields?: ReadonlyArray<DocumentCodeInput> | null | undefined;
  /** Code of the organization the document comes from. */
  readonly organizationCode: string;
  /** Allows a date in an earlier or later period, which must be open. */
  readonly otherPeriod?: boolean;
  /** Code of the project, which is the number space. */
  readonly projectCode: string;
  /** Reason, 1 to 1,000 characters. */
  readonly reason: string;
  /** Code of the receiving organization; printed by {RECIPIENT}. */
  readonly recipientCode?: string | null | undefined;
  /** Sequence to assign: above the counter (the numbers in between are recorded as cancelled), or in the manual interval of the series. */
  readonly sequence: number;
  /** Code of the document type. */
  readonly typeCode: string;
};

/** Blocks a series, temporarily or permanently. */
export type BlockDocumentSeriesInput = {
  /** Code of the project. */
  readonly projectCode: string;
  /** Reason, such as "replaced by RFI"; shown to callers who request a number. 1 to 1,000 characters. */
  readonly reason: string;
  /** Code of the document type. */
  readonly typeCode: string;
};

/** Widens or extends the offer of a trip that is looking for a driver. */
export type BroadcastTripInput = {
  /** Epoch of the offer. */
  readonly offerEpoch: number;
  /** Minimum time that the offer lasts from now, in milliseconds, 1 to 3,600,000. Default: that of the trip. */
  readonly offerTtlMs?: number | null | undefined;
  /** Drivers to add, 1 to 500. Default: every driver. */
  readonly offeredTo?: ReadonlyArray<Tsid> | null | undefined;
  /** ID of the trip. */
  readonly tripId: Tsid;
};

/** A reservation to cancel; its number stays in the ledger as CANCELLED. */
export type CancelDocumentNumberInput = {
  /** Reason, 1 to 1,000 characters. */
  readonly reason: string;
  /** Secret returned by `reserveDocumentNumber`. */
  readonly token: string;
};

/** Cancels a trip, or leaves it as its driver. */
export type CancelTripInput = {
  /** As whom the caller acts; needed only with several roles. Default: their part in the trip, DISPATCHER for an administrator who has none. */
  readonly as?: TripPart | null | undefined;
  /** Reason; it must fit the part of the caller. A dispatcher gives none. */
  readonly reason?: TripCancelReason | null | undefined;
  /** ID of the trip. */
  readonly tripId: Tsid;
};

/** A template to check for a document type that already has a series. */
export type CheckDocumentNumberFormatInput = {
  /** What happens to numbers that do not fit the width of {SEQ:n}. */
  readonly overflow?: WidthOverflow;
  /** Code of the project. */
  readonly projectCode: string;
  /** Template, such as {ORG}-{TYPE}-{DISCIPLINE}-{YEAR}-{SEQ:4}. It must include the dimensions of the series and its period. */
  readonly template: string;
  /** Code of the document type. */
  readonly typeCode: string;
  /** First business date it applies to. Default: today; the first version applies to any date. */
  readonly validFrom?: string | null | undefined;
};

/** Code and display name of a new entry. */
export type CodedRowInput = {
  /** Unique code: 1 to 20 letters, digits, dots or underscores, in one script. It can never be changed. */
  readonly code: string;
  /** Display name, 1 to 200 characters. */
  readonly name: string;
};

/** A reservation to confirm. */
export type ConfirmDocumentNumberInput = {
  /** Secret returned by `reserveDocumentNumber`. */
  readonly token: string;
};

/** Conditions, combined with AND. */
export type CorrespondenceFilter = {
  /** Code of one project. Default: all projects the caller can access. Required (PROJECT_NEEDED) if the token names several, or with several databases. */
  readonly projectCode?: string | null | undefined;
  /** Code of one document type. */
  readonly typeCode?: string | null | undefined;
};

/** When a counter restarts at its first number. */
export type CounterReset =
  /** Every day. */
  | 'DAY'
  /** Every fiscal year. */
  | 'FISCAL_YEAR'
  /** Every month. */
  | 'MONTH'
  /** Never. */
  | 'NEVER'
  /** Every calendar quarter. */
  | 'QUARTER'
  /** Every ISO 8601 week, in the ISO week-numbering year. */
  | 'WEEK'
  /** Every calendar year. */
  | 'YEAR';

/** A new document and the series that numbers it. */
export type CreateCorrespondenceInput = {
  /** Body text, up to 20,000 characters. */
  readonly body?: string;
  /** Business date; it determines the period. Default: today in the time zone of the series. */
  readonly date?: string | null | undefined;
  /** Code of the discipline. Required (UNKNOWN_CODE) if the series counts by discipline without a code for none. */
  readonly disciplineCode?: string | null | undefined;
  /** Codes of further tokens. The series counts by its dimensions; the format prints what it names. */
  readonly fields?: ReadonlyArray<DocumentCodeInput> | null | undefined;
  /** Idempotency key, 1 to 200 characters: a retry with the same key returns the same document. */
  readonly idempotencyKey?: string | null | undefined;
  /** Code of the organization the document comes from. */
  readonly organizationCode: string;
  /** Allows a date in an earlier or later period, which must be open. */
  readonly otherPeriod?: boolean;
  /** Code of the project, which is the number space. */
  readonly projectCode: string;
  /** Code of the receiving organization; printed by {RECIPIENT}. */
  readonly recipientCode?: string | null | undefined;
  /** Subject line, 1 to 500 characters. */
  readonly subject: string;
  /** Code of the document type. */
  readonly typeCode: string;
};

/** Defines the series of a document type, or changes the rules that can change. */
export type DefineDocumentSeriesInput = {
  /** Code that an authority assigned to the series or its range, such as a Portuguese validation code; printed by {AUTHORITY}. Up to 20 characters. Default: none. */
  readonly authorityCode?: string | null | undefined;
  /** Last number of every counter, such as the end of an authorized range. Default: limited by the format only. */
  readonly endAt?: number | null | undefined;
  /** Revision that the change is based on; refused (SERIES_CHANGED) if the series has changed since. Default: the current revision. */
  readonly expectedRevision?: number | null | undefined;
  /** Sequences that only `assignDocumentNumber` can issue. Default: none. */
  readonly manualInterval?: NumberIntervalInput | null | undefined;
  /** Code of the project. */
  readonly projectCode: string;
  /** Rules for its counters. */
  readonly rules: SeriesRulesInput;
  /** First number of every counter. Default: 1. */
  readonly startAt?: number | null | undefined;
  /** Code of the document type. */
  readonly typeCode: string;
};

/** The code of a token, such as A for REVISION. */
export type DocumentCodeInput = {
  /** Code that it prints: 1 to 20 letters, digits, dots or underscores, in one script. */
  readonly code: string;
  /** Name of the token, such as SUB_TYPE, REVISION, or one of NUMBER_TOKENS. */
  readonly token: string;
};

/** Identifies one number; give exactly one field. */
export type DocumentNumberBy =
  {   /** ID of its ledger row. */
  readonly id: Tsid; readonly number?: never; }
  |  { readonly id?: never;   /** Its text and its project. */
  readonly number: DocumentNumberText; };

/** Conditions, combined with AND. */
export type DocumentNumberCounterFilter = {
  /** Period, such as 2026. */
  readonly period?: string | null | undefined;
  /** Code of one project. Default: all projects the caller can access. Required (PROJECT_NEEDED) if the token names several, or with several databases. */
  readonly projectCode?: string | null | undefined;
  /** Code of one document type. */
  readonly typeCode?: string | null | undefined;
};

/** Conditions, combined with AND. */
export type DocumentNumberEventFilter = {
  /** Only events of this number, as printed. */
  readonly number?: string | null | undefined;
  /** Code of one project. Default: all projects the caller can access. Required (PROJECT_NEEDED) if the token names several, or with several databases. */
  readonly projectCode?: string | null | undefined;
};

/** Type of an audit event. */
export type DocumentNumberEventType =
  /** The default format of a project was saved. */
  | 'DEFAULT_FORMAT_SAVED'
  /** A version of a format was saved. */
  | 'FORMAT_SAVED'
  /** A version of a format was withdrawn. */
  | 'FORMAT_WITHDRAWN'
  /** Numbers of another system were imported. */
  | 'NUMBERS_IMPORTED'
  /** Numbers were recorded as cancelled. */
  | 'NUMBERS_SKIPPED'
  /** A chosen number was issued. */
  | 'NUMBER_ASSIGNED'
  /** A number was taken out of use. */
  | 'NUMBER_VOIDED'
  /** A counter below issued numbers was accepted as it is. */
  | 'REGRESSION_ACCEPTED'
  /** A reservation was cancelled, or expired. */
  | 'RESERVATION_CANCELLED'
  /** A reservation became an issued number. */
  | 'RESERVATION_CONFIRMED'
  /** The rules of a series were changed. */
  | 'SERIES_CHANGED'
  /** A series was defined. */
  | 'SERIES_DEFINED';

/** What happened to a number. */
export type DocumentNumberFactKind =
  /** Its reservation was cancelled, or has expired. */
  | 'CANCELLED'
  /** Its reservation was confirmed. */
  | 'CONFIRMED'
  /** It was drawn, assigned or imported. */
  | 'ISSUED'
  /** It was reserved. */
  | 'RESERVED'
  /** It was recorded as never used. */
  | 'SKIPPED'
  /** It was taken out of use, perhaps replaced. */
  | 'VOIDED';

/** Conditions, combined with AND. */
export type DocumentNumberFilter = {
  /** Only numbers issued or recorded by this actor: the subject of their token. */
  readonly actorId?: string | number | null | undefined;
  /** Earliest business date, inclusive. */
  readonly dateFrom?: string | null | undefined;
  /** Latest business date, inclusive. */
  readonly dateTo?: string | null | undefined;
  /** Code of one discipline. */
  readonly disciplineCode?: string | null | undefined;
  /** Only numbers issued under this idempotency key. Keys are unique within a project, so give `projectCode` too. */
  readonly idempotencyKey?: string | null | undefined;
  /** Whether the counter that began last, and its last number, come first. Default: false, in the order of numbers or counters. */
  readonly newestFirst?: boolean | null | undefined;
  /** The number as printed. Without `projectCode`: in every project the caller can access, since each can print it. */
  readonly number?: string | null | undefined;
  /** Code of one organization. */
  readonly organizationCode?: string | null | undefined;
  /** Period, such as 2026. */
  readonly period?: string | null | undefined;
  /** Code of one project. Default: all projects the caller can access. Required (PROJECT_NEEDED) if the token names several, or with several databases. */
  readonly projectCode?: string | null | undefined;
  /** Only numbers with this status. */
  readonly status?: DocumentNumberStatus | null | undefined;
  /** Code of one document type. */
  readonly typeCode?: string | null | undefined;
};

/** Conditions, combined with AND. */
export type DocumentNumberFormatFilter = {
  /** Code of one project. Default: all projects the caller can access. Required (PROJECT_NEEDED) if the token names several, or with several databases. */
  readonly projectCode?: string | null | undefined;
  /** Code of one document type. */
  readonly typeCode?: string | null | undefined;
};

/** What a person remembers of a number, and other conditions, combined with AND. */
export type DocumentNumberSearchInput = {
  /** Only numbers issued or recorded by this actor: the subject of their token. */
  readonly actorId?: string | number | null | undefined;
  /** Earliest business date, inclusive. */
  readonly dateFrom?: string | null | undefined;
  /** Latest business date, inclusive. */
  readonly dateTo?: string | null | undefined;
  /** Code of one project. Default: every project the caller can access. */
  readonly projectCode?: string | null | undefined;
  /** Only numbers with this status. */
  readonly status?: DocumentNumberStatus | null | undefined;
  /** The beginning of the number, in any case, or its sequence, or the ID of its document: 1 to 100 characters. */
  readonly text: string;
};

/** Status of a document number. */
export type DocumentNumberStatus =
  /** Its reservation was cancelled or expired, or the number was skipped. */
  | 'CANCELLED'
  /** Issued by another system. */
  | 'IMPORTED'
  /** In use. */
  | 'ISSUED'
  /** Assigned by hand. */
  | 'MANUAL'
  /** Held by a reservation. */
  | 'RESERVED'
  /** Taken out of use, with a reason. */
  | 'VOID';

/** A number as printed, which is unique within its project. */
export type DocumentNumberText = {
  /** The number as printed, such as TEAM-RFA-STR-2026-0001. */
  readonly number: string;
  /** Code of the project. */
  readonly projectCode: string;
};

/** A token whose codes have counters of their own within a series. */
export type DocumentSeriesDimensionInput = {
  /** Code that is printed and counted if a request has none, such as GEN. Null: every request needs a code. */
  readonly none?: string | null | undefined;
  /** Name of the token, such as ORG, DISCIPLINE or SUB_TYPE. */
  readonly token: string;
};

/** Identifies a counter by master data codes; an unknown code is refused (UNKNOWN_CODE). */
export type DocumentSeriesInput = {
  /** Business date; it determines the period. Default: today in the time zone of the series. */
  readonly date?: string | null | undefined;
  /** Code of the discipline. Required (UNKNOWN_CODE) if the series counts by discipline without a code for none. */
  readonly disciplineCode?: string | null | undefined;
  /** Codes of further tokens. The series counts by its dimensions; the format prints what it names. */
  readonly fields?: ReadonlyArray<DocumentCodeInput> | null | undefined;
  /** Code of the organization the document comes from. */
  readonly organizationCode: string;
  /** Allows a date in an earlier or later period, which must be open. */
  readonly otherPeriod?: boolean;
  /** Code of the project, which is the number space. */
  readonly projectCode: string;
  /** Code of the receiving organization; printed by {RECIPIENT}. */
  readonly recipientCode?: string | null | undefined;
  /** Code of the document type. */
  readonly typeCode: string;
};

/** Identifies the series of a document type. */
export type DocumentTypeInput = {
  /** Code of the project. */
  readonly projectCode: string;
  /** Code of the document type. */
  readonly typeCode: string;
};

/** Which calendar year a fiscal year is named after. */
export type FiscalYearName =
  /** The year it ends in. */
  | 'END'
  /** The year it starts in. */
  | 'START';

/** Whether a process can mint IDs on a node. */
export type FleetNodeState =
  /** Not held; the next process that starts can get it. */
  | 'FREE'
  /** A process mints on it, or was granted it and its window has not ended. */
  | 'HELD'
  /** Not held as far as is known, but the store of its lease might have lost data, or does not answer: it is not granted yet. */
  | 'QUARANTINED';

/** Numbers to import. Either all rows are stored or none; counters only increase. */
export type ImportDocumentNumbersInput = {
  /** Check and count without storing anything. */
  readonly dryRun?: boolean;
  /** Code of the project the numbers belong to. */
  readonly projectCode: string;
  /** Reason, kept in the ledger. */
  readonly reason?: string | null | undefined;
  /** Record numbers missing from the rows as cancelled. Otherwise, the import is refused if there is a hole. */
  readonly recordHoles?: boolean;
  /** The numbers, 1 to 1,000 rows. */
  readonly rows: ReadonlyArray<ImportedNumberInput>;
};

/** A number issued by another system. */
export type ImportedNumberInput = {
  /** Business date. */
  readonly date: string;
  /** Code of the discipline. */
  readonly disciplineCode?: string | null | undefined;
  /** Codes of further tokens. */
  readonly fields?: ReadonlyArray<DocumentCodeInput> | null | undefined;
  /** The number as printed. Default: as the format valid on the date prints it. */
  readonly number?: string | null | undefined;
  /** Code of the organization the document comes from. */
  readonly organizationCode: string;
  /** Code of the receiving organization. */
  readonly recipientCode?: string | null | undefined;
  /** Position in its counter. */
  readonly sequence: number;
  /** Code of the document type. */
  readonly typeCode: string;
};

/** Request for the next number of a series. */
export type IssueDocumentNumberInput = {
  /** Business date; it determines the period. Default: today in the time zone of the series. */
  readonly date?: string | null | undefined;
  /** Code of the discipline. Required (UNKNOWN_CODE) if the series counts by discipline without a code for none. */
  readonly disciplineCode?: string | null | undefined;
  /** Codes of further tokens. The series counts by its dimensions; the format prints what it names. */
  readonly fields?: ReadonlyArray<DocumentCodeInput> | null | undefined;
  /** Idempotency key, 1 to 200 characters: a retry with the same key and content returns the same number, even after a lost response. */
  readonly idempotencyKey?: string | null | undefined;
  /** Code of the organization the document comes from. */
  readonly organizationCode: string;
  /** Allows a date in an earlier or later period, which must be open. */
  readonly otherPeriod?: boolean;
  /** Code of the project, which is the number space. */
  readonly projectCode: string;
  /** Reason, kept in the ledger. Up to 1,000 characters. */
  readonly reason?: string | null | undefined;
  /** Code of the receiving organization; printed by {RECIPIENT}. */
  readonly recipientCode?: string | null | undefined;
  /** Code of the document type. */
  readonly typeCode: string;
};

/** Request for consecutive numbers of one series. */
export type IssueDocumentNumbersInput = {
  /** How many numbers, 1 to 1,000. */
  readonly count: number;
  /** Business date; it determines the period. Default: today in the time zone of the series. */
  readonly date?: string | null | undefined;
  /** Code of the discipline. Required (UNKNOWN_CODE) if the series counts by discipline without a code for none. */
  readonly disciplineCode?: string | null | undefined;
  /** Codes of further tokens. The series counts by its dimensions; the format prints what it names. */
  readonly fields?: ReadonlyArray<DocumentCodeInput> | null | undefined;
  /** Idempotency key, 1 to 200 characters: a retry with the same key and content returns the same number, even after a lost response. */
  readonly idempotencyKey?: string | null | undefined;
  /** Code of the organization the document comes from. */
  readonly organizationCode: string;
  /** Allows a date in an earlier or later period, which must be open. */
  readonly otherPeriod?: boolean;
  /** Code of the project, which is the number space. */
  readonly projectCode: string;
  /** Reason, kept in the ledger. Up to 1,000 characters. */
  readonly reason?: string | null | undefined;
  /** Code of the receiving organization; printed by {RECIPIENT}. */
  readonly recipientCode?: string | null | undefined;
  /** Code of the document type. */
  readonly typeCode: string;
};

/** Kind of finding. */
export type LedgerFindingKind =
  /** `count` overdue reservations were cancelled by this call. */
  | 'EXPIRED_RESERVATIONS'
  /** Numbers from `first` to `last` are missing from the ledger. */
  | 'HOLE'
  /** Redis did not respond: `count` counters were not compared with their high-water marks. */
  | 'MARKS_UNREAD'
  /** The counter is at `lastNumber`, below `highWaterMark`, which was already issued. */
  | 'REGRESSION'
  /** `count` numbers older than `unattachedAfterMs` have no document; `example` is one of them. */
  | 'UNATTACHED'
  /** `count` numbers are void without reason, actor and time of that, or have them without being void; `example` is one. */
  | 'VOID_MISMATCH'
  /** At least 90% of the width of the current format is used; `widthUsed` has the share. */
  | 'WIDTH';

/** Why an offer is not open to a driver. */
export type NotOfferedReason =
  /** The driver left this trip earlier. */
  | 'EXCLUDED'
  /** The offer is for other drivers. */
  | 'NOT_LISTED'
  /** There was never an offer with this epoch. */
  | 'NO_SUCH_OFFER'
  /** The driver rejected this offer. */
  | 'REJECTED';

/** How other processes were excluded while a number was issued. */
export type NumberGuard =
  /** By a Redis lock in front of the version check. */
  | 'REDIS_AND_VERSION'
  /** By the lock on the counter row alone, as when Redis is unavailable. */
  | 'ROW';

/** Sequences that only `assignDocumentNumber` can issue, both ends included. */
export type NumberIntervalInput = {
  /** Lowest sequence. */
  readonly first: number;
  /** Highest sequence. */
  readonly last: number;
};

/** Place where a trip starts or ends, in degrees (WGS 84). */
export type PlaceInput = {
  /** Human-readable address, 1 to 200 characters. */
  readonly address?: string | null | undefined;
  /** Latitude, -90 to 90. */
  readonly latitude: number;
  /** Longitude, -180 to 180. */
  readonly longitude: number;
};

/** What callers can count on. */
export type PromiseName =
  /** Subscriptions to what is new: tripOffered, documentNumberIssued. */
  | 'ANNOUNCEMENTS'
  /** New IDs: generateTsids, createCorrespondence, master data, trips requested without a `tripId`. */
  | 'IDS'
  /** Document numbers: issue, reserve, confirm, cancel, void, replace. */
  | 'NUMBERS'
  /** Driver positions, and offers to the nearest drivers first. */
  | 'POSITIONS'
  /** Rate limits across gateways. */
  | 'RATE_LIMITS'
  /** Trips: request, accept, start, complete, cancel. */
  | 'TRIPS'
  /** Subscriptions to one trip: tripUpdated. */
  | 'TRIP_UPDATES';

/** Which part of the ledger to check. */
export type ReconcileDocumentNumbersInput = {
  /** Code of one project. Default: every project. Required with several databases (PROJECT_NEEDED). */
  readonly projectCode?: string | null | undefined;
  /** Code of one document type. Default: every document type. */
  readonly typeCode?: string | null | undefined;
  /** Also report numbers without a document that are older than this, in milliseconds, up to 3,155,760,000,000 (a hundred years). Default: they are not checked. */
  readonly unattachedAfterMs?: number | null | undefined;
};

/** An entry, and its new display name. */
export type RenameInput = {
  /** Code of the entry. */
  readonly code: string;
  /** Display name, 1 to 200 characters. Other gateways show the previous one for up to a minute. */
  readonly name: string;
};

/** A number to take out of use, and the request for its replacement. */
export type ReplaceDocumentNumberInput = {
  /** The number to take out of use, as printed. */
  readonly number: string;
  /** Reason, 1 to 1,000 characters. */
  readonly reason: string;
  /** Request for the replacement, project included. */
  readonly replacement: IssueDocumentNumberInput;
};

/** Pickup and destination of a trip, and who it is offered to. */
export type RequestTripInput = {
  /** Destination. */
  readonly dropoff?: PlaceInput | null | undefined;
  /** Idempotency key, 1 to 200 characters: a retry with the same key returns the same trip. */
  readonly idempotencyKey?: string | null | undefined;
  /** Whether to offer it to the nearest drivers first, and to more of them until one accepts; requires `pickup`. While positions are unavailable, the trip waits, and the search is repeated every second. Default: false. */
  readonly nearestFirst?: boolean | null | undefined;
  /** When it is first offered, up to 30 days ahead. Default: now. */
  readonly offerAt?: string | null | undefined;
  /** How long each offer lasts, in milliseconds, 1 to 3,600,000. Default: 15,000. */
  readonly offerTtlMs?: number | null | undefined;
  /** Drivers the offer reaches, 1 to 500. Default: every driver. */
  readonly offeredTo?: ReadonlyArray<Tsid> | null | undefined;
  /** Pickup place. */
  readonly pickup?: PlaceInput | null | undefined;
  /** Region that dispatches the trip, if there are several; refused if unknown (UNKNOWN_REGION). Default: the first. */
  readonly region?: string | null | undefined;
  /** ID from `generateTsids`, so that a retry requests the same trip. Default: a new ID. */
  readonly tripId?: Tsid | null | undefined;
};

/** Request to reserve the next number of a series. */
export type ReserveDocumentNumberInput = {
  /** Business date; it determines the period. Default: today in the time zone of the series. */
  readonly date?: string | null | undefined;
  /** Code of the discipline. Required (UNKNOWN_CODE) if the series counts by discipline without a code for none. */
  readonly disciplineCode?: string | null | undefined;
  /** Codes of further tokens. The series counts by its dimensions; the format prints what it names. */
  readonly fields?: ReadonlyArray<DocumentCodeInput> | null | undefined;
  /** How long to hold the number, in milliseconds, at least 1,000. Default: 300,000 (five minutes). */
  readonly holdMs?: number | null | undefined;
  /** Idempotency key, 1 to 200 characters: a retry with the same key and content returns the same number, even after a lost response. */
  readonly idempotencyKey?: string | null | undefined;
  /** Code of the organization the document comes from. */
  readonly organizationCode: string;
  /** Allows a date in an earlier or later period, which must be open. */
  readonly otherPeriod?: boolean;
  /** Code of the project, which is the number space. */
  readonly projectCode: string;
  /** Reason, kept in the ledger. Up to 1,000 characters. */
  readonly reason?: string | null | undefined;
  /** Code of the receiving organization; printed by {RECIPIENT}. */
  readonly recipientCode?: string | null | undefined;
  /** Code of the document type. */
  readonly typeCode: string;
};

/** Default template for the series of a project that have no format of their own. */
export type SaveDefaultDocumentNumberFormatInput = {
  /** What happens to numbers that do not fit the width of {SEQ:n}. */
  readonly overflow?: WidthOverflow;
  /** Code of the project. */
  readonly projectCode: string;
  /** Template, such as {ORG}-{TYPE}-{DISCIPLINE}-{YEAR}-{SEQ:4}. It must include the dimensions of the series and its period. */
  readonly template: string;
};

/** The next version of a format. Existing counters and numbers do not change. */
export type SaveDocumentNumberFormatInput = {
  /** What the format is for, 1 to 1,000 characters. Default: none for a new version. */
  readonly description?: string | null | undefined;
  /** What happens to numbers that do not fit the width of {SEQ:n}. */
  readonly overflow?: WidthOverflow;
  /** Code of the project. */
  readonly projectCode: string;
  /** Rules for its counters. Default: unchanged; for a new series, a yearly reset in Asia/Bangkok. */
  readonly rules?: SeriesRulesInput | null | undefined;
  /** Template, such as {ORG}-{TYPE}-{DISCIPLINE}-{YEAR}-{SEQ:4}. It must include the dimensions of the series and its period. */
  readonly template: string;
  /** Code of the document type. */
  readonly typeCode: string;
  /** First business date it applies to. Default: today; the first version applies to any date. */
  readonly validFrom?: string | null | undefined;
};

/** Rules for the counters of a document type. Once a number has been issued, only `dateOrder`, `closedUntil` and `openUntil` can change. */
export type SeriesRulesInput = {
  /** Dates up to and including this one are closed; null: none. */
  readonly closedUntil?: string | null | undefined;
  /** Refuse a business date earlier than the last one of the counter (DATE_ORDER). */
  readonly dateOrder?: boolean;
  /** Tokens whose codes have counters of their own; every format must show them all. Default: unchanged; for a new series, ORG and DISCIPLINE. */
  readonly dimensions?: ReadonlyArray<DocumentSeriesDimensionInput> | null | undefined;
  /** First month of the fiscal year, 1 to 12. */
  readonly fiscalStartMonth?: number;
  /** Which calendar year a fiscal year is named after. */
  readonly fiscalYearNamedBy?: FiscalYearName;
  /** Dates after this one are not open yet; null: no limit. */
  readonly openUntil?: string | null | undefined;
  /** When its counters restart at the first number. */
  readonly reset?: CounterReset;
  /** IANA time zone; it determines what "today" is. */
  readonly timeZone?: string;
};

/** Records numbers that will never be issued, such as those lost in a failover. */
export type SkipDocumentNumbersInput = {
  /** Business date; it determines the period. Default: today in the time zone of the series. */
  readonly date?: string | null | undefined;
  /** Code of the discipline. Required (UNKNOWN_CODE) if the series counts by discipline without a code for none. */
  readonly disciplineCode?: string | null | undefined;
  /** Codes of further tokens. The series counts by its dimensions; the format prints what it names. */
  readonly fields?: ReadonlyArray<DocumentCodeInput> | null | undefined;
  /** Code of the organization the document comes from. */
  readonly organizationCode: string;
  /** Allows a date in an earlier or later period, which must be open. */
  readonly otherPeriod?: boolean;
  /** Code of the project, which is the number space. */
  readonly projectCode: string;
  /** Reason, 1 to 1,000 characters. */
  readonly reason: string;
  /** Code of the receiving organization; printed by {RECIPIENT}. */
  readonly recipientCode?: string | null | undefined;
  /** Code of the document type. */
  readonly typeCode: string;
  /** Last number to record as cancelled, at most 100,000 above the counter. */
  readonly upTo: number;
};

/** What came of an attempt to accept an offer. */
export type TripAttemptOutcome =
  /** The driver got the trip. */
  | 'ACCEPTED'
  /** The driver had another active trip. */
  | 'DRIVER_BUSY'
  /** The offer was not for this driver. */
  | 'NOT_OFFERED'
  /** The status of the trip did not allow it. */
  | 'NOT_OPEN'
  /** The trip had been offered again since. */
  | 'STALE_OFFER'
  /** Another driver had it. */
  | 'TAKEN'
  /** Another driver was ahead, and nothing was decided yet. */
  | 'UNDECIDED';

/** Why a trip was cancelled, or why its driver left it. */
export type TripCancelReason =
  /** A dispatcher cancelled the trip. Set for them only. */
  | 'BY_DISPATCHER'
  /** The rider no longer wants the trip. */
  | 'CHANGED_PLANS'
  /** The driver asked the rider to cancel. */
  | 'DRIVER_ASKED'
  /** Any other reason; for riders and drivers. */
  | 'OTHER'
  /** The driver waited at the pickup, but the rider did not come. Set by `reportNoShow` only. */
  | 'RIDER_NO_SHOW'
  /** The driver cannot reach the rider. */
  | 'RIDER_UNREACHABLE'
  /** The trip is too far for the driver. */
  | 'TOO_FAR'
  /** The driver has a problem with the vehicle. */
  | 'VEHICLE_PROBLEM'
  /** The rider waited too long. */
  | 'WAITED_TOO_LONG';

/** Type of a trip event. */
export type TripEventType =
  /** The driver arrived at the pickup. */
  | 'DRIVER_ARRIVED'
  /** A driver accepted the trip. */
  | 'TRIP_ACCEPTED'
  /** The rider or a dispatcher cancelled the trip, or the rider never came. */
  | 'TRIP_CANCELLED'
  /** The driver completed the trip. */
  | 'TRIP_COMPLETED'
  /** No driver accepted in time. */
  | 'TRIP_EXPIRED'
  /** The offer reaches more drivers (added ones, or the next nearest), or lasts longer. */
  | 'TRIP_OFFERED'
  /** The trip lost its driver, or none accepted in time; it is offered again under the next epoch. */
  | 'TRIP_REDISPATCHED'
  /** A rider requested the trip; it is offered now, or at `offerAt`. */
  | 'TRIP_REQUESTED'
  /** The ride started, with the rider on board. */
  | 'TRIP_STARTED'
  /** The trip has no driver after all: drivers who got TripUndecided can try again. */
  | 'TRIP_STILL_OPEN';

/** Conditions, combined with AND. */
export type TripFilter = {
  /** Only trips in which the caller has this part. Default: DISPATCHER, which sees all trips, for administrators, else RIDER, else DRIVER. */
  readonly as?: TripPart | null | undefined;
  /** Only trips of this driver. For administrators. */
  readonly driverId?: Tsid | null | undefined;
  /** Only trips that are looking for a driver, the one whose offer ends first, first. Default: false, newest first. */
  readonly lateFirst?: boolean | null | undefined;
  /** Region whose database to list, with the trips of its other regions; the name of a database is a region, too. Required if there are several databases (REGION_NEEDED). */
  readonly region?: string | null | undefined;
  /** Only trips of this rider. For administrators. */
  readonly riderId?: Tsid | null | undefined;
  /** Only trips with this status. */
  readonly status?: TripStatus | null | undefined;
};

/** Identifies a trip. */
export type TripInput = {
  /** ID of the trip. */
  readonly tripId: Tsid;
};

/** Whether an offer can be accepted. */
export type TripOfferState =
  /** A driver has the trip, or it was cancelled or expired. */
  | 'GONE'
  /** Can be accepted with this epoch. */
  | 'OPEN';

/** The caller's part in a trip. */
export type TripPart =
  /** An administrator, who watches over all trips. */
  | 'DISPATCHER'
  /** The driver who has or had the trip. */
  | 'DRIVER'
  /** The person who requested the trip. */
  | 'RIDER';

/** Status of a trip. */
export type TripStatus =
  /** A driver has it and is on the way. */
  | 'ACCEPTED'
  /** Cancelled by the rider, or by the driver because the rider did not come. */
  | 'CANCELLED'
  /** Completed by the driver. */
  | 'COMPLETED'
  /** Ended because no driver accepted it in time. */
  | 'EXPIRED'
  /** Offered to drivers; none of them has it. */
  | 'FINDING'
  /** The driver has started the ride. */
  | 'IN_PROGRESS'
  /** Offered to drivers later, at `offerAt`. */
  | 'SCHEDULED';

/** Position of the calling driver, in degrees (WGS 84). */
export type UpdateDriverPositionInput = {
  /** Latitude, -85 to 85. */
  readonly latitude: number;
  /** Longitude, -180 to 180. */
  readonly longitude: number;
  /** When it was measured, by the clock of the device; an older position never replaces a newer one. Default: now. */
  readonly measuredAt?: string | null | undefined;
  /** Region of the trips to offer. Default: the home region. */
  readonly region?: string | null | undefined;
};

/** A number to take out of use; it is never issued again. */
export type VoidDocumentNumberInput = {
  /** The number as printed. */
  readonly number: string;
  /** Code of the project. */
  readonly projectCode: string;
  /** Reason, 1 to 1,000 characters. */
  readonly reason: string;
  /** An already issued number that takes its place. */
  readonly replacedBy?: string | null | undefined;
};

/** What happens to numbers that do not fit the width of {SEQ:n}. */
export type WidthOverflow =
  /** The number is refused. */
  | 'ERROR'
  /** The number is printed with more digits. */
  | 'WIDEN';

/** Identifies a format version that no number was printed with. */
export type WithdrawDocumentNumberFormatInput = {
  /** Code of the project. */
  readonly projectCode: string;
  /** Code of the document type. */
  readonly typeCode: string;
  /** Version of the format, from 1. */
  readonly version: number;
};

export type CorrespondenceFieldsFragment = { readonly id: Tsid, readonly documentNumber: string, readonly subject: string, readonly body: string, readonly createdAt: string, readonly createdBy: Tsid };

export type CreateCorrespondenceMutationVariables = Exact<{
  input: CreateCorrespondenceInput;
}>;


export type CreateCorrespondenceMutation = { readonly createCorrespondence:
    | (
      { readonly __typename: 'Correspondence' }
      & CorrespondenceFieldsFragment
    )
    | { readonly __typename: 'IdempotencyKeyReused', readonly message: string }
    | { readonly __typename: 'NumbersExhausted', readonly limit: number, readonly message: string }
    | { readonly __typename: 'PeriodClosed', readonly period: string, readonly message: string }
    | { readonly __typename: 'SeriesBlocked', readonly message: string, readonly blockedReason: string }
   };

export type CorrespondenceQueryVariables = Exact<{
  id: Tsid;
}>;


export type CorrespondenceQuery = { readonly correspondence: (
    { readonly project: { readonly id: Tsid, readonly code: string, readonly name: string } | null, readonly type: { readonly id: Tsid, readonly code: string, readonly name: string } | null, readonly organization: { readonly id: Tsid, readonly code: string, readonly name: string } | null, readonly discipline: { readonly id: Tsid, readonly code: string, readonly name: string } | null }
    & CorrespondenceFieldsFragment
  ) | null };

export type CorrespondencesQueryVariables = Exact<{
  filter?: CorrespondenceFilter | null | undefined;
  first?: number;
  after?: string | null | undefined;
}>;


export type CorrespondencesQuery = { readonly correspondences: { readonly edges: ReadonlyArray<{ readonly cursor: string, readonly node: CorrespondenceFieldsFragment }>, readonly pageInfo: { readonly hasNextPage: boolean, readonly endCursor: string | null } } };

export type GenerateTsidsMutationVariables = Exact<{
  count?: number;
}>;


export type GenerateTsidsMutation = { readonly generateTsids: { readonly __typename: 'TsidsGenerated', readonly ids: ReadonlyArray<Tsid> } };

export type TsidQueryVariables = Exact<{
  id: Tsid;
}>;


export type TsidQuery = { readonly tsid: { readonly id: Tsid, readonly time: string, readonly node: number, readonly sequence: number, readonly base62: string, readonly crockford: string, readonly holder: { readonly holder: string, readonly heldFrom: string, readonly heldUntil: string } | null } };

export type NodeFleetQueryVariables = Exact<{
  state?: FleetNodeState | null | undefined;
}>;


export type NodeFleetQuery = { readonly nodeFleet: { readonly nodeCount: number, readonly heldNodeCount: number, readonly freeNodeCount: number, readonly quarantineLeftMs: number, readonly readAt: string, readonly nodes: ReadonlyArray<{ readonly node: number, readonly state: FleetNodeState, readonly holder: string | null, readonly isMine: boolean, readonly heldFrom: string | null, readonly heldUntil: string | null, readonly secondsLeft: number | null }> } };

export type DocumentNumberQueryVariables = Exact<{
  by: DocumentNumberBy;
}>;


export type DocumentNumberQuery = { readonly documentNumber: (
    { readonly actor: { readonly id: Tsid, readonly name: string } | null, readonly voidedBy: { readonly id: Tsid, readonly name: string } | null, readonly project: { readonly id: Tsid, readonly code: string, readonly name: string } | null, readonly correspondence: { readonly id: Tsid, readonly subject: string } | null }
    & DocumentNumberFieldsFragment
  ) | null };

export type DocumentNumbersQueryVariables = Exact<{
  filter?: DocumentNumberFilter | null | undefined;
  first?: number;
  after?: string | null | undefined;
}>;


export type DocumentNumbersQuery = { readonly documentNumbers: { readonly edges: ReadonlyArray<{ readonly cursor: string, readonly node: (
        { readonly project: { readonly id: Tsid, readonly code: string, readonly name: string } | null }
        & DocumentNumberFieldsFragment
      ) }>, readonly pageInfo: { readonly hasNextPage: boolean, readonly endCursor: string | null } } };

export type SearchDocumentNumbersQueryVariables = Exact<{
  search: DocumentNumberSearchInput;
  first?: number;
  skip?: number;
}>;


export type SearchDocumentNumbersQuery = { readonly searchDocumentNumbers: { readonly total: number, readonly isMore: boolean, readonly people: ReadonlyArray<{ readonly id: Tsid, readonly name: string }>, readonly numbers: ReadonlyArray<(
      { readonly project: { readonly id: Tsid, readonly code: string, readonly name: string } | null }
      & DocumentNumberFieldsFragment
    )> } };

export type DocumentNumberEventsQueryVariables = Exact<{
  filter?: DocumentNumberEventFilter | null | undefined;
  first?: number;
  after?: string | null | undefined;
}>;


export type DocumentNumberEventsQuery = { readonly documentNumberEvents: { readonly edges: ReadonlyArray<{ readonly cursor: string, readonly node: { readonly id: string, readonly type: DocumentNumberEventType, readonly number: string | null, readonly sequence: number | null, readonly actorId: string, readonly reason: string | null, readonly facts: JsonObject, readonly occurredAt: string, readonly actor: { readonly id: Tsid, readonly name: string } | null } }>, readonly pageInfo: { readonly hasNextPage: boolean, readonly endCursor: string | null } } };

export type ReconcileDocumentNumbersMutationVariables = Exact<{
  input: ReconcileDocumentNumbersInput;
}>;


export type ReconcileDocumentNumbersMutation = { readonly reconcileDocumentNumbers: { readonly __typename: 'DocumentNumbersReconciled', readonly findings: ReadonlyArray<{ readonly kind: LedgerFindingKind, readonly counter: string | null, readonly count: number | null, readonly example: string | null, readonly first: number | null, readonly last: number | null, readonly lastNumber: number | null, readonly highWaterMark: number | null, readonly widthUsed: number | null }> } };

export type DocumentNumberIssuedSubscriptionVariables = Exact<{
  projectCode?: string | null | undefined;
}>;


export type DocumentNumberIssuedSubscription = { readonly documentNumberIssued: DocumentNumberFieldsFragment };

export type DocumentNumberFactsSubscriptionVariables = Exact<{
  projectCode: string;
  typeCode: string;
  organizationCode?: string | null | undefined;
  disciplineCode?: string | null | undefined;
  dimensions?: ReadonlyArray<DocumentCodeInput> | DocumentCodeInput | null | undefined;
  period?: string | null | undefined;
  after?: string | null | undefined;
}>;


export type DocumentNumberFactsSubscription = { readonly documentNumberFacts: { readonly cursor: string, readonly facts: ReadonlyArray<{ readonly kind: DocumentNumberFactKind, readonly actorId: string, readonly reason: string | null, readonly replacedBy: string | null, readonly at: string, readonly number: DocumentNumberFieldsFragment }> } };

export type CreateProjectMutationVariables = Exact<{
  input: CodedRowInput;
}>;


export type CreateProjectMutation = { readonly createProject: { readonly __typename: 'Project', readonly id: Tsid, readonly code: string, readonly name: string } };

export type CreateOrganizationMutationVariables = Exact<{
  input: CodedRowInput;
}>;


export type CreateOrganizationMutation = { readonly createOrganization: { readonly __typename: 'Organization', readonly id: Tsid, readonly code: string, readonly name: string } };

export type CreateCorrespondenceTypeMutationVariables = Exact<{
  input: CodedRowInput;
}>;


export type CreateCorrespondenceTypeMutation = { readonly createCorrespondenceType: { readonly __typename: 'CorrespondenceType', readonly id: Tsid, readonly code: string, readonly name: string } };

export type CreateDisciplineMutationVariables = Exact<{
  input: CodedRowInput;
}>;


export type CreateDisciplineMutation = { readonly createDiscipline: { readonly __typename: 'Discipline', readonly id: Tsid, readonly code: string, readonly name: string } };

export type RenameProjectMutationVariables = Exact<{
  input: RenameInput;
}>;


export type RenameProjectMutation = { readonly renameProject: { readonly __typename: 'Project', readonly id: Tsid, readonly code: string, readonly name: string } };

export type RenameOrganizationMutationVariables = Exact<{
  input: RenameInput;
}>;


export type RenameOrganizationMutation = { readonly renameOrganization: { readonly __typename: 'Organization', readonly id: Tsid, readonly code: string, readonly name: string } };

export type RenameCorrespondenceTypeMutationVariables = Exact<{
  input: RenameInput;
}>;


export type RenameCorrespondenceTypeMutation = { readonly renameCorrespondenceType: { readonly __typename: 'CorrespondenceType', readonly id: Tsid, readonly code: string, readonly name: string } };

export type RenameDisciplineMutationVariables = Exact<{
  input: RenameInput;
}>;


export type RenameDisciplineMutation = { readonly renameDiscipline: { readonly __typename: 'Discipline', readonly id: Tsid, readonly code: string, readonly name: string } };

export type ProjectQueryVariables = Exact<{
  code: string;
}>;


export type ProjectQuery = { readonly project: { readonly id: Tsid, readonly code: string, readonly name: string } | null };

export type ProjectsQueryVariables = Exact<{
  first?: number;
  after?: string | null | undefined;
  codeStart?: string;
}>;


export type ProjectsQuery = { readonly projects: { readonly edges: ReadonlyArray<{ readonly cursor: string, readonly node: { readonly id: Tsid, readonly code: string, readonly name: string } }>, readonly pageInfo: { readonly hasNextPage: boolean, readonly endCursor: string | null } } };

export type OrganizationsQueryVariables = Exact<{
  first?: number;
  after?: string | null | undefined;
  codeStart?: string;
}>;


export type OrganizationsQuery = { readonly organizations: { readonly edges: ReadonlyArray<{ readonly cursor: string, readonly node: { readonly id: Tsid, readonly code: string, readonly name: string } }>, readonly pageInfo: { readonly hasNextPage: boolean, readonly endCursor: string | null } } };

export type CorrespondenceTypesQueryVariables = Exact<{
  first?: number;
  after?: string | null | undefined;
  codeStart?: string;
}>;


export type CorrespondenceTypesQuery = { readonly correspondenceTypes: { readonly edges: ReadonlyArray<{ readonly cursor: string, readonly node: { readonly id: Tsid, readonly code: string, readonly name: string } }>, readonly pageInfo: { readonly hasNextPage: boolean, readonly endCursor: string | null } } };

export type DisciplinesQueryVariables = Exact<{
  first?: number;
  after?: string | null | undefined;
  codeStart?: string;
}>;


export type DisciplinesQuery = { readonly disciplines: { readonly edges: ReadonlyArray<{ readonly cursor: string, readonly node: { readonly id: Tsid, readonly code: string, readonly name: string } }>, readonly pageInfo: { readonly hasNextPage: boolean, readonly endCursor: string | null } } };

export type DocumentNumberFieldsFragment = { readonly id: Tsid | null, readonly number: string, readonly sequence: number, readonly status: DocumentNumberStatus, readonly period: string, readonly date: string, readonly typeCode: string, readonly organizationCode: string | null, readonly disciplineCode: string | null, readonly formatVersion: number | null, readonly guard: NumberGuard | null, readonly retryCount: number | null, readonly waitedMs: number | null, readonly reason: string | null, readonly replacedBy: string | null, readonly voidReason: string | null, readonly voidedById: string | null, readonly voidedAt: string | null, readonly issuedAt: string | null, readonly actorId: string | null, readonly commitId: string | null, readonly expiresAt: string | null, readonly idempotencyKey: string | null };

type NumberRefusalFields_IdempotencyKeyReused_Fragment = { readonly message: string };

type NumberRefusalFields_NumbersExhausted_Fragment = { readonly limit: number, readonly message: string };

type NumberRefusalFields_PeriodClosed_Fragment = { readonly period: string, readonly message: string };

type NumberRefusalFields_SeriesBlocked_Fragment = { readonly message: string, readonly blockedReason: string };

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
    | (
      { readonly __typename: 'DocumentNumber' }
      & DocumentNumberFieldsFragment
    )
    | { readonly __typename: 'IdempotencyKeyReused', readonly message: string }
    | { readonly __typename: 'NumbersExhausted', readonly limit: number, readonly message: string }
    | { readonly __typename: 'PeriodClosed', readonly period: string, readonly message: string }
    | { readonly __typename: 'SeriesBlocked', readonly message: string, readonly blockedReason: string }
   };

export type IssueDocumentNumbersMutationVariables = Exact<{
  input: IssueDocumentNumbersInput;
}>;


export type IssueDocumentNumbersMutation = { readonly issueDocumentNumbers:
    | { readonly __typename: 'DocumentNumbersIssued', readonly documentNumbers: ReadonlyArray<DocumentNumberFieldsFragment> }
    | { readonly __typename: 'IdempotencyKeyReused', readonly message: string }
    | { readonly __typename: 'NumbersExhausted', readonly limit: number, readonly message: string }
    | { readonly __typename: 'PeriodClosed', readonly period: string, readonly message: string }
    | { readonly __typename: 'SeriesBlocked', readonly message: string, readonly blockedReason: string }
   };

export type ReserveDocumentNumberMutationVariables = Exact<{
  input: ReserveDocumentNumberInput;
}>;


export type ReserveDocumentNumberMutation = { readonly reserveDocumentNumber:
    | { readonly __typename: 'DocumentNumberReservation', readonly token: string, readonly expiresAt: string, readonly documentNumber: DocumentNumberFieldsFragment }
    | { readonly __typename: 'IdempotencyKeyReused', readonly message: string }
    | { readonly __typename: 'NumbersExhausted', readonly limit: number, readonly message: string }
    | { readonly __typename: 'PeriodClosed', readonly period: string, readonly message: string }
    | { readonly __typename: 'SeriesBlocked', readonly message: string, readonly blockedReason: string }
   };

export type ConfirmDocumentNumberMutationVariables = Exact<{
  input: ConfirmDocumentNumberInput;
}>;


export type ConfirmDocumentNumberMutation = { readonly confirmDocumentNumber: (
    { readonly __typename: 'DocumentNumber' }
    & DocumentNumberFieldsFragment
  ) };

export type CancelDocumentNumberMutationVariables = Exact<{
  input: CancelDocumentNumberInput;
}>;


export type CancelDocumentNumberMutation = { readonly cancelDocumentNumber: (
    { readonly __typename: 'DocumentNumber' }
    & DocumentNumberFieldsFragment
  ) };

export type VoidDocumentNumberMutationVariables = Exact<{
  input: VoidDocumentNumberInput;
}>;


export type VoidDocumentNumberMutation = { readonly voidDocumentNumber: (
    { readonly __typename: 'DocumentNumber' }
    & DocumentNumberFieldsFragment
  ) };

export type ReplaceDocumentNumberMutationVariables = Exact<{
  input: ReplaceDocumentNumberInput;
}>;


export type ReplaceDocumentNumberMutation = { readonly replaceDocumentNumber:
    | { readonly __typename: 'DocumentNumberReplaced', readonly voided: DocumentNumberFieldsFragment, readonly replacement: DocumentNumberFieldsFragment }
    | { readonly __typename: 'IdempotencyKeyReused', readonly message: string }
    | { readonly __typename: 'NumbersExhausted', readonly limit: number, readonly message: string }
    | { readonly __typename: 'PeriodClosed', readonly period: string, readonly message: string }
    | { readonly __typename: 'SeriesBlocked', readonly message: string, readonly blockedReason: string }
   };

export type AssignDocumentNumberMutationVariables = Exact<{
  input: AssignDocumentNumberInput;
}>;


export type AssignDocumentNumberMutation = { readonly assignDocumentNumber:
    | (
      { readonly __typename: 'DocumentNumber' }
      & DocumentNumberFieldsFragment
    )
    | { readonly __typename: 'IdempotencyKeyReused', readonly message: string }
    | { readonly __typename: 'NumbersExhausted', readonly limit: number, readonly message: string }
    | { readonly __typename: 'PeriodClosed', readonly period: string, readonly message: string }
    | { readonly __typename: 'SeriesBlocked', readonly message: string, readonly blockedReason: string }
   };

export type SkipDocumentNumbersMutationVariables = Exact<{
  input: SkipDocumentNumbersInput;
}>;


export type SkipDocumentNumbersMutation = { readonly skipDocumentNumbers: { readonly __typename: 'DocumentNumbersSkipped', readonly skippedCount: number } };

export type ImportDocumentNumbersMutationVariables = Exact<{
  input: ImportDocumentNumbersInput;
}>;


export type ImportDocumentNumbersMutation = { readonly importDocumentNumbers: { readonly __typename: 'ImportReport', readonly imported: boolean, readonly rowCount: number, readonly recordedHoleCount: number, readonly problemCount: number, readonly problems: ReadonlyArray<{ readonly code: string, readonly row: number | null, readonly message: string }> } };

export type OverviewQueryVariables = Exact<{ [key: string]: never; }>;


export type OverviewQuery = { readonly overview: { readonly process: string, readonly startedAt: string, readonly node: number | null, readonly leaseSecondsLeft: number | null, readonly idCount: number, readonly waitingMarkCount: number, readonly parts: ReadonlyArray<{ readonly name: string, readonly isUp: boolean, readonly awaySeconds: number }>, readonly outbox: { readonly waitingCount: number, readonly oldestSeconds: number } | null, readonly redisMemory: { readonly usedBytes: number, readonly maxBytes: number } | null, readonly databaseConnections: { readonly usedCount: number, readonly waitingCount: number }, readonly buckets: ReadonlyArray<{ readonly from: string, readonly seconds: number, readonly operationCount: number, readonly refusedCount: number, readonly failedCount: number, readonly idCount: number, readonly numberCount: number, readonly commitP50Ms: number | null, readonly commitP99Ms: number | null, readonly regressionCount: number, readonly acceptCount: number, readonly acceptP50Ms: number | null, readonly acceptP99Ms: number | null, readonly tripsWonCount: number }> } };

export type PromisesQueryVariables = Exact<{ [key: string]: never; }>;


export type PromisesQuery = { readonly promises: ReadonlyArray<{ readonly promise: PromiseName, readonly works: boolean, readonly until: string | null, readonly limits: ReadonlyArray<{ readonly part: string, readonly reason: string, readonly effect: string, readonly action: string, readonly alert: string }> }> };

export type DocumentNumberCountersQueryVariables = Exact<{
  filter?: DocumentNumberCounterFilter | null | undefined;
  first?: number;
  after?: string | null | undefined;
}>;


export type DocumentNumberCountersQuery = { readonly documentNumberCounters: { readonly edges: ReadonlyArray<{ readonly cursor: string, readonly node: { readonly id: string, readonly typeCode: string, readonly organizationCode: string | null, readonly disciplineCode: string | null, readonly period: string, readonly lastNumber: number, readonly widthUsed: number | null, readonly limit: number | null, readonly perDay: number | null, readonly fullOn: string | null, readonly version: number, readonly updatedAt: string, readonly dimensions: ReadonlyArray<{ readonly token: string, readonly code: string }>, readonly project: { readonly id: Tsid, readonly code: string } | null } }>, readonly pageInfo: { readonly hasNextPage: boolean, readonly endCursor: string | null } } };

export type DocumentSeriesFieldsFragment = { readonly id: string, readonly typeCode: string, readonly revision: number, readonly reset: CounterReset, readonly timeZone: string, readonly startAt: number, readonly dateOrder: boolean, readonly closedUntil: string | null, readonly openUntil: string | null, readonly fiscalStartMonth: number, readonly fiscalYearNamedBy: FiscalYearName, readonly endAt: number | null, readonly blockedReason: string | null, readonly authorityCode: string | null, readonly dimensions: ReadonlyArray<{ readonly token: string, readonly none: string | null }>, readonly manualInterval: { readonly first: number, readonly last: number } | null, readonly project: { readonly id: Tsid, readonly code: string } | null };

export type DocumentSeriesQueryVariables = Exact<{
  projectCode?: string | null | undefined;
  first?: number;
  after?: string | null | undefined;
}>;


export type DocumentSeriesQuery = { readonly documentSeries: { readonly edges: ReadonlyArray<{ readonly cursor: string, readonly node: DocumentSeriesFieldsFragment }>, readonly pageInfo: { readonly hasNextPage: boolean, readonly endCursor: string | null } } };

export type DefineDocumentSeriesMutationVariables = Exact<{
  input: DefineDocumentSeriesInput;
}>;


export type DefineDocumentSeriesMutation = { readonly defineDocumentSeries: (
    { readonly __typename: 'DocumentSeries' }
    & DocumentSeriesFieldsFragment
  ) };

export type DocumentNumberFormatFieldsFragment = { readonly version: number, readonly typeCode: string, readonly template: string, readonly description: string | null, readonly overflow: WidthOverflow, readonly validFrom: string | null, readonly validUntil: string | null, readonly createdAt: string, readonly project: { readonly id: Tsid, readonly code: string } | null };

export type DocumentNumberFormatsQueryVariables = Exact<{
  filter?: DocumentNumberFormatFilter | null | undefined;
  first?: number;
  after?: string | null | undefined;
}>;


export type DocumentNumberFormatsQuery = { readonly documentNumberFormats: { readonly edges: ReadonlyArray<{ readonly cursor: string, readonly node: DocumentNumberFormatFieldsFragment }>, readonly pageInfo: { readonly hasNextPage: boolean, readonly endCursor: string | null } } };

export type SaveDocumentNumberFormatMutationVariables = Exact<{
  input: SaveDocumentNumberFormatInput;
}>;


export type SaveDocumentNumberFormatMutation = { readonly saveDocumentNumberFormat: (
    { readonly __typename: 'DocumentNumberFormat' }
    & DocumentNumberFormatFieldsFragment
  ) };

export type SaveDefaultDocumentNumberFormatMutationVariables = Exact<{
  input: SaveDefaultDocumentNumberFormatInput;
}>;


export type SaveDefaultDocumentNumberFormatMutation = { readonly saveDefaultDocumentNumberFormat: { readonly __typename: 'DefaultDocumentNumberFormatSaved', readonly formats: ReadonlyArray<DocumentNumberFormatFieldsFragment> } };

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


export type BlockDocumentSeriesMutation = { readonly blockDocumentSeries: (
    { readonly __typename: 'DocumentSeries' }
    & DocumentSeriesFieldsFragment
  ) };

export type UnblockDocumentSeriesMutationVariables = Exact<{
  input: DocumentTypeInput;
}>;


export type UnblockDocumentSeriesMutation = { readonly unblockDocumentSeries: (
    { readonly __typename: 'DocumentSeries' }
    & DocumentSeriesFieldsFragment
  ) };

export type AcceptCounterRegressionMutationVariables = Exact<{
  input: AcceptCounterRegressionInput;
}>;


export type AcceptCounterRegressionMutation = { readonly acceptCounterRegression: { readonly __typename: 'CounterRegressionAccepted', readonly lastNumber: number, readonly highWaterMark: number } };

export type TripFieldsFragment = { readonly id: Tsid, readonly status: TripStatus, readonly revision: number, readonly riderId: Tsid | null, readonly driverId: Tsid | null, readonly offerEpoch: number, readonly offerExpiresAt: string, readonly requestedAt: string, readonly offerAt: string | null, readonly acceptedAt: string | null, readonly arrivedAt: string | null, readonly startedAt: string | null, readonly endedAt: string | null, readonly cancelReason: TripCancelReason | null, readonly pickup: { readonly latitude: number, readonly longitude: number, readonly address: string | null } | null, readonly dropoff: { readonly latitude: number, readonly longitude: number, readonly address: string | null } | null };

export type TripEventFieldsFragment = { readonly id: string, readonly tripId: Tsid, readonly type: TripEventType, readonly status: TripStatus, readonly revision: number, readonly offerEpoch: number, readonly driverId: Tsid | null, readonly reason: TripCancelReason | null, readonly occurredAt: string };

type TripRefusalFields_DriverBusy_Fragment = { readonly activeTripId: Tsid, readonly message: string, readonly tripId: Tsid };

type TripRefusalFields_NoShowTooEarly_Fragment = { readonly allowedAt: string | null, readonly message: string, readonly tripId: Tsid };

type TripRefusalFields_NotOffered_Fragment = { readonly reason: NotOfferedReason, readonly message: string, readonly tripId: Tsid };

type TripRefusalFields_StaleOffer_Fragment = { readonly offerEpoch: number, readonly currentEpoch: number, readonly message: string, readonly tripId: Tsid };

type TripRefusalFields_TripNotOpen_Fragment = { readonly status: TripStatus, readonly message: string, readonly tripId: Tsid };

type TripRefusalFields_TripTaken_Fragment = { readonly message: string, readonly tripId: Tsid };

type TripRefusalFields_TripUndecided_Fragment = { readonly retryAfterMs: number, readonly afterRevision: number, readonly message: string, readonly tripId: Tsid };

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


export type RequestTripMutation = { readonly requestTrip: (
    { readonly __typename: 'Trip' }
    & TripFieldsFragment
  ) };

export type BroadcastTripMutationVariables = Exact<{
  input: BroadcastTripInput;
}>;


export type BroadcastTripMutation = { readonly broadcastTrip:
    | { readonly __typename: 'NotOffered', readonly reason: NotOfferedReason, readonly message: string, readonly tripId: Tsid }
    | { readonly __typename: 'StaleOffer', readonly offerEpoch: number, readonly currentEpoch: number, readonly message: string, readonly tripId: Tsid }
    | { readonly __typename: 'TripBroadcast', readonly trip: TripFieldsFragment }
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
    | { readonly __typename: 'TripUndecided', readonly retryAfterMs: number, readonly afterRevision: number, readonly message: string, readonly tripId: Tsid }
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
    | { readonly __typename: 'TripStarted', readonly trip: TripFieldsFragment }
   };

export type CompleteTripMutationVariables = Exact<{
  input: TripInput;
}>;


export type CompleteTripMutation = { readonly completeTrip:
    | { readonly __typename: 'TripCompleted', readonly trip: TripFieldsFragment }
    | { readonly __typename: 'TripNotOpen', readonly status: TripStatus, readonly message: string, readonly tripId: Tsid }
   };

export type CancelTripMutationVariables = Exact<{
  input: CancelTripInput;
}>;


export type CancelTripMutation = { readonly cancelTrip:
    | { readonly __typename: 'TripCancelled', readonly trip: TripFieldsFragment }
    | { readonly __typename: 'TripNotOpen', readonly status: TripStatus, readonly message: string, readonly tripId: Tsid }
    | { readonly __typename: 'TripRedispatched', readonly trip: TripFieldsFragment }
   };

export type TripQueryVariables = Exact<{
  id: Tsid;
}>;


export type TripQuery = { readonly trip: TripFieldsFragment | null };

export type TripsQueryVariables = Exact<{
  filter?: TripFilter | null | undefined;
  first?: number;
  after?: string | null | undefined;
}>;


export type TripsQuery = { readonly trips: { readonly edges: ReadonlyArray<{ readonly cursor: string, readonly node: TripFieldsFragment }>, readonly pageInfo: { readonly hasNextPage: boolean, readonly endCursor: string | null } } };

export type TripHistoryQueryVariables = Exact<{
  tripId: Tsid;
  afterRevision?: number;
  first?: number;
}>;


export type TripHistoryQuery = { readonly tripHistory: ReadonlyArray<TripEventFieldsFragment> };

export type TripAttemptsQueryVariables = Exact<{
  tripId: Tsid;
}>;


export type TripAttemptsQuery = { readonly tripAttempts: ReadonlyArray<{ readonly offerEpoch: number, readonly outcome: TripAttemptOutcome, readonly count: number }> };

export type TripOfferStepsQueryVariables = Exact<{
  tripId: Tsid;
}>;


export type TripOfferStepsQuery = { readonly tripOfferSteps: ReadonlyArray<{ readonly offerEpoch: number, readonly revision: number, readonly driverIds: ReadonlyArray<Tsid> | null, readonly offeredAt: string, readonly expiresAt: string }> };

export type TripUpdatedSubscriptionVariables = Exact<{
  tripId: Tsid;
  afterRevision: number;
}>;


export type TripUpdatedSubscription = { readonly tripUpdated: TripEventFieldsFragment };

export type TripEventsSubscriptionVariables = Exact<{
  region?: string | null | undefined;
  after?: string | null | undefined;
}>;


export type TripEventsSubscription = { readonly tripEvents: { readonly cursor: string, readonly events: ReadonlyArray<TripEventFieldsFragment> } };

export type TripOfferedSubscriptionVariables = Exact<{ [key: string]: never; }>;


export type TripOfferedSubscription = { readonly tripOffered: { readonly id: string, readonly tripId: Tsid, readonly offerEpoch: number, readonly state: TripOfferState, readonly expiresAt: string } };

export type UpdateDriverPositionMutationVariables = Exact<{
  input: UpdateDriverPositionInput;
}>;


export type UpdateDriverPositionMutation = { readonly updateDriverPosition: { readonly __typename: 'DriverPositionUpdated', readonly countsForMs: number } };

export type ReportArrivalMutationVariables = Exact<{
  input: TripInput;
}>;


export type ReportArrivalMutation = { readonly reportArrival:
    | { readonly __typename: 'DriverArrived', readonly trip: TripFieldsFragment }
    | { readonly __typename: 'TripNotOpen', readonly status: TripStatus, readonly message: string, readonly tripId: Tsid }
   };

export type ReportNoShowMutationVariables = Exact<{
  input: TripInput;
}>;


export type ReportNoShowMutation = { readonly reportNoShow:
    | { readonly __typename: 'NoShowTooEarly', readonly allowedAt: string | null, readonly message: string, readonly tripId: Tsid }
    | { readonly __typename: 'TripCancelled', readonly trip: TripFieldsFragment }
    | { readonly __typename: 'TripNotOpen', readonly status: TripStatus, readonly message: string, readonly tripId: Tsid }
   };
