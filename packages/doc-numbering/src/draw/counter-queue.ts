import { Deadline } from '@solegate/postgres-infra';
import type { HeldLock } from '@solegate/redis-infra';
import type { IssueFacts, IssueOptions } from '../contract/checks.js';
import { BusyError } from '../contract/numbering-error.js';
import type { IssuedNumber, PrintedAddress } from '../contract/requests.js';
import {
  type CounterAddress,
  type LockKey,
  lockKey,
  type Position,
  type ResolvedRequest,
} from '../request/resolved-request.js';

/** A request as it enters the queue of its counter. */
export interface QueuedRequest {
  readonly request: PrintedAddress;
  /** Replaced while it waits if the rules of its series change. */
  resolved: ResolvedRequest;
  readonly facts: IssueFacts;
  readonly count: number;
  readonly attached: IssueOptions['attached'];
  readonly deadline: Deadline;
}

/** A request waiting for its numbers. */
export interface PendingIssue extends QueuedRequest {
  readonly arrivedMs: number;
  /** What the observer's `requestQueued` returned. */
  readonly origin: unknown;
  /** Set when its batch is formed: position of its first number in the batch, from 1, and how long it waited. */
  position: number;
  waitedMs: number;
  settle(drawn: DrawnNumbers): void;
  fail(error: unknown): void;
}

/** Numbers of one request: consecutive, from one counter. */
export interface DrawnNumbers {
  readonly numbers: readonly IssuedNumber[];
  readonly reservation: { readonly token: string; readonly expiresMs: number } | undefined;
}

/** Requests for one counter that are drawn in one statement, and the reply. */
export interface Draft {
  readonly counter: CounterQueue;
  /** In order of arrival; of one series revision; dates never decrease if the series enforces date order. */
  readonly issues: readonly [PendingIssue, ...PendingIssue[]];
  /** Draw only if the counter is at this position; `undefined`: at any. */
  readonly expected: Position | undefined;
  readonly retryCount: number;
  /** Set by the draw. */
  reply: DraftReply | undefined;
}

/** The reply for one counter. */
interface DraftReply {
  /** `SKIPPED`: another transaction holds the row, and nothing is known about it. */
  readonly kind: 'GRANTED' | 'REFUSED' | 'SKIPPED';
  /** The PostgreSQL that replied, identified by its start time. */
  readonly server: string;
  /** The counter's current position. */
  readonly position: Position;
  readonly lastDate: string | undefined;
  readonly revision: number;
  /** How many numbers were drawn. */
  readonly numberCount: number;
  readonly answers: ReadonlyMap<PendingIssue, Answer>;
}

/** `REPLAYED`: numbers that the request's key already had. */
export type Answer =
  | { readonly kind: 'DRAWN' | 'REPLAYED'; readonly drawn: DrawnNumbers }
  | { readonly kind: 'FAILED'; readonly error: unknown };

/** What one statement draws. A retry after a lost reply has the same id and the same drafts. */
export interface Batch {
  readonly id: string;
  readonly drafts: readonly Draft[];
  /** The PostgreSQL for which all counters' floors are known; any other draws nothing. `undefined`: no such check. */
  readonly server: string | undefined;
  /** Longest wait for a locked counter row; `undefined` skips locked rows. */
  readonly rowWaitMs: number | undefined;
}

/** Returns the drafts with only those requests that belong, to be drawn again; drops drafts left empty. */
export function draftsWith(drafts: readonly Draft[], belongs: (issue: PendingIssue) => boolean): Draft[] {
  return drafts.flatMap((draft) => {
    const [first, ...others] = draft.issues.filter(belongs);
    return first ? [{ ...draft, issues: [first, ...others], expected: undefined, reply: undefined }] : [];
  });
}

/** Minimum time for every statement: a request near its deadline must not cut off those that share the statement. */
const STATEMENT_MS = 500;

/** Returns the deadline of a shared statement: the earliest of its requests. */
export function deadlineOf(issues: readonly PendingIssue[]): Deadline {
  const [first, ...others] = issues.map(({ deadline }) => deadline);
  if (!first) throw new Error('a round without requests');
  const earliest = Deadline.earliest([first, ...others]);
  return earliest.leftMs < STATEMENT_MS ? Deadline.after(STATEMENT_MS) : earliest;
}

/**
 * The requests in this process waiting for one counter, in order of arrival, and what the process knows of the counter.
 *
 * ```
 *   idle ── a request comes ──> ready ── a commit round takes it ──> drawing ──> idle, or ready while requests are left
 *             |                   ^  ^                                   |
 *             +──> locking ───────+  +───────────── pausing <────────────+
 *                  a crowd: its Redis lock is asked for       its row is held, and no connection is left to wait
 * ```
 */
export class CounterQueue {
  readonly address: CounterAddress;
  readonly lockKey: LockKey;
  state: 'idle' | 'locking' | 'ready' | 'drawing' | 'pausing' = 'idle';
  /** Whether its row was locked: it was skipped (`held`), or a wait for it failed (`stuck`). */
  row: 'free' | 'held' | 'stuck' = 'free';
  waiting: PendingIssue[] = [];
  counterId: string | undefined;
  /** The counter's position when this process last received it. */
  position: Position | undefined;
  /** Highest number that PostgreSQL reported to this process, and when, in ms of a monotonic clock. */
  issuedMark = 0;
  issuedMarkAtMs = 0;
  /** Highest number that Redis remembered when last read. */
  rememberedMark = 0;
  /** The PostgreSQL for which Redis was read. */
  markedFor: string | undefined;
  /** Its Redis lock, while this process holds it. */
  lock: HeldLock | undefined;
  /** Why the last wait for its row failed. */
  lastFailure: Error | undefined;
  /** The lock was not acquired: the next draw proceeds without it. */
  isLockRefused = false;
  /** Another process waits for its row: the next draw skips the row if it is still locked. */
  mustPass = false;
  /** Until then, the Redis lock is acquired first. */
  crowdedUntilMs = 0;
  /** Until then, its row lock alone keeps order, because another process advances it without the Redis lock. */
  unversionedUntilMs = 0;
  /** The width threshold that was last reported. */
  warnedAt = 0;

  constructor(address: CounterAddress) {
    this.address = address;
    this.lockKey = lockKey(address);
  }

  /** The counter must be at least here; otherwise numbers were lost. */
  get floor(): number {
    return Math.max(this.issuedMark, this.rememberedMark);
  }

  /** Records the position that PostgreSQL last reported. */
  learn(position: Position): void {
    this.position = position;
    if (position.last < this.issuedMark) return;
    this.issuedMark = position.last;
    this.issuedMarkAtMs = performance.now();
  }

  /** Discards what was known before, after a person has accepted a lower position of the counter. */
  forget(position: Position): void {
    this.position = position;
    this.issuedMark = position.last;
    this.rememberedMark = Math.min(this.rememberedMark, position.last);
  }

  /** Records what Redis remembers: another process might have drawn last. */
  hear(mark: Position | undefined): void {
    this.rememberedMark = mark?.last ?? 0;
    if (mark && (!this.position || mark.last > this.position.last)) this.position = mark;
  }

  /** Takes what one statement can draw: one writer, revision and ceiling, dates in order. Late requests are refused. */
  takeWaiting(writer: string | undefined, countMax: number): PendingIssue[] {
    const late = this.waiting.filter(({ deadline }) => deadline.hasPassed);
    for (const issue of late) issue.fail(new BusyError({ cause: this.lastFailure }));
    if (late.length > 0) this.waiting = this.waiting.filter((issue) => !late.includes(issue));
    const [head] = this.waiting;
    let taken = 0;
    let count = 0;
    for (const issue of this.waiting) {
      const before = this.waiting[taken - 1] ?? issue;
      const { series, date, ceiling } = issue.resolved;
      const belongs =
        issue.attached?.writer === writer &&
        series.revision === head?.resolved.series.revision &&
        ceiling === head.resolved.ceiling &&
        (!series.dateOrder || date >= before.resolved.date);
      if (!belongs || (taken > 0 && count + issue.count > countMax)) break;
      taken += 1;
      count += issue.count;
    }
    return this.waiting.splice(0, taken);
  }
}
