import { Deadline, settleBy } from '@solegate/postgres-infra';
import type { RedisConnection } from '@solegate/redis-infra';
import { type CircuitBreaker, loadScript } from '@solegate/redis-infra/calls';
import type { Namespace } from '../sql/namespace.js';
import { RedisClock } from '../timing/redis-clock.js';
import type { GateNotices } from './gate-notices.js';
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
      /** Whether the process that ends the hold will notify this one. */
      readonly isNotified: boolean;
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

/** Asks for a hold on behalf of a driver. */
interface HoldRequest extends GateRequest {
  /** Of the call: the gate takes at most half of what is left, so that the statement that follows has its time. */
  readonly deadline: Deadline;
  /** The caller's own hold of this offer, which the new one replaces; empty if there is none. */
  readonly ownHold: string;
  /** Whether to be notified of the end of another process's hold, if that is possible. */
  readonly isWaiting: boolean;
}

export interface TripGateOptions {
  readonly redis: RedisConnection;
  readonly namespace: Namespace;
  readonly circuit: CircuitBreaker;
  /** Undefined: no notices are heard. */
  readonly notices: GateNotices | undefined;
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

const DECIDED = 'DECIDED';
/** The driver, then the process or `DECIDED`. */
const HOLD = /^(\d{1,19}):(\w+)$/;

const holdTrip = loadScript({
  name: 'hold-trip',
  text: holdTripText,
  keyCount: 1,
  decode: (reply) => {
    const [standing, redisMs, lifeMs] = reply as [string, number, number];
    return { standing, redisMs, lifeMs, isLate: standing === 'LATE' };
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
  readonly notices: GateNotices | undefined;
  #unconfirmed: GateRequest[] = [];

  constructor(options: TripGateOptions) {
    this.#options = options;
    this.notices = options.notices;
  }

  /** Tries to acquire a hold for the driver; safe to repeat. */
  async hold({ ownHold, isWaiting, ...request }: HoldRequest): Promise<GateAnswer> {
    const hold = `${request.driverId}:${this.#options.bootId}`;
    const deadline = request.deadline.atMost(Math.min(this.#options.timeoutMs, request.deadline.leftMs / 2));
    const listenerId = (isWaiting && this.notices?.listenerId) || '';
    const answer = await this.#ask(
      request,
      (key, channel) => {
        if (isWaiting) this.notices?.listen(channel);
        return this.#clock.ask(deadline, (moment) => {
          const args = [hold, HOLD_MS, ownHold, moment, listenerId];
          return holdTrip.run(this.#options.redis, [key], args);
        });
      },
      deadline,
    );
    if (answer === undefined) return { kind: 'SKIPPED' };
    return answer.standing === 'HELD' ? { kind: 'HELD', hold } : this.#standing(answer, listenerId !== '');
  }

  /**
   * Shows all callers for a while who has the trip, once the reservation is committed. Best effort, not awaited. The
   * commands of one event-loop turn are sent together, after the crowds were answered.
   *
   * @param isAwaited whether only this trip is decided now and other processes might wait for it: then it is sent first
   */
  confirm(request: GateRequest, isAwaited: boolean): void {
    this.#unconfirmed.push(request);
    if (isAwaited) this.#confirmAll();
    else if (this.#unconfirmed.length === 1) setImmediate(() => this.#confirmAll());
  }

  #confirmAll(): void {
    const requests = this.#unconfirmed;
    this.#unconfirmed = [];
    const { redis, namespace, timeoutMs } = this.#options;
    const wantedUntil = this.#clock.moment(timeoutMs);
    for (const request of requests) {
      const decision = `${request.driverId}:${DECIDED}`;
      const command = (key: string, channel: string) =>
        confirmTrip.run(redis, [key], [decision, channel, DECISION_MS, wantedUntil]);
      void this.#ask(request, command, undefined, namespace.known);
    }
  }

  /** An entry that a notice carried; undefined if the gate was free. */
  noticed(entry: string): GateAnswer | undefined {
    return entry === '' ? undefined : this.#standing({ standing: entry, lifeMs: DECISION_MS }, false);
  }

  /** Removes the hold if it is still there. Best effort, not awaited. */
  release(offer: Offer, hold: string): void {
    const { redis } = this.#options;
    void this.#ask(offer, (key, channel) => releaseTrip.run(redis, [key], [hold, channel]));
  }

  /**
   * Removes a decision that is no longer valid, so that late drivers get the precise reason from PostgreSQL.
   */
  forget(request: GateRequest): void {
    this.release(request, `${request.driverId}:${DECIDED}`);
  }

  /**
   * Runs a command on the key of the offer, with what the channels of all processes begin with: one key each, so that
   * it works in any slot of a Redis Cluster. Never throws; undefined if Redis was not called or did not respond in
   * time.
   *
   * @param known the namespace, for a command that must be sent before anything else
   */
  async #ask<Answer>(
    { tripId, epoch }: Offer,
    command: (key: string, channel: string) => Promise<Answer>,
    deadline = Deadline.after(this.#options.timeoutMs),
    known?: string,
  ): Promise<Answer | undefined> {
    const { redis, namespace, circuit, failed } = this.#options;
    const limitMs = Math.round(deadline.leftMs);
    // A lazy connection is opened by its first command; do not wait for that here.
    if (redis.status === 'wait') redis.connect().catch(() => undefined);
    if (redis.status !== 'ready' || !circuit.allows()) return undefined;
    try {
      const late = () => new Error(`Redis did not respond within ${limitMs} ms`);
      const name = known ?? (await namespace.read(deadline));
      const sent = command(`trip_lock:${name}:${tripId}:${epoch}`, `trip_gate:${name}:`);
      const answer = await settleBy(sent, deadline, late);
      circuit.succeeded();
      return answer;
    } catch (error) {
      circuit.failed();
      failed(error instanceof Error ? error : new Error(String(error)));
      return undefined;
    }
  }

  /** Another program might have written to the key; the gate is skipped if the value is unknown. */
  #standing({ standing, lifeMs }: { standing: string; lifeMs: number }, isNotified: boolean): GateAnswer {
    const [, driverId, mark] = HOLD.exec(standing) ?? [];
    if (driverId === undefined) {
      this.#options.failed(
        new Error(`the key of an offer holds "${standing}", which this package did not write`),
      );
      return { kind: 'SKIPPED' };
    }
    return { kind: 'STANDING', driverId: BigInt(driverId), isDecided: mark === DECIDED, lifeMs, isNotified };
  }
}
