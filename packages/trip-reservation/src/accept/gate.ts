import { Deadline, settleBy } from '@solegate/postgres-infra';
import { type CircuitBreaker, loadScript, type RedisConnection } from '@solegate/redis-infra';
import { RedisClock } from '../redis/redis-clock.js';
import type { Namespace } from '../sql/namespace.js';
import { confirmTripText } from './lua/confirm-trip.js';
import { holdTripText } from './lua/hold-trip.js';
import { releaseTripText } from './lua/release-trip.js';

/** The answer of the gate. */
export type GateAnswer =
  /** The gate was free; `hold` is the entry now in Redis. */
  | { readonly kind: 'HELD'; readonly hold: string }
  /** A driver is ahead or has the trip already. It might be the caller, through another process. */
  | {
      readonly kind: 'STANDING';
      readonly driverId: bigint;
      readonly isDecided: boolean;
      /** Remaining life of the entry in Redis, in milliseconds. */
      readonly lifeMs: number;
    }
  /** Redis was not called or did not respond. */
  | { readonly kind: 'SKIPPED' };

interface Offer {
  readonly tripId: bigint;
  readonly epoch: number;
}

/** A driver at the gate of an offer. */
export interface GateRequest extends Offer {
  readonly driverId: bigint;
}

export interface TripGateOptions {
  readonly redis: RedisConnection;
  readonly namespace: Namespace;
  readonly circuit: CircuitBreaker;
  /** Distinguishes this process's holds from those of other processes and of its earlier runs. */
  readonly bootId: string;
  /** Maximum wait for a response, in milliseconds. */
  readonly timeoutMs: number;
  readonly failed: (error: Error) => void;
}

/**
 * Life of a hold whose process dies before the commit: the longest time that an offer is blocked. A commit that
 * takes longer is still safe: PostgreSQL decides, and the next driver merely reaches it too.
 */
export const HOLD_MS = 800;
/**
 * How long a decision is shown to all callers. After that, the next call verifies it in PostgreSQL, because a failover
 * might have lost the commit.
 */
export const DECISION_MS = 10_000;

/**
 * Time between two polls of holds, in milliseconds. A few offers can poll often, so that their callers see the commit
 * immediately; many poll together, about as often as commits complete.
 */
const LOOK_MIN_MS = 1;
const LOOK_MAX_MS = 5;
const LOOKERS_PER_MS = 4;

const DECIDED = 'DECIDED';
/** The driver, then the process or `DECIDED`. */
const HOLD = /^(\d{1,19}):(\w+)$/;

const holdTrip = loadScript({
  name: 'hold-trip',
  text: holdTripText,
  keyCount: 1,
  decode: (reply) => {
    const [standing, redisMs, lifeMs] = reply as [string, number, number];
    return { standing, redisMs, lifeMs };
  },
});

const confirmTrip = loadScript({
  name: 'confirm-trip',
  text: confirmTripText,
  keyCount: 1,
  decode: (reply) => reply === 1,
});

const releaseTrip = loadScript({
  name: 'release-trip',
  text: releaseTripText,
  keyCount: 1,
  decode: (reply) => reply === 1,
});

/**
 * Turns away the crowd in Redis but never decides: with an empty, slow, failed-over or missing Redis, the gate
 * only lets more drivers through to PostgreSQL. Failures are reported to the circuit breaker and returned as
 * `SKIPPED`.
 *
 * The connection can be a plain `new Redis()`, which queues, resends and waits forever, so nothing relies on it. The
 * gate uses it only when it is ready, and waits at most `timeoutMs` for a response. Each command carries the time after
 * which its result is no longer wanted, so a command that is sent late does nothing.
 */
export class TripGate {
  readonly #options: TripGateOptions;
  readonly #clock = new RedisClock();
  #unconfirmed: GateRequest[] = [];
  #nextLook: Promise<void> | undefined;
  /** Rounds that wait for the next poll. */
  #lookerCount = 0;
  #lookMs = LOOK_MIN_MS;

  constructor(options: TripGateOptions) {
    this.#options = options;
  }

  /**
   * Tries to acquire a hold for the driver; safe to repeat.
   *
   * @param givenUpHold the caller's own hold of this offer, which the new one replaces
   */
  async hold(request: GateRequest, givenUpHold = ''): Promise<GateAnswer> {
    const hold = `${request.driverId}:${this.#options.bootId}`;
    const deadline = Deadline.after(this.#options.timeoutMs);
    const ask = async (key: string) => {
      const askedAt = performance.now();
      const args = [hold, HOLD_MS, givenUpHold, this.#clock.moment(deadline.leftMs)];
      const answer = await holdTrip.run(this.#options.redis, [key], args);
      this.#clock.learn(answer.redisMs, askedAt);
      return answer;
    };
    // LATE, yet answered in time: the estimate of Redis's clock was wrong and has now been corrected.
    const answer = await this.#ask(
      request,
      async (key) => {
        const first = await ask(key);
        return first.standing === 'LATE' ? ask(key) : first;
      },
      deadline,
    );
    if (answer === undefined || answer.standing === 'LATE') return { kind: 'SKIPPED' };
    return answer.standing === 'HELD' ? { kind: 'HELD', hold } : this.#standing(answer);
  }

  /**
   * Shows all callers for a while who has the trip, once the reservation is committed. Best effort, not awaited. The
   * commands of one event-loop turn are sent together, after the crowds were answered.
   */
  confirm(request: GateRequest): void {
    if (this.#unconfirmed.length === 0) setImmediate(() => this.#confirmAll());
    this.#unconfirmed.push(request);
  }

  #confirmAll(): void {
    const requests = this.#unconfirmed;
    this.#unconfirmed = [];
    const { redis, timeoutMs } = this.#options;
    const wantedUntil = this.#clock.moment(timeoutMs);
    for (const request of requests) {
      const args = [`${request.driverId}:${DECIDED}`, DECISION_MS, wantedUntil];
      void this.#ask(request, (key) => confirmTrip.run(redis, [key], args));
    }
  }

  /** Resolves at the next poll. All rounds that wait on a hold share one timer, so their commands are sent together. */
  untilNextLook(): Promise<void> {
    this.#lookerCount += 1;
    this.#nextLook ??= new Promise((resolve) => {
      setTimeout(() => {
        const wantedMs = this.#lookerCount / LOOKERS_PER_MS;
        this.#lookMs = Math.min(LOOK_MAX_MS, Math.max(LOOK_MIN_MS, wantedMs));
        this.#lookerCount = 0;
        this.#nextLook = undefined;
        resolve();
      }, this.#lookMs);
    });
    return this.#nextLook;
  }

  /** Removes the hold if it is still there. Best effort, not awaited. */
  release(offer: Offer, hold: string): void {
    const { redis } = this.#options;
    void this.#ask(offer, (key) => releaseTrip.run(redis, [key], [hold]));
  }

  /**
   * Removes a decision that is no longer valid, so that late drivers get the precise reason from PostgreSQL.
   */
  forget(request: GateRequest): void {
    this.release(request, `${request.driverId}:${DECIDED}`);
  }

  /**
   * Runs a command on the key of the offer: one key each, so that it works in any slot of a Redis Cluster. Never throws;
   * undefined if Redis was not called or did not respond in time.
   */
  async #ask<Answer>(
    { tripId, epoch }: Offer,
    command: (key: string) => Promise<Answer>,
    deadline = Deadline.after(this.#options.timeoutMs),
  ): Promise<Answer | undefined> {
    const { redis, namespace, circuit, timeoutMs, failed } = this.#options;
    // A lazy connection is opened by its first command; do not wait for that here.
    if (redis.status === 'wait') redis.connect().catch(() => undefined);
    if (redis.status !== 'ready' || !circuit.allows()) return undefined;
    try {
      const late = () => new Error(`Redis did not respond within ${timeoutMs} ms`);
      const key = `trip_lock:${await namespace.read(deadline)}:${tripId}:${epoch}`;
      const answer = await settleBy(command(key), deadline, late);
      circuit.succeeded();
      return answer;
    } catch (error) {
      circuit.failed();
      failed(error instanceof Error ? error : new Error(String(error)));
      return undefined;
    }
  }

  /** Another program might have written to the key; the gate is skipped if the value is unknown. */
  #standing({ standing, lifeMs }: { standing: string; lifeMs: number }): GateAnswer {
    const [, driverId, mark] = HOLD.exec(standing) ?? [];
    if (driverId === undefined) {
      this.#options.failed(
        new Error(`the key of an offer holds "${standing}", which this package did not write`),
      );
      return { kind: 'SKIPPED' };
    }
    return { kind: 'STANDING', driverId: BigInt(driverId), isDecided: mark === DECIDED, lifeMs };
  }
}
