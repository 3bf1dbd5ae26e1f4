import type { SqlSession } from '@solegate/postgres-infra';
import type { LedgerEntry } from './ledger-entry.js';

/** Names one counter family: a series inside a number space, with the codes that distinguish its counters. */
export interface SeriesAddress {
  /** Number space, for example a project: a number text is unique inside it. 1 to 100 characters. */
  readonly space: string;
  /** Code of the series, for example a document type. It is what `{TYPE}` prints. 1 to 50 characters. */
  readonly series: string;
  /**
   * Codes by token name, for example `{ ORG: 'PAT', DISCIPLINE: 'STR' }`. Exactly the dimensions of the series;
   * one that has a `none` code may be left out. `ORG_CODE` and the other long spellings mean the same.
   */
  readonly dimensions?: Readonly<Record<string, string>>;
  /** Business date, `YYYY-MM-DD`, or an instant, read in the zone of the series; the period follows. Default: today there. */
  readonly date?: string | Date;
  /** States that the actor may use a past or future period; it must be open all the same. Default `false`. */
  readonly otherPeriod?: boolean;
}

/** Names a counter, and what else its numbers print. */
export interface PrintedAddress extends SeriesAddress {
  /** Codes that are printed but do not choose the counter, for example `{ RECIPIENT: 'OWN', REVISION: 'A' }`. */
  readonly fields?: Readonly<Record<string, string>>;
}

/** What a number is asked for with. */
export interface IssueRequest extends PrintedAddress {
  /** Who asks; kept in the ledger. 1 to 200 characters. */
  readonly actor: string;
  /**
   * Idempotency key, unique in the number space. The same key with the same content gives the same number, in
   * every process and after a lost reply; with other content it is KEY_REUSED. 1 to 200 characters.
   */
  readonly key?: string;
  /**
   * What else a repeat under the same key must say again, for example the caller's input as JSON. Only its digest is
   * kept. Default: nothing; of a writer, its document as JSON, so give it when documents are made anew for each try.
   */
  readonly content?: string;
  /** Reference to the document that gets the number; kept in the ledger. Up to 200 characters. */
  readonly document?: string;
  /** Free text kept in the ledger. Up to 1,000 characters. */
  readonly reason?: string;
  /** Identifier of the ledger row, for example a TSID: bigint or decimal, positive, 63 bits. Default: none. */
  readonly id?: bigint | string;
}

/** What kept others away while a number was drawn: Redis lock and version check, or the lock of the counter's row alone. */
export type Guard = 'redis+version' | 'row';

/** States of a ledger row. `cancelled` covers expired reservations and skipped numbers; the reason says which. */
export type NumberStatus = 'reserved' | 'issued' | 'cancelled' | 'void' | 'imported' | 'manual';

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
  /** Period of the counter: `all`, `2026`, `FY2026` (by the year it starts), `2026-03` or `2026-03-05`. */
  readonly period: string;
  /** Business date, `YYYY-MM-DD`. */
  readonly date: string;
  readonly formatVersion: number;
  readonly counterId: string;
  /** As given in the request, as decimal text. */
  readonly id: string | undefined;
  /** True when this key had got the number before, or when a lost reply was resolved to it. */
  readonly replayed: boolean;
  /** State of the ledger row: of a replay as it is now, for example `void` or `cancelled`. */
  readonly status: NumberStatus;
  readonly guard: Guard;
  /** Milliseconds between the request and the statement that drew the number. */
  readonly waitedMs: number;
  /** How often that statement had to be repeated. */
  readonly retryCount: number;
}

/** A number that is held for somebody and becomes `issued`, or `cancelled` by them or by time. */
export interface Reservation extends IssuedNumber {
  /** Secret that confirms or cancels it. */
  readonly token: string;
  readonly expiresAt: Date;
}

export interface ReserveRequest extends IssueRequest {
  /** How long it is held. 1,000 to 31,536,000,000 (a year). Default 300,000 (five minutes). */
  readonly holdMs?: number;
}

/** The next number of a counter as it looks now. It is not promised: somebody else may get it first. */
export interface NumberPreview
  extends Pick<IssuedNumber, 'number' | 'sequence' | 'period' | 'formatVersion'> {
  readonly promised: false;
}

/** A document and the number that it gets. */
export interface WriterItem<Document> {
  readonly document: Document;
  readonly issued: IssuedNumber;
}

/**
 * Stores the documents of a shared commit through `session`; best in one statement. It may be called again with
 * fewer of the same items when one of them is refused, each time in a fresh transaction or savepoint: it must have
 * no effect beside the session. Statements that end the transaction are forbidden in it.
 */
export type WriteDocuments<Document> = (
  session: SqlSession,
  items: readonly WriterItem<Document>[],
) => Promise<void>;

/** Stores documents in the same commit as their numbers. Made by `registerWriter`. */
export interface NumberWriter<Document> {
  /**
   * Document and number in one commit. When the write of this document fails, its error is thrown, its number goes to the
   * next caller, and the other documents of the commit are stored. A replayed key stores no second document.
   */
  issue(request: IssueRequest, document: Document): Promise<IssuedNumber>;
}

/** What every change of the ledger says; both are kept among the events. */
export interface Correction {
  /** Why. 1 to 1,000 characters. */
  readonly reason: string;
  /** Who. 1 to 200 characters. */
  readonly actor: string;
}

/** Which number is taken out of use, why and by whom. */
export interface VoidRequest extends Correction {
  readonly space: string;
  readonly number: string;
  /** A number issued before that takes its place; kept as `replacedBy`. */
  readonly replacedBy?: string;
}

/** Which number is taken out of use, and what the next one is issued with. */
export interface ReplaceRequest extends Omit<VoidRequest, 'replacedBy'> {
  /** What the replacement is issued with. Its space must be the one of the void number. */
  readonly replacement: IssueRequest;
}

/** A void number, and the one that took its place. */
export interface VoidedNumber {
  readonly voided: LedgerEntry;
  readonly replacement: LedgerEntry | undefined;
}

export interface AssignRequest extends IssueRequest {
  readonly sequence: number;
  /** Why it is assigned by hand; needed. */
  readonly reason: string;
}

/** Which numbers of a counter are given to nobody, and why. */
export interface SkipRequest extends PrintedAddress, Correction {
  /** Last sequence that is recorded as skipped. At most 100,000 above the counter. */
  readonly upTo: number;
  /** How long all of it may take: each number is a row. 1,000 to 86,400,000. Default 60,000. */
  readonly timeoutMs?: number;
}

/** A number that another system issued. Its `date` is needed and may lie in any open period. */
export interface ImportedNumber extends Omit<PrintedAddress, 'space' | 'otherPeriod'> {
  readonly sequence: number;
  readonly date: string | Date;
  /** Text as it was printed. Default: rendered by the format valid on the date. */
  readonly number?: string;
  readonly document?: string;
  readonly id?: bigint | string;
}

/** Numbers of another system for one space. */
export interface ImportRequest {
  readonly space: string;
  readonly rows: readonly ImportedNumber[];
  /** Sequences that the rows leave out below their highest: `refuse`, or `record` as `cancelled` rows. Default `refuse`. */
  readonly holes?: 'refuse' | 'record';
  /** Check and count, store nothing. Default `false`. */
  readonly dryRun?: boolean;
  readonly actor: string;
  readonly reason?: string;
  /** How long all of it may take. 1,000 to 86,400,000. Default 600,000 (ten minutes). */
  readonly timeoutMs?: number;
}

/** Why one row, or one hole, cannot be taken over. */
export interface ImportProblem {
  /** Index in `rows`; absent for a hole. */
  readonly row: number | undefined;
  readonly code: string;
  readonly message: string;
}

/** What became of an import, or would. */
export interface ImportReport {
  /** True when the rows are stored; false after a dry run or when there are problems. */
  readonly imported: boolean;
  readonly rowCount: number;
  /** Numbers that the rows leave out, recorded as cancelled; after a dry run, those that would be. 0 with problems. */
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

/** Which reservation becomes a number, for which document. */
export interface ConfirmRequest {
  readonly token: string;
  readonly document?: string;
  readonly actor: string;
}

/** Which reservation ends, and why. */
export interface CancelRequest extends Correction {
  readonly token: string;
}

/** Names the counter; `date` chooses its period, any one. */
export type AcceptRegressionRequest = SeriesAddress & Correction;

export interface AcceptedRegression {
  /** Where the counter stands: the next number is the one after it. */
  readonly lastNumber: number;
  /** The highest number known to have been issued before. Not above `lastNumber`: there was nothing to accept. */
  readonly highWaterMark: number;
}
