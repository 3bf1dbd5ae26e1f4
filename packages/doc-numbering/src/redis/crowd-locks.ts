import { setTimeout as pause } from 'node:timers/promises';
import { Deadline, settleBy } from '@solegate/postgres-infra';
import type { HeldLock, LockManager, LockOutcome, RedisConnection } from '@solegate/redis-infra';
import type { CircuitBreaker } from '@solegate/redis-infra/calls';
import type { Settings } from '../contract/checks.js';

export interface RedisOptions extends Settings {
  readonly redis: RedisConnection;
  readonly circuit: CircuitBreaker;
}

/** Returns the reply of Redis, or `undefined` if there is none; reports either to the circuit. */
export async function askRedis<Reply>(
  { redis, circuit }: RedisOptions,
  ask: () => Promise<Reply>,
): Promise<Reply | undefined> {
  try {
    if (redis.status !== 'ready') throw new Error('Redis is not connected');
    const reply = await ask();
    circuit.succeeded();
    return reply;
  } catch {
    circuit.failed();
    return undefined;
  }
}

/** Pause between two attempts at a busy lock, reduced by up to half at random. */
const POLL_MS = 20;
/** Longest wait for one reply, and its minimum when the whole wait is nearly over. */
const ANSWER_MS = 100;
const ANSWER_MIN_MS = 20;

/**
 * The Redis half of the double lock: of all processes that want a crowded counter, one waits for its row, and the
 * others wait here, without a connection. It decides nothing: its holder still draws by version, and a process that
 * does not get it in time draws without it.
 */
export class CrowdLocks {
  readonly #options: RedisOptions;
  readonly #manager: Promise<LockManager>;

  constructor(options: RedisOptions) {
    this.#options = options;
    // Loaded only here: an application without Redis has no client for it. A bundle of webpack stays one file.
    this.#manager = import(/* webpackMode: "eager" */ '@solegate/redis-infra').then(({ createLockManager }) =>
      createLockManager(options.redis),
    );
    this.#manager.catch(() => undefined);
  }

  /** Acquires the lock; returns `undefined` after `lockWaitMs` at most. Never rejects. */
  async take(resource: string): Promise<HeldLock | undefined> {
    const { circuit, observer, lockWaitMs, now, random } = this.#options;
    if (!circuit.allows()) {
      observer.fellBack?.({ reason: 'CIRCUIT_OPEN' });
      return undefined;
    }
    const askedMs = now();
    const deadline = Deadline.after(lockWaitMs);
    let outcome = await this.#ask(resource, deadline);
    while (outcome.kind === 'BUSY' && !deadline.hasPassed) {
      await pause(POLL_MS * (0.5 + random() / 2));
      outcome = await this.#ask(resource, deadline);
    }
    observer.lockWaited?.({ waitedMs: now() - askedMs, outcome: outcome.kind });
    if (outcome.kind === 'HELD') return outcome.lock;
    observer.fellBack?.({ reason: outcome.kind });
    return undefined;
  }

  /** Releases a lock. Callers do not wait for this; if it fails, the lock expires by itself. */
  async release(lock: HeldLock): Promise<void> {
    const outcome = await lock.release();
    if (outcome.kind === 'UNKNOWN') this.#options.observer.releaseFailed?.(outcome.failure);
  }

  async #ask(resource: string, deadline: Deadline): Promise<LockOutcome | { readonly kind: 'UNAVAILABLE' }> {
    const answerMs = Math.min(ANSWER_MS, Math.max(ANSWER_MIN_MS, deadline.leftMs));
    let asked: Promise<LockOutcome> | undefined;
    const outcome = await askRedis(this.#options, async () => {
      asked = (await this.#manager).tryAcquire(resource, { ttlMs: this.#options.lockTtlMs });
      return settleBy(asked, Deadline.after(answerMs), () => new Error('no answer'));
    });
    if (outcome) return outcome;
    // A paused Redis can still grant the lock when it resumes, although no one waits for it any more.
    asked?.then(
      (late) => (late.kind === 'HELD' ? this.release(late.lock) : undefined),
      () => undefined,
    );
    return { kind: 'UNAVAILABLE' };
  }
}
