import { Deadline } from '@solegate/postgres-infra';
import type { HeldLock } from '@solegate/redis-infra';
import type { IssueFacts, IssueOptions } from '../contract/checks.js';
import { BusyError } from '../contract/numbering-error.js';
import type { PrintedAddress } from '../contract/requests.js';
import type { DrawnNumbers } from '../draw/draft.js';
import {
  type CounterAddress,
  type LockKey,
  lockKey,
  type Position,
  type ResolvedRequest,
} from '../request/resolved-request.js';
import { KnownCounter } from './known-counter.js';

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
  /** Set when its batch is formed. */
  waitedMs: number;
  settle(drawn: DrawnNumbers): void;
  fail(error: unknown): void;
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

/** Whether the row was last found locked: skipped by a statement (`held`), or waited for in vain (`stuck`). */
type Row = 'free' | 'held' | 'stuck';

/** After a version conflict, how long to skip the version check: another process moves the counter without its lock. */
const UNVERSIONED_MS = 500;
/** How long a counter stays crowded after a wait for its row timed out. */
const CROWD_MS = 2000;

/**
 * The requests in this process waiting for one counter, in order of arrival, and the state of the counter.
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
  readonly known = new KnownCounter();
  #state: 'idle' | 'locking' | 'ready' | 'drawing' | 'pausing' = 'idle';
  #row: Row = 'free';
  #waiting: PendingIssue[] = [];
  #lock: HeldLock | undefined;
  /** The lock was not acquired: the next draw proceeds without it. */
  #isLockRefused = false;
  #mustSkip = false;
  #crowdedUntilMs = 0;
  #unversionedUntilMs = 0;
  /** Why the last wait for its row failed. */
  #lastFailure: Error | undefined;
  /** The width threshold that was last reported. */
  #warnedAt = 0;

  constructor(address: CounterAddress) {
    this.address = address;
    this.lockKey = lockKey(address);
  }

  get isIdle(): boolean {
    return this.#state === 'idle';
  }

  get isEmpty(): boolean {
    return this.#waiting.length === 0;
  }

  get row(): Row {
    return this.#row;
  }

  /** Another process waits for the row: the next draw skips the row if it is still locked. */
  get mustSkip(): boolean {
    return this.#mustSkip;
  }

  /** Its Redis lock, while this process holds it. */
  get lock(): HeldLock | undefined {
    return this.#lock;
  }

  get waiting(): readonly PendingIssue[] {
    return this.#waiting;
  }

  /** Names of the writers that waiting requests want, sorted. */
  get writers(): string[] {
    const names = new Set<string>();
    for (const { attached } of this.#waiting) if (attached) names.add(attached.writer);
    return names.size === 0 ? [] : [...names].sort();
  }

  join(issue: PendingIssue): void {
    this.#waiting.push(issue);
  }

  /** Puts requests that got nothing back to the head. */
  putBack(issues: readonly PendingIssue[]): void {
    this.#waiting.unshift(...issues);
  }

  /** Takes what one statement can draw: one revision and ceiling, dates in order. Late requests are refused. */
  take(countMax: number): PendingIssue[] {
    const late = this.#waiting.filter(({ deadline }) => deadline.hasPassed);
    for (const issue of late) issue.fail(new BusyError({ cause: this.#lastFailure }));
    if (late.length > 0) this.#waiting = this.#waiting.filter((issue) => !late.includes(issue));
    const [head] = this.#waiting;
    let taken = 0;
    let count = 0;
    for (const issue of this.#waiting) {
      const before = this.#waiting[taken - 1] ?? issue;
      const { series, date, ceiling } = issue.resolved;
      const belongs =
        series.revision === head?.resolved.series.revision &&
        ceiling === head.resolved.ceiling &&
        (!series.dateOrder || date >= before.resolved.date);
      if (!belongs || (taken > 0 && count + issue.count > countMax)) break;
      taken += 1;
      count += issue.count;
    }
    return this.#waiting.splice(0, taken);
  }

  takeAll(): PendingIssue[] {
    return this.#waiting.splice(0);
  }

  /** Whether the next draw should first acquire the Redis lock. */
  wantsLock(isAlways: boolean, nowMs: number): boolean {
    return (isAlways || nowMs < this.#crowdedUntilMs) && !this.#lock?.isTrusted && !this.#isLockRefused;
  }

  startLocking(): void {
    this.#state = 'locking';
  }

  /** Ends locking: with the lock, or without, as somebody else holds it. */
  endLocking(lock: HeldLock | undefined): void {
    this.#lock = lock;
    this.#isLockRefused = lock === undefined;
    this.#mustSkip = this.#isLockRefused && this.#row !== 'free';
  }

  becomeReady(): void {
    this.#state = 'ready';
  }

  startDrawing(): void {
    this.#state = 'drawing';
  }

  /** Ends a round; with requests left, the queue decides what comes next. */
  endDrawing(): void {
    this.#isLockRefused = false;
    this.#mustSkip = false;
    this.#state = 'idle';
    if (this.isEmpty) this.#row = 'free';
  }

  startPause(): void {
    this.#state = 'pausing';
  }

  endPause(row: Row): void {
    this.#row = row;
  }

  /** The position at which alone to draw: known while the Redis lock is held. */
  expectedAt(nowMs: number): Position | undefined {
    return this.#lock?.isTrusted === true && nowMs >= this.#unversionedUntilMs
      ? this.known.position
      : undefined;
  }

  /** Gives the Redis lock away, to be released. */
  takeLock(): HeldLock | undefined {
    const lock = this.#lock;
    this.#lock = undefined;
    return lock;
  }

  rowWasFree(): void {
    this.#row = 'free';
  }

  rowWasHeld(): void {
    this.#row = 'held';
  }

  /** A wait for the row timed out, so the counter is crowded for a while. */
  rowWasStuck(failure: Error, nowMs: number): void {
    this.#row = 'stuck';
    this.#lastFailure = failure;
    this.#crowdedUntilMs = nowMs + CROWD_MS;
  }

  versionConflicted(nowMs: number): void {
    this.#unversionedUntilMs = nowMs + UNVERSIONED_MS;
  }

  /** Whether a threshold of the width is reached for the first time. */
  warnsAt(threshold: number): boolean {
    if (this.#warnedAt >= threshold) return false;
    this.#warnedAt = threshold;
    return true;
  }
}
