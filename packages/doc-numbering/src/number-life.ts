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
}
