import type { TransactionSession } from '@solegate/postgres-infra';
import type { Guard, LedgerEntry, NumberStatus } from './ledger-columns.js';
import type { NumberSeal } from './seals.js';

/** Identifies a series within a number space, with the codes that distinguish its counters. */
export interface SeriesAddress {
  /** Number space, for example a project; number texts are unique within it. 1 to 100 characters. */
  readonly space: string;
  /** Code of the series, for example a document type. Printed by `{TYPE}`. 1 to 50 characters. */
  readonly series: string;
  /**
   * Codes by token name, for example `{ ORG: 'PAT', DISCIPLINE: 'STR' }`. Exactly the dimensions of the series;
   * one that has a `none` code can be omitted, and one can be given in `fields` instead. `ORG_CODE` and the other long
   * spellings are equivalent.
   */
  readonly dimensions?: Readonly<Record<string, string>>;
  /** Business date, `YYYY-MM-DD`, or an instant, in the series' time zone; decides the period. Default: today there. */
  readonly date?: string | Date;
  /** Confirms that the actor is allowed to use a past or future period, which must still be open. Default `false`. */
  readonly otherPeriod?: boolean;
}

/** Identifies a counter, and the other codes that its numbers print. */
export interface PrintedAddress extends SeriesAddress {
  /**
   * Further codes, for example `{ RECIPIENT: 'OWN', REVISION: 'A' }`. Dimensions of the series choose the counter; of
   * the others, those in the format are printed.
   */
  readonly fields?: Readonly<Record<string, string>>;
}

/** A request for a number. */
export interface IssueRequest extends PrintedAddress {
  /** Who requests it; stored in the ledger. 1 to 200 characters. */
  readonly actor: string;
  /**
   * Idempotency key, unique in the number space. The same key with the same content and actor returns the same number,
   * in every process and after a lost reply; with another content, actor or writer, it fails with KEY_REUSED. 1 to 200
   * characters.
   */
  readonly key?: string;
  /**
   * Further content that a retry with the same key must repeat, for example the caller's input as JSON. Only its digest
   * is stored. Default: none; for a writer, its document as JSON, so set it if each attempt builds a new document.
   */
  readonly content?: string;
  /** Reference to the document that gets the number; stored in the ledger. Up to 200 characters. */
  readonly document?: string;
  /** Free text stored in the ledger. Up to 1,000 characters. */
  readonly reason?: string;
  /** Identifier of the ledger row, for example a TSID: bigint or decimal, positive, 63 bits. Default: none. */
  readonly id?: bigint | string;
}

/** A number that is committed together with its ledger row. */
export interface IssuedNumber {
  /** The text, for example `PAT-RFA-STR-2026-0001`. */
  readonly number: string;
  /** Position in its counter, from the series' start (default 1), without holes. Up to 2^53 - 1. */
  readonly sequence: number;
  readonly space: string;
  readonly series: string;
  /** Canonical codes of the counter, token names sorted. */
  readonly dimensions: Readonly<Record<string, string>>;
  /** Period of the counter: `all`, `2026`, `FY2026` (its first year), `2026-Q1`, `2026-03`, `2026-W10` or `2026-03-05`. */
  readonly period: string;
  /** Business date, `YYYY-MM-DD`. */
  readonly date: string;
  readonly formatVersion: number;
  readonly counterId: string;
  /** As given in the request, as decimal text. */
  readonly id: string | undefined;
  /** True if this key already had the number, or if a lost reply was resolved to it. */
  readonly replayed: boolean;
  /** State of the ledger row; for a replay, its current state, for example `void` or `cancelled`. */
  readonly status: NumberStatus;
  readonly guard: Guard;
  /** Milliseconds between the request and the statement that drew the number. */
  readonly waitedMs: number;
  /** How often that statement was retried. */
  readonly retryCount: number;
}

/** A reserved number. It becomes `issued` when confirmed, and `cancelled` on request or when it expires. */
export interface Reservation extends IssuedNumber {
  /** Secret that confirms or cancels it. */
  readonly token: string;
  readonly expiresAt: Date;
}

export interface ReserveRequest extends IssueRequest {
  /** How long it stays reserved. 1,000 to 31,536,000,000 (a year). Default 300,000 (five minutes). */
  readonly holdMs?: number;
}

/** The next number of a counter at this moment. It is not guaranteed: another caller might get it first. */
export interface NumberPreview
  extends Pick<IssuedNumber, 'number' | 'sequence' | 'period' | 'formatVersion'> {
  readonly promised: false;
}

/** A document and its number. */
export interface UnsealedItem<Document> {
  readonly document: Document;
  readonly issued: IssuedNumber;
}

/** What a writer stores. */
export interface WriterItem<Document> extends UnsealedItem<Document> {
  /** `undefined` if the writer has no chain. */
  readonly seal: NumberSeal | undefined;
}

/**
 * Stores the documents of a shared commit through `session`, ideally in one statement: `session.query(text, values)`.
 * If one item is refused, it is called again with fewer of the same items, each time in a new transaction or savepoint,
 * so it must have no side effects outside the session. It must not end the transaction.
 */
export type WriteDocuments<Document> = (
  session: TransactionSession,
  items: readonly WriterItem<Document>[],
) => Promise<void>;

/** Stores documents in the same commit as their numbers. Returned by `registerWriter`. */
export interface NumberWriter<Document> {
  /**
   * Commits document and number together. If the write of this document fails, its error is thrown, its number goes to
   * the next caller, and the other documents of the commit are stored. A replayed key stores no second document.
   */
  issue(request: IssueRequest, document: Document): Promise<IssuedNumber>;
}

/** What every change of the ledger must state; both are stored with its event. */
export interface Correction {
  /** Why. 1 to 1,000 characters. */
  readonly reason: string;
  /** Who. 1 to 200 characters. */
  readonly actor: string;
}

/** Which number to void, why, and by whom. */
export interface VoidRequest extends Correction {
  readonly space: string;
  readonly number: string;
  /** An already issued number that replaces it; stored as `replacedBy`. */
  readonly replacedBy?: string;
}

/** Which number to void, and the request for its replacement. */
export interface ReplaceRequest extends Omit<VoidRequest, 'replacedBy'> {
  /** The request for the replacement. Its space must be that of the voided number. */
  readonly replacement: IssueRequest;
}

/** A voided number, and the one that replaced it. */
export interface VoidedNumber {
  readonly voided: LedgerEntry;
  readonly replacement: LedgerEntry | undefined;
  /** True if the number was already void, by an equal request. */
  readonly replayed: boolean;
}

export interface AssignRequest extends IssueRequest {
  readonly sequence: number;
  /** Why it is assigned by hand; required. */
  readonly reason: string;
}

/** Which numbers of a counter to skip, and why. */
export interface SkipRequest extends PrintedAddress, Correction {
  /** Last sequence to record as skipped. At most 100,000 above the counter. */
  readonly upTo: number;
  /** Time limit for the whole call: each number is a row. 1,000 to 86,400,000. Default 60,000. */
  readonly timeoutMs?: number;
}

/** A number that another system issued. Its `date` is required and can be in any open period. */
export interface ImportedNumber extends Omit<PrintedAddress, 'space' | 'otherPeriod'> {
  readonly sequence: number;
  readonly date: string | Date;
  /** Text as printed. Default: rendered by the format valid on the date. */
  readonly number?: string;
  readonly document?: string;
  readonly id?: bigint | string;
}

/** Numbers of another system, to import into one space. */
export interface ImportRequest {
  readonly space: string;
  readonly rows: readonly ImportedNumber[];
  /** Sequences missing from the rows below the highest: `refuse`, or `record` as `cancelled` rows. Default `refuse`. */
  readonly holes?: 'refuse' | 'record';
  /** Check and count, but store nothing. Default `false`. */
  readonly dryRun?: boolean;
  readonly actor: string;
  readonly reason?: string;
  /** Time limit for the whole call. 1,000 to 86,400,000. Default 600,000 (ten minutes). */
  readonly timeoutMs?: number;
}

/** Why a row cannot be imported, or where a hole is. */
export interface ImportProblem {
  /** Index in `rows`; absent for a hole. */
  readonly row: number | undefined;
  readonly code: string;
  readonly message: string;
}

/** The result of an import or a dry run. */
export interface ImportReport {
  /** True if the rows were stored; false after a dry run or if there are problems. */
  readonly imported: boolean;
  readonly rowCount: number;
  /** Missing numbers recorded as cancelled; after a dry run, those that would be. 0 if there are problems. */
  readonly recordedHoleCount: number;
  /** The first 100 problems. Any problem means that nothing was stored. */
  readonly problems: readonly ImportProblem[];
  readonly problemCount: number;
  readonly counters: readonly {
    readonly counter: string;
    readonly lastNumber: number;
    readonly raisedTo: number;
  }[];
}

/** Which reservation to confirm, for which document. */
export interface ConfirmRequest {
  readonly token: string;
  readonly document?: string;
  readonly actor: string;
}

/** The entry of a confirmed reservation; `replayed` if it already was, or if a lost reply was resolved to that. */
export type ConfirmedNumber = LedgerEntry & Pick<IssuedNumber, 'replayed'>;

/** Which reservation to cancel, and why. */
export interface CancelRequest extends Correction {
  readonly token: string;
}

/** Identifies the counter; `date` selects its period, past and future ones included. */
export type AcceptRegressionRequest = PrintedAddress & Correction;

export interface AcceptedRegression {
  /** The counter's last number; the next one follows it. */
  readonly lastNumber: number;
  /** The highest number known to have been issued. If it is not above `lastNumber`, there was nothing to accept. */
  readonly highWaterMark: number;
}
