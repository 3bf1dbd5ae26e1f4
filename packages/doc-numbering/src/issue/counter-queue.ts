import { Deadline, notApplied, PostgresFailure } from '@solegate/postgres-infra';
import type { HeldLock } from '@solegate/redis-infra';
import type { IssueOptions } from '../contract/checks.js';
import { BusyError, type NumberingError, StoreUnavailableError } from '../contract/numbering-error.js';
import type { PrintedAddress } from '../contract/requests.js';
import type { DrawnNumbers, WantedNumbers } from '../draw/draft.js';
import {
  type CounterAddress,
  type LockKey,
  lockKey,
  type Position,
  type ResolvedRequest,
} from '../request/resolved-request.js';
import { KnownCounter } from './known-counter.js';

/** A request waiting for its numbers. */
export interface PendingIssue extends WantedNumbers {
  readonly request: PrintedAddress;
  /** Replaced while it waits if the rules of its series change. */
  resolved: ResolvedRequest;
  /** Set when its batch is formed. */
  waitedMs: number;
  readonly attached: IssueOptions['attached'];
  readonly deadline: Deadline;
  readonly arrivedMs: number;
  /** What the observer's `requestQueued` returned. */
  readonly origin: unknown;
  settle(drawn: DrawnNumbers): void;
  fail(error: unknown): void;
}

/** Minimum time for every statement, besides its wait: a request near its deadline must not cut off those that share it. */
const STATEMENT_MS = 500;

/** Share of the remaining time that a wait for a row can take: the reply must arrive before the deadline. */
const WAIT_SHARE = 0.9;

/** Longest wait for a row, in whole milliseconds from 1. */
export const longestWaitMs = (deadline: Deadline): number =>
  Math.max(1, Math.floor(deadline.leftMs * WAIT_SHARE));

/**
 * Returns the limits of a statement that requests share. It waits for rows no longer than the earliest request can wait, and
 * has time for its reply after that.
 *
 * @param rowWaitMs longest wait for rows; `undefined` if it waits for none
 */
export function limitsOf(
  issues: readonly PendingIssue[],
  rowWaitMs: number | undefined,
): { readonly deadline: Deadline; readonly waitMs: number | undefined } {
  const [first, ...others] = issues.map(({ deadline }) => deadline);
  if (!first) throw new Error('a round without requests');
  const earliest = Deadline.earliest([first, ...others]);
  const waitMs = rowWaitMs && Math.min(rowWaitMs, longestWaitMs(earliest));
  const leastMs = STATEMENT_MS + (waitMs ?? 0);
  return { deadline: earliest.leftMs < leastMs ? Deadline.after(leastMs) : earliest, waitMs };
}

/** What a counter shows of itself; only its methods change it. */
interface CounterState {
  phase: 'idle' | 'locking' | 'ready' | 'drawing' | 'pausing';
  /** Whether the row was last found locked: skipped by a statement (`held`), or waited for in vain (`stuck`). */
  row: 'free' | 'held' | 'stuck';
  /** Another process waits for the row: the next draw skips the row if it is still locked. */
  mustSkip: boolean;
  /** The counter's Redis lock, while this process holds it. */
  lock: HeldLock | undefined;
}

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
  readonly #state: CounterState = { phase: 'idle', row: 'free', mustSkip: false, lock: undefined };
  readonly state: Readonly<CounterState> = this.#state;
  readonly #waiting: PendingIssue[] = [];
  readonly waiting: readonly PendingIssue[] = this.#waiting;
  /** The lock was not acquired: the next draw proceeds without it. */
  #isLockRefused = false;
  #crowdedUntilMs = 0;
  #unversionedUntilMs = 0;
  /** Why the last wait for its row failed, or the last draw, until PostgreSQL replies. */
  #lastFailure: Error | undefined;
  /** The width threshold that was last reported. */
  #warnedAt = 0;

  constructor(address: CounterAddress) {
    this.address = address;
    this.lockKey = lockKey(address);
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
    this.refuseLate();
    let taken = 0;
    let count = 0;
    let last = this.#waiting[0]?.resolved;
    for (const { resolved, count: wanted } of this.#waiting) {
      const belongs =
        resolved.series.revision === last?.series.revision &&
        resolved.ceiling === last.ceiling &&
        (!resolved.series.dateOrder || resolved.date >= last.date);
      if (!belongs || (taken > 0 && count + wanted > countMax)) break;
      taken += 1;
      count += wanted;
      last = resolved;
    }
    return this.#waiting.splice(0, taken);
  }

  /** Refuses late requests; returns how long the others can wait, in milliseconds. */
  refuseLate(): number {
    let keptCount = 0;
    let shortestMs = Number.POSITIVE_INFINITY;
    for (const issue of this.#waiting) {
      const { leftMs } = issue.deadline;
      if (leftMs === 0) issue.fail(lateError(this.#lastFailure));
      else {
        this.#waiting[keptCount] = issue;
        keptCount += 1;
        shortestMs = Math.min(shortestMs, leftMs);
      }
    }
    this.#waiting.length = keptCount;
    return shortestMs;
  }

  takeAll(): PendingIssue[] {
    return this.#waiting.splice(0);
  }

  /** Names of the writers that waiting requests want, sorted. */
  writers(): string[] {
    const names = new Set<string>();
    for (const { attached } of this.#waiting) if (attached) names.add(attached.writer);
    return [...names].sort();
  }

  /** Whether the next draw should first acquire the Redis lock. */
  wantsLock(isAlways: boolean, nowMs: number): boolean {
    const isWanted = isAlways || nowMs < this.#crowdedUntilMs;
    return isWanted && !this.#state.lock?.isTrusted && !this.#isLockRefused;
  }

  enter(phase: 'locking' | 'ready' | 'drawing' | 'pausing'): void {
    this.#state.phase = phase;
  }

  /** Ends locking: with the lock, or without, as somebody else holds it. */
  endLocking(lock: HeldLock | undefined): void {
    this.#isLockRefused = lock === undefined;
    this.#state.lock = lock;
    this.#state.mustSkip = lock === undefined && this.#state.row !== 'free';
  }

  /** Ends a round; with requests left, the queue decides what comes next. */
  endDrawing(): void {
    this.#isLockRefused = false;
    this.#state.mustSkip = false;
    this.#state.phase = 'idle';
    if (this.#waiting.length === 0) this.findRow('free');
  }

  /** The position at which alone to draw: known while the Redis lock is held. */
  expectedAt(nowMs: number): Position | undefined {
    const isVersioned = this.#state.lock?.isTrusted === true && nowMs >= this.#unversionedUntilMs;
    return isVersioned ? this.known.position : undefined;
  }

  /** Gives the Redis lock away, to be released. */
  takeLock(): HeldLock | undefined {
    const { lock } = this.#state;
    this.#state.lock = undefined;
    return lock;
  }

  findRow(row: CounterState['row']): void {
    this.#state.row = row;
    if (row === 'free') this.#lastFailure = undefined;
  }

  /** A draw failed; those who still wait have waited for it, and have asked for nothing themselves. */
  drawFailed(failure: PostgresFailure): void {
    this.#lastFailure = notApplied(failure);
  }

  /** A wait for the row timed out, so the counter is crowded for a while. */
  waitTimedOut(failure: Error, nowMs: number): void {
    this.findRow('stuck');
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

/** Why a request got no number in its time, although no statement has asked for it. */
function lateError(cause: Error | undefined): NumberingError {
  const isUnavailable = cause instanceof PostgresFailure && cause.kind === 'UNAVAILABLE';
  return isUnavailable ? new StoreUnavailableError({ cause }) : new BusyError({ cause });
}
