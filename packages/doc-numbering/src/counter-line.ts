import type { Standing } from './batch.js';
import type { Pass } from './counter-locks.js';
import { type LockKey, lockKey } from './lock-key.js';
import type { OpenedCounter } from './open-counters.js';
import type { PendingIssue } from './pending-issue.js';
import type { CounterAddress } from './resolved-request.js';

/**
 * Everybody in this process who waits for one counter, in order of arrival, and what the process knows of the counter.
 *
 * ```
 *   idle ── a request comes ──> ready ── a flight has room ──> flying ──> idle, or ready while requests are left
 *                                 ^                              |
 *                                 +── handed over, or 100 ms ── queued      (its Redis lock is busy)
 *                                 +── pause over ───────────── pausing     (its version was moved under an ended lock)
 * ```
 */
export class CounterLine {
  readonly lockKey: LockKey;
  state: 'idle' | 'ready' | 'flying' | 'queued' | 'pausing' = 'idle';
  waiting: PendingIssue[] = [];
  counterId: string | undefined;
  /** Where the counter stood when this process last heard of it. */
  standing: Standing | undefined;
  /** Highest number that this process knows to have been issued. */
  highWaterMark = 0;
  /** What the next flight goes on with; `undefined` asks Redis. */
  pass: Pass | undefined;
  /** Until then Redis is not asked for this counter: its lock was busy for too long. */
  bareUntilMs = 0;
  /** Until then its row alone keeps order, under the lock or not: somebody moves it without the lock. */
  unversionedUntilMs = 0;
  /** Conflicts in a row, with pauses between. */
  conflictCount = 0;
  /** Width of the format last used. */
  width: number | undefined;
  /** Threshold of the width that was told last. */
  warnedAt = 0;

  constructor(
    readonly address: CounterAddress,
    readonly key: string,
  ) {
    this.lockKey = lockKey(address);
  }

  /** Takes note of the counter's row. */
  open(counter: OpenedCounter | undefined): void {
    if (!counter) throw new Error(`PostgreSQL did not create the counter ${this.key}`);
    this.counterId = counter.counterId;
    this.learn(counter.standing);
  }

  /** Takes note of where the counter stands, as PostgreSQL said last. */
  learn(standing: Standing): void {
    this.standing = standing;
    this.highWaterMark = Math.max(this.highWaterMark, standing.last);
  }

  /** Takes note of where the counter stood when another process gave the lock back. */
  hear(hint: Standing): void {
    if (!this.standing || hint.last > this.standing.last) this.learn(hint);
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

  /** Puts requests back in front of those that came later. */
  putBack(issues: readonly PendingIssue[]): void {
    this.waiting.unshift(...issues);
  }
}
