import type { IssueRequest, SeriesAddress } from './issue-request.js';
import type { LedgerEntry } from './ledger-entry.js';

export interface VoidRequest {
  readonly space: string;
  readonly number: string;
  /** Why; kept in the ledger and among the events. 1 to 1,000 characters. */
  readonly reason: string;
  readonly actor: string;
  /** A number issued before that takes its place; kept as `replacedBy`. */
  readonly replacedBy?: string;
}

export interface ReplaceRequest extends Omit<VoidRequest, 'replacedBy'> {
  /** What the replacement is issued with. Its space must be the one of the void number. */
  readonly replacement: IssueRequest;
}

export interface VoidedNumber {
  readonly voided: LedgerEntry;
  readonly replacement: LedgerEntry | undefined;
}

export interface AssignRequest extends IssueRequest {
  readonly sequence: number;
  /** Why it is assigned by hand; needed. */
  readonly reason: string;
}

export interface SkipRequest extends SeriesAddress {
  /** As in an IssueRequest, where the format prints them. */
  readonly fields?: Readonly<Record<string, string>>;
  /** Last sequence that is recorded as skipped. At most 100,000 above the counter. */
  readonly upTo: number;
  readonly reason: string;
  readonly actor: string;
  /** How long all of it may take: each number is a row. 1,000 to 86,400,000. Default 60,000. */
  readonly timeoutMs?: number;
}

/** A number that another system issued. Its `date` is needed and may lie in any open period. */
export interface ImportedNumber extends Omit<SeriesAddress, 'space' | 'otherPeriod'> {
  readonly sequence: number;
  readonly date: string | Date;
  /** Text as it was printed. Default: rendered by the format valid on the date. */
  readonly number?: string;
  readonly fields?: Readonly<Record<string, string>>;
  readonly document?: string;
  readonly id?: bigint | string;
}

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

export interface ImportProblem {
  /** Index in `rows`; absent for a hole. */
  readonly row: number | undefined;
  readonly code: string;
  readonly message: string;
}

export interface ImportReport {
  /** True when the rows are stored; false after a dry run or when there are problems. */
  readonly imported: boolean;
  readonly rowCount: number;
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

export interface ConfirmRequest {
  readonly token: string;
  readonly document?: string;
  readonly actor: string;
}

export interface CancelRequest {
  readonly token: string;
  readonly reason: string;
  readonly actor: string;
}

/** Names the counter; `date` chooses its period, any one. */
export interface AcceptRegressionRequest extends SeriesAddress {
  readonly reason: string;
  readonly actor: string;
}

export interface AcceptedRegression {
  /** Where the counter stands: the next number is the one after it. */
  readonly lastNumber: number;
  /** The highest number known to have been issued before. Not above `lastNumber`: there was nothing to accept. */
  readonly highWaterMark: number;
}
