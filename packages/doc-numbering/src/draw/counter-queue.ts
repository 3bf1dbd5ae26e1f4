import type { HeldLock } from '@solegate/redis-infra';
import { BusyError } from '../contract/store-error.js';
import type { Position } from '../request/resolved-request.js';
import { type CounterAddress, type LockKey, lockKey } from '../request/resolved-request.js';
import type { PendingIssue } from './draft.js';
import type { OpenedCounter } from './open-counters.js';

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
  readonly key: string;
  readonly lockKey: LockKey;
  state: 'idle' | 'locking' | 'ready' | 'drawing' | 'pausing' = 'idle';
  /** Whether somebody held its row: when it was passed by (`held`), and when a wait for it was in vain (`stuck`). */
  row: 'free' | 'held' | 'stuck' = 'free';
  waiting: PendingIssue[] = [];
  counterId: string | undefined;
  /** Where the counter stood when this process last heard of it. */
  position: Position | undefined;
  /** Highest number that PostgreSQL told this process, which so was issued; and when, in ms of a clock that never goes back. */
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
  /** Until then the Redis lock comes first. */
  crowdedUntilMs = 0;
  /** Until then its row alone keeps order, under the lock or not: somebody moves it without the lock. */
  unversionedUntilMs = 0;
  /** Width of the format last used. */
  width: number | undefined;
  /** Threshold of the width that was reported last. */
  warnedAt = 0;

  constructor(address: CounterAddress, key: string) {
    this.address = address;
    this.key = key;
    this.lockKey = lockKey(address);
  }

  /** The counter must stand there at least, or numbers were lost. */
  get floor(): number {
    return Math.max(this.issuedMark, this.rememberedMark);
  }

  /** Takes note of the counter's row. */
  open(counter: OpenedCounter | undefined): void {
    if (!counter) throw new Error(`PostgreSQL did not create the counter ${this.key}`);
    this.counterId = counter.counterId;
    this.learn(counter.position);
  }

  /** Takes note of where the counter stands, as PostgreSQL said last. */
  learn(position: Position): void {
    this.position = position;
    this.raiseIssuedMark(position.last);
  }

  raiseIssuedMark(last: number): void {
    if (last < this.issuedMark) return;
    this.issuedMark = last;
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

  /**
   * Takes what one statement can draw together: one writer, one revision of the rules, one ceiling,
   * dates that do not fall.
   */
  takeWaiting(writer: string | undefined, countMax: number): PendingIssue[] {
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

  /** Refuses those whose time is over. */
  refuseLate(): void {
    const late = this.waiting.filter(({ deadline }) => deadline.hasPassed);
    if (late.length === 0) return;
    for (const issue of late) issue.fail(new BusyError({ cause: this.lastFailure }));
    this.waiting = this.waiting.filter((issue) => !late.includes(issue));
  }

  /** Puts requests back in front of those that came later. */
  putBack(issues: readonly PendingIssue[]): void {
    this.waiting.unshift(...issues);
  }
}
