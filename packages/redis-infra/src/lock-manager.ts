// oxlint-disable-next-line typescript/triple-slash-reference -- whoever compiles these sources needs the ambient module
/// <reference path="./redlock.d.ts" />
import Redlock, { ExecutionError, type Lock, ResourceLockedError } from 'redlock';

import type { RedisConnection } from './connect-redis.js';
import { mightSend, type RedisFailure, RedisUnavailableError, redisFailure } from './redis-failure.js';

/*
 * Locks that narrow a crowd.
 *
 * Who is authoritative: nobody here. A lock ends by itself when its time is over, also under a holder that was
 * paused, and a failover may forget it; so two may believe that they hold it. What must not happen twice is guarded
 * where it is written (a version, a unique key, a row lock). The lock saves the losers that work.
 *
 * States of one lock: free -> held -> released, or lost (its time passed, or the servers forgot it).
 *
 * | asked | answer | means |
 * |---|---|---|
 * | tryAcquire | held | it is ours for `ttlMs`, counted from before the attempt |
 * | tryAcquire | busy | another holds it: an outcome, not a fault |
 * | tryAcquire | RedisUnavailableError | no server (or no quorum) could be asked |
 * | tryAcquire | RedisOutcomeUnknownError | asked, no answer: the lock may be set, to nobody's use, until it expires |
 * | extend | lost | it is no longer ours; what it covered must stop |
 * | release | any | never an error: the lock ends by itself anyway |
 *
 * Timing: a lock is trusted until attemptStarted + ttlMs - (1 % of ttlMs + 2 ms), on a clock that never goes back.
 * One attempt is made, never repeated here, so no waiting eats the time that was granted. A busy answer costs two
 * round trips, because redlock takes back what it may have set on some of the servers.
 */

/** Options of {@link createLockManager}. */
export interface LockManagerOptions {
  /** A clock in milliseconds that never goes back. Default: `performance.now`. */
  readonly now?: () => number;
  /** Hears of each server that failed, also when a quorum of the others outvoted it. */
  readonly onServerFailure?: (failure: RedisFailure) => void;
}

/** How a lock is asked for. */
export interface AcquireOptions {
  /** The lock ends by itself after so many milliseconds; a whole number of at least 10. */
  readonly ttlMs: number;
}

/** The answer to a request for a lock. */
export type LockOutcome = { readonly kind: 'held'; readonly lock: HeldLock } | { readonly kind: 'busy' };

/** The answer to a request for more time. */
export type ExtendOutcome = { readonly kind: 'held' } | { readonly kind: 'lost' };

/** What became of a lock that was given back; in all three cases it is free at its expiry at the latest. */
export type ReleaseOutcome =
  | { readonly kind: 'released' }
  | { readonly kind: 'lost' }
  | { readonly kind: 'unknown'; readonly failure: RedisFailure };

/** A lock that was obtained. */
export interface HeldLock {
  /** The Redis key. */
  readonly resource: string;
  /** Whether the granted time surely still runs; `false` says: stop, another may hold it. */
  readonly isTrusted: boolean;
  /**
   * Asks for `ttlMs` from now on.
   *
   * @throws RedisUnavailableError, RedisOutcomeUnknownError: the time granted before still holds
   */
  extend(options: AcquireOptions): Promise<ExtendOutcome>;
  /** Gives the lock back. Never rejects, so it need not be awaited before a caller is answered. */
  release(): Promise<ReleaseOutcome>;
}

/** Gives out locks of one Redis, or of a majority of several independent ones. */
export interface LockManager {
  /**
   * Asks once for the lock of a resource (the Redis key). Settles within four command timeouts of the connection;
   * a free lock usually takes one round trip.
   *
   * @throws RedisUnavailableError, RedisOutcomeUnknownError; RangeError for a bad `ttlMs`
   */
  tryAcquire(resource: string, options: AcquireOptions): Promise<LockOutcome>;
}

/** redlock counts a hundredth of the time as drift between clocks, and 2 ms for the grain of expiry. */
const driftMs = (ttlMs: number): number => Math.round(ttlMs * 0.01) + 2;

/** Not exported: its fields are redlock's, whose types no caller could resolve. */
class RedlockManager implements LockManager {
  readonly #redlock: Redlock;
  readonly #connections: readonly RedisConnection[];
  readonly #now: () => number;

  constructor(connections: readonly RedisConnection[], options: LockManagerOptions = {}) {
    this.#connections = connections;
    this.#now = options.now ?? (() => performance.now());
    this.#redlock = new Redlock(connections, { retryCount: 0, driftFactor: 0.01 });
    this.#redlock.on('error', (error: unknown) => {
      if (!(error instanceof ResourceLockedError)) options.onServerFailure?.(redisFailure(error, true));
    });
  }

  async tryAcquire(resource: string, { ttlMs }: AcquireOptions): Promise<LockOutcome> {
    assertTtl(ttlMs);
    const isSendable = this.#connections.some(mightSend);
    const startedAtMs = this.#now();
    try {
      const lock = await this.#redlock.acquire([resource], ttlMs);
      const trustedUntilMs = startedAtMs + ttlMs - driftMs(ttlMs);
      return {
        kind: 'held',
        lock: new RedlockLock({ redlock: this.#redlock, lock, trustedUntilMs, now: this.#now }),
      };
    } catch (error) {
      const refusal = await refusalOf(error, isSendable);
      if (refusal === 'locked') return { kind: 'busy' };
      throw refusal;
    }
  }
}

interface HeldLockParts {
  readonly redlock: Redlock;
  readonly lock: Lock;
  readonly trustedUntilMs: number;
  readonly now: () => number;
}

class RedlockLock implements HeldLock {
  readonly #redlock: Redlock;
  readonly #now: () => number;
  #lock: Lock;
  #trustedUntilMs: number;

  constructor({ redlock, lock, trustedUntilMs, now }: HeldLockParts) {
    this.#redlock = redlock;
    this.#lock = lock;
    this.#trustedUntilMs = trustedUntilMs;
    this.#now = now;
  }

  get resource(): string {
    return this.#lock.resources[0] ?? '';
  }

  get isTrusted(): boolean {
    return this.#now() < this.#trustedUntilMs;
  }

  async extend({ ttlMs }: AcquireOptions): Promise<ExtendOutcome> {
    assertTtl(ttlMs);
    const startedAtMs = this.#now();
    try {
      this.#lock = await this.#redlock.extend(this.#lock, ttlMs);
      this.#trustedUntilMs = startedAtMs + ttlMs - driftMs(ttlMs);
      return { kind: 'held' };
    } catch (error) {
      const refusal = await refusalOf(error, true);
      if (refusal !== 'locked') throw refusal;
      this.#trustedUntilMs = startedAtMs;
      return { kind: 'lost' };
    }
  }

  async release(): Promise<ReleaseOutcome> {
    this.#trustedUntilMs = Number.NEGATIVE_INFINITY;
    try {
      await this.#redlock.release(this.#lock);
      return { kind: 'released' };
    } catch (error) {
      const refusal = await refusalOf(error, true);
      return refusal === 'locked' ? { kind: 'lost' } : { kind: 'unknown', failure: refusal };
    }
  }
}

/** Makes a lock manager over one connection, or over several independent servers of which a majority decides. */
export function createLockManager(
  connections: RedisConnection | readonly RedisConnection[],
  options?: LockManagerOptions,
): LockManager {
  return new RedlockManager([connections].flat(), options);
}

/** Why there was no quorum: 'locked' when the servers that answered refused, else what kept them from answering. */
async function refusalOf(error: unknown, isSendable: boolean): Promise<'locked' | RedisFailure> {
  if (!(error instanceof ExecutionError)) return redisFailure(error, isSendable);
  const [attempt] = error.attempts;
  // Not even attempted: redlock knows by its clock that the time of the lock has passed.
  if (!attempt) return 'locked';
  const { votesAgainst, quorumSize } = await attempt;
  const failures = [...votesAgainst.values()]
    .filter((vote) => !(vote instanceof ResourceLockedError))
    .map((vote) => redisFailure(vote, isSendable));
  const lockedCount = votesAgainst.size - failures.length;
  if (lockedCount >= quorumSize || failures.length === 0) return 'locked';
  const worst = failures.find((failure) => !(failure instanceof RedisUnavailableError));
  return worst ?? failures[0] ?? new RedisUnavailableError('No lock server answered');
}

function assertTtl(ttlMs: number): void {
  if (Number.isInteger(ttlMs) && ttlMs >= 10) return;
  throw new RangeError(`ttlMs must be a whole number of milliseconds, at least 10, not ${ttlMs}.`);
}
