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

/** What a request brings to the queue of its counter. */
export interface QueuedRequest {
  readonly request: PrintedAddress;
  /** May be replaced while it waits, when the rules of its series have changed. */
  resolved: ResolvedRequest;
  readonly facts: IssueFacts;
  readonly count: number;
  readonly attached: IssueOptions['attached'];
  readonly deadline: Deadline;
}

/** A request that waits for its numbers. */
export interface PendingIssue extends QueuedRequest {
  readonly arrivedMs: number;
  /** What the observer knows its caller by. */
  readonly origin: unknown;
  /** Set when its batch is formed: place of its first number among all of the batch, from 1, and how long it waited. */
  position: number;
  waitedMs: number;
  settle(drawn: DrawnNumbers): void;
  fail(error: unknown): void;
}

/** Numbers of one request: consecutive, of one counter. */
export interface DrawnNumbers {
  readonly numbers: readonly IssuedNumber[];
  readonly reservation: { readonly token: string; readonly expiresMs: number } | undefined;
}

/** Requests of one counter that one statement draws for, and what it replied. */
export interface Draft {
  readonly counter: CounterQueue;
  /** In order of arrival; of one series revision, dates not falling when the series keeps date order. */
  readonly issues: readonly [PendingIssue, ...PendingIssue[]];
  /** Draw only if the counter stands there; `undefined` draws wherever it stands. */
  readonly expected: Position | undefined;
  readonly retryCount: number;
  /** Set by whoever draws. */
  reply: DraftReply | undefined;
}

/** How one counter replied. */
interface DraftReply {
  /** `SKIPPED`: somebody else holds the row, and nothing is known of it. */
  readonly kind: 'GRANTED' | 'REFUSED' | 'SKIPPED';
  /** The PostgreSQL that replied, by its start. */
  readonly server: string;
  /** Where the counter stands now. */
  readonly position: Position;
  readonly lastDate: string | undefined;
  readonly revision: number;
  /** How many numbers were drawn. */
  readonly numberCount: number;
  readonly answers: ReadonlyMap<PendingIssue, Answer>;
}

/** `REPLAYED`: numbers that the request's key had got before. */
export type Answer =
  | { readonly kind: 'DRAWN' | 'REPLAYED'; readonly drawn: DrawnNumbers }
  | { readonly kind: 'FAILED'; readonly error: unknown };

/** What is drawn in one statement. A repeat after a lost reply has the same id and the same drafts. */
export interface Batch {
  readonly id: string;
  readonly drafts: readonly Draft[];
  /** The PostgreSQL for which the floors of all counters are known; another one draws nothing. `undefined`: any. */
  readonly server: string | undefined;
  /** Longest wait for a counter that somebody holds; `undefined` skips it. */
  readonly rowWaitMs: number | undefined;
}

/** Those drafts of which something belongs, with what belongs, to be drawn once more. */
export function draftsWith(drafts: readonly Draft[], belongs: (issue: PendingIssue) => boolean): Draft[] {
  return drafts.flatMap((draft) => {
    const [first, ...others] = draft.issues.filter(belongs);
    return first ? [{ ...draft, issues: [first, ...others], expected: undefined, reply: undefined }] : [];
  });
}

/** Every statement has this long at least: a request at the end of its time must not cut off those that share it. */
const STATEMENT_MS = 500;

/** A shared statement keeps the deadline of whoever has least time left. */
export function deadlineOf(issues: readonly PendingIssue[]): Deadline {
  const [first, ...others] = issues.map(({ deadline }) => deadline);
  if (!first) throw new Error('a round without requests');
  const earliest = Deadline.earliest([first, ...others]);
  return earliest.leftMs < STATEMENT_MS ? Deadline.after(STATEMENT_MS) : earliest;
}

/**
 * Everybody in this process who waits for one counter, in order of arrival, and what the process knows of the counter.
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
  /** Whether somebody held its row: when it was passed by (`held`), and when a wait for it was in vain (`stuck`). */
  row: 'free' | 'held' | 'stuck' = 'free';
  waiting: PendingIssue[] = [];
  counterId: string | undefined;
  /** Where the counter stood when this process last heard of it. */
  position: Position | undefined;
  /** Highest number that PostgreSQL reported to this process; and when, in ms of a clock that never goes back. */
  issuedMark = 0;
  issuedMarkAtMs = 0;
  /** Highest number that Redis remembered when it was asked last. */
  rememberedMark = 0;
  /** The PostgreSQL for which Redis was asked. */
  markedFor: string | undefined;
  /** Its Redis lock, while this process has it. */
  lock: HeldLock | undefined;
  /** Why its row could not be had when it was waited for last. */
  lastFailure: Error | undefined;
  /** The lock was asked for in vain: the next draw goes without. */
  isLockRefused = false;
  /** Another process waits at its row: the next draw passes it by if it is still held. */
  mustPass = false;
  /** Until then the Redis lock comes first. */
  crowdedUntilMs = 0;
  /** Until then its row alone keeps order, under the lock or not: somebody moves it without the lock. */
  unversionedUntilMs = 0;
  /** Threshold of the width that was reported last. */
  warnedAt = 0;

  constructor(address: CounterAddress) {
    this.address = address;
    this.lockKey = lockKey(address);
  }

  /** The counter must stand there at least, or numbers were lost. */
  get floor(): number {
    return Math.max(this.issuedMark, this.rememberedMark);
  }

  /** Takes note of where the counter stands, as PostgreSQL said last. */
  learn(position: Position): void {
    this.position = position;
    if (position.last < this.issuedMark) return;
    this.issuedMark = position.last;
    this.issuedMarkAtMs = performance.now();
  }

  /** A person has accepted that the counter stands lower than it stood; what was known before counts no more. */
  forget(position: Position): void {
    this.position = position;
    this.issuedMark = position.last;
    this.rememberedMark = Math.min(this.rememberedMark, position.last);
  }

  /** Takes note of what Redis remembers: whoever drew last may have been another process. */
  hear(mark: Position | undefined): void {
    this.rememberedMark = mark?.last ?? 0;
    if (mark && (!this.position || mark.last > this.position.last)) this.position = mark;
  }

  /** What one statement can draw together: one writer, revision and ceiling, dates that do not fall. The late are refused. */
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
