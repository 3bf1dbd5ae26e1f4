// oxlint-disable-next-line typescript/triple-slash-reference -- compiling these sources needs the ambient module
/// <reference path="./redlock.d.ts" />
import Redlock, { ExecutionError, type Lock, ResourceLockedError } from 'redlock';

import { assertRedisConnection } from './assert-redis-connection.js';
import type { RedisConnection } from './connect-redis.js';
import { refuseUnknownOptions } from './option-names.js';
import { mightSend, type RedisFailure, RedisUnavailableError, redisFailure } from './redis-failure.js';

/*
 * Advisory locks that reduce contention.
 *
 * Authority: none. A lock expires when its time is over, even while its holder is paused, and a failover can lose it,
 * so two processes can believe that they hold it. Whatever must not happen twice is guarded where it is written (a
 * version, a unique key, a row lock). The lock only saves the losers that work.
 *
 * States of one lock: free -> held -> released, or lost (it expired, or the servers lost it).
 *
 * | call | result | meaning |
 * |---|---|---|
 * | tryAcquire | HELD | the caller has it for `ttlMs`, counted from before the attempt |
 * | tryAcquire | BUSY | another process holds it: an outcome, not a fault |
 * | tryAcquire | RedisUnavailableError | no server (or no quorum) was reachable |
 * | tryAcquire | RedisOutcomeUnknownError | sent, no reply: the lock might be set, held by no one, until it expires |
 * | release | any | never an error: the lock expires anyway |
 *
 * Timing: a lock is trusted until attemptStarted + ttlMs - (1 % of ttlMs + 2 ms), on a monotonic clock. There is one
 * attempt and no retry, so no wait consumes the granted time. A busy result costs two round trips, because redlock
 * undoes what it might have set on some of the servers.
 */

/** Options of {@link createLockManager}. */
export interface LockManagerOptions {
  /** A monotonic clock in milliseconds. Default: `performance.now`. */
  readonly now?: () => number;
  /** Called for each server that failed, even if a quorum of the others outvoted it. */
  readonly onServerFailure?: (failure: RedisFailure) => void;
}

/** Options of `tryAcquire`. */
export interface AcquireOptions {
  /** The lock expires after this many milliseconds; a whole number of at least 10. */
  readonly ttlMs: number;
}

/** The result of `tryAcquire`. */
export type LockOutcome = { readonly kind: 'HELD'; readonly lock: HeldLock } | { readonly kind: 'BUSY' };

/** The result of `release`. In all three cases the lock is free at its expiry at the latest. */
export type ReleaseOutcome =
  | { readonly kind: 'RELEASED' }
  | { readonly kind: 'LOST' }
  | { readonly kind: 'UNKNOWN'; readonly failure: RedisFailure };

/** A lock that was acquired. */
export interface HeldLock extends AsyncDisposable {
  /** The Redis key. */
  readonly resource: string;
  /** Whether the lock is certainly still held. If `false`, stop: another process might hold it. */
  readonly isTrusted: boolean;
  /** Releases the lock. Never rejects, so callers need not await it before they respond. */
  release(): Promise<ReleaseOutcome>;
}

/** Acquires locks from one Redis, or from a majority of several independent ones. */
export interface LockManager {
  /**
   * Makes one attempt to lock a resource (the Redis key). Settles within four command timeouts of the connection; a
   * free lock usually takes one round trip.
   *
   * @throws RedisUnavailableError, RedisOutcomeUnknownError; RangeError for an invalid `ttlMs`
   */
  tryAcquire(resource: string, options: AcquireOptions): Promise<LockOutcome>;
}

/** redlock allows for a hundredth of the time as clock drift, and 2 ms for the precision of expiry. */
const driftMs = (ttlMs: number): number => Math.round(ttlMs * 0.01) + 2;

/** Not exported: its fields have types of redlock that callers could not resolve. */
class RedlockManager implements LockManager {
  readonly #redlock: Redlock;
  readonly #connections: readonly RedisConnection[];
  readonly #now: () => number;

  constructor(connections: readonly RedisConnection[], options: LockManagerOptions = {}) {
    refuseUnknownOptions(options, { now: true, onServerFailure: true });
    for (const connection of connections) assertRedisConnection(connection);
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
      const isTrustedNow = () => this.#now() < trustedUntilMs;
      return { kind: 'HELD', lock: new RedlockLock(this.#redlock, lock, isTrustedNow) };
    } catch (error) {
      const refusal = await refusalOf(error, isSendable);
      if (refusal === 'locked') return { kind: 'BUSY' };
      throw refusal;
    }
  }
}

class RedlockLock implements HeldLock {
  readonly #redlock: Redlock;
  readonly #lock: Lock;
  #isTrustedNow: () => boolean;

  constructor(redlock: Redlock, lock: Lock, isTrustedNow: () => boolean) {
    this.#redlock = redlock;
    this.#lock = lock;
    this.#isTrustedNow = isTrustedNow;
  }

  get resource(): string {
    return this.#lock.resources[0] ?? '';
  }

  get isTrusted(): boolean {
    return this.#isTrustedNow();
  }

  async release(): Promise<ReleaseOutcome> {
    this.#isTrustedNow = () => false;
    try {
      await this.#redlock.release(this.#lock);
      return { kind: 'RELEASED' };
    } catch (error) {
      const refusal = await refusalOf(error, true);
      return refusal === 'locked' ? { kind: 'LOST' } : { kind: 'UNKNOWN', failure: refusal };
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.release();
  }
}

/** Creates a lock manager over one connection, or over several independent servers that decide by majority. */
export function createLockManager(
  connections: RedisConnection | readonly RedisConnection[],
  options?: LockManagerOptions,
): LockManager {
  return new RedlockManager([connections].flat(), options);
}

/** Returns why there was no quorum: 'locked' if the servers that replied refused, else why they did not reply. */
async function refusalOf(error: unknown, isSendable: boolean): Promise<'locked' | RedisFailure> {
  if (!(error instanceof ExecutionError)) return redisFailure(error, isSendable);
  const [attempt] = error.attempts;
  const { votesAgainst, quorumSize } = await attempt;
  const failures = [...votesAgainst.values()]
    .filter((vote) => !(vote instanceof ResourceLockedError))
    .map((vote) => redisFailure(vote, isSendable));
  const lockedCount = votesAgainst.size - failures.length;
  if (lockedCount >= quorumSize || failures.length === 0) return 'locked';
  const worst = failures.find((failure) => !(failure instanceof RedisUnavailableError));
  return worst ?? failures[0] ?? new RedisUnavailableError('No lock server replied');
}

function assertTtl(ttlMs: number): void {
  if (Number.isInteger(ttlMs) && ttlMs >= 10) return;
  throw new RangeError(`ttlMs must be a whole number of milliseconds, at least 10, not ${ttlMs}.`);
}
