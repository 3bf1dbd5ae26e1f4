import type { IssueFacts } from '../contract/checks.js';
import type { IssuedNumber } from '../contract/requests.js';
import type { Position, ResolvedRequest } from '../request/resolved-request.js';

/** Consecutive numbers that one request wants from its counter. */
export interface WantedNumbers {
  readonly resolved: ResolvedRequest;
  readonly facts: IssueFacts;
  readonly count: number;
  /** How long the request has waited. */
  readonly waitedMs: number;
}

/** What a batch wants from one counter. */
export interface Draft {
  readonly counterId: string;
  /** The counter must be at least here; otherwise numbers were lost. */
  readonly floor: number;
  /** Draw only if the counter is at this position; `undefined`: at any. */
  readonly expected: Position | undefined;
  readonly retryCount: number;
  /** In the order in which they are numbered; of one series revision and one ceiling. */
  readonly items: readonly [WantedNumbers, ...WantedNumbers[]];
}

/** What one statement draws. A retry after a lost reply has the same id and the same drafts. */
export interface Batch {
  readonly id: string;
  readonly drafts: readonly Draft[];
  /** The PostgreSQL for which all floors are known; any other draws nothing. `undefined`: no such check. */
  readonly server: string | undefined;
  /** Longest wait for locked counter rows; `undefined` skips them. */
  readonly rowWaitMs: number | undefined;
}

/**
 * What PostgreSQL decided about one counter: see sql/functions/draw-numbers.ts. `SKIPPED`: nothing is known. `MISSING`:
 * there is no such row.
 */
export type Verdict =
  | 'SKIPPED'
  | 'MISSING'
  | 'REPLAYED'
  | 'OTHER_SERVER'
  | 'RULES_CHANGED'
  | 'BELOW_MARK'
  | 'CONFLICT'
  | 'CLOSED'
  | 'DATE_ORDER'
  | 'EXHAUSTED'
  | 'GRANTED';

/** The reply for one draft. */
export interface DraftReply {
  readonly verdict: Verdict;
  /** The PostgreSQL that replied. */
  readonly server: string;
  /** The counter's current position; `undefined` if it was skipped or is missing. */
  readonly position: Position | undefined;
  readonly lastDate: string | undefined;
  /** How many numbers were drawn. */
  readonly numberCount: number;
  /** One for each item; `undefined` if it got nothing. */
  readonly answers: readonly (Answer | undefined)[];
}

/** Numbers of one request: consecutive, from one counter. */
export interface DrawnNumbers {
  readonly numbers: readonly IssuedNumber[];
  readonly reservation: { readonly token: string; readonly expiresMs: number } | undefined;
}

/** `REPLAYED`: numbers that the request's key already had. */
export type Answer =
  | { readonly kind: 'DRAWN' | 'REPLAYED'; readonly drawn: DrawnNumbers }
  | { readonly kind: 'FAILED'; readonly error: unknown };
