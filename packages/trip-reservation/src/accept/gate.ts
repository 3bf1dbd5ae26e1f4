import { Deadline, settleBy } from '@solegate/postgres-infra';
import { type CircuitBreaker, loadScript, type RedisConnection } from '@solegate/redis-infra';
import { confirmTripText } from './lua/confirm-trip.js';
import { holdTripText } from './lua/hold-trip.js';
import { releaseTripText } from './lua/release-trip.js';
import { RedisClock } from './redis-clock.js';

/** What the gate said. */
export type GateAnswer =
  /** The way is free; `hold` names what stands in Redis now. */
  | { readonly kind: 'HELD'; readonly hold: string }
  /** Somebody is ahead, or has it already. It may be the one who asked, by way of another process. */
  | {
      readonly kind: 'STANDING';
      readonly driverId: bigint;
      readonly isDecided: boolean;
      /** Redis says so for so much longer, in milliseconds. */
      readonly lifeMs: number;
    }
  /** Redis was not asked or did not answer. */
  | { readonly kind: 'SKIPPED' };

/** One driver before the gate of one offer. */
export interface GateRequest {
  readonly tripId: bigint;
  readonly epoch: number;
  readonly driverId: bigint;
}

export interface TripGateOptions {
  readonly redis: RedisConnection;
  readonly circuit: CircuitBreaker;
  /** Marks this process's holds apart from those of others and of its own earlier lives. */
  readonly bootId: string;
  /** Longest wait for an answer, in milliseconds. */
  readonly timeoutMs: number;
  readonly failed: (error: Error) => void;
}

/**
 * How long a hold stands when its process dies before the commit: the longest time an offer is dead. A commit
 * that takes longer is not endangered: PostgreSQL decides, and the next driver merely asks it too.
 */
export const HOLD_MS = 800;
/**
 * How long everybody who asks is shown a decision. Then the next asker has PostgreSQL verify it: a fail-over may have lost
 * the commit.
 */
export const DECISION_MS = 10_000;

/**
 * Between two looks at holds, in milliseconds: a few offers may look often, so that their callers hear of the commit at once;
 * many look together about as often as commits come.
 */
const LOOK_MIN_MS = 1;
const LOOK_MAX_MS = 5;
const LOOKERS_PER_MS = 4;

const DECIDED = 'DECIDED';
/** Driver, then the process or the mark of a decision. */
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

/** One key an offer, so that each script fits any slot of a Redis Cluster. */
function gateKey({ tripId, epoch }: Pick<GateRequest, 'tripId' | 'epoch'>): string {
  return `trip_lock:${tripId}:${epoch}`;
}

/**
 * The crowd's way past Redis. It turns away, it never decides: an empty, late, failed-over or absent Redis
 * makes the gate let more drivers through to PostgreSQL and nothing else. Failures are reported to the circuit
 * and end as `SKIPPED`.
 *
 * Nothing is left to the connection, which may be a plain `new Redis()` that queues, resends and waits without end: it is
 * asked only when it is ready, no answer is waited for longer than `timeoutMs`, and a command carries the moment after
 * which nobody wants it any more, so that one which is sent late does nothing.
 */
export class TripGate {
  readonly #options: TripGateOptions;
  readonly #clock = new RedisClock(() => performance.now());
  #unconfirmed: GateRequest[] = [];
  #nextLook: Promise<void> | undefined;
  /** Of the look that is being waited for. */
  #lookerCount = 0;
  #lookMs = LOOK_MIN_MS;

  constructor(options: TripGateOptions) {
    this.#options = options;
  }

  /**
   * Asks for the driver; a repeat is harmless.
   *
   * @param givenUpHold an own hold of this offer that the new one replaces
   */
  async hold(request: GateRequest, givenUpHold = ''): Promise<GateAnswer> {
    const hold = `${request.driverId}:${this.#options.bootId}`;
    const deadline = Deadline.after(this.#options.timeoutMs);
    const ask = async () => {
      const askedAt = performance.now();
      const args = [hold, HOLD_MS, givenUpHold, this.#clock.moment(deadline.leftMs)];
      const answer = await holdTrip.run(this.#options.redis, [gateKey(request)], args);
      this.#clock.learn(answer.redisMs, askedAt);
      return answer;
    };
    // Called late and yet answered in time: the estimate of Redis's clock was wrong, and is right now.
    const answer = await this.#ask(async () => {
      const first = await ask();
      return first.standing === 'LATE' ? ask() : first;
    }, deadline);
    if (answer === undefined || answer.standing === 'LATE') return { kind: 'SKIPPED' };
    return answer.standing === 'HELD' ? { kind: 'HELD', hold } : this.#standing(answer);
  }

  /**
   * Of a committed reservation: for a while everybody is shown who has the trip. Best effort, not awaited. Those of one turn
   * leave together, after the crowds were answered.
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
      void this.#ask(() => confirmTrip.run(redis, [gateKey(request)], args));
    }
  }

  /** One timer for all rounds that wait for what becomes of a hold: their questions leave together. */
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

  /** Removes the hold if it still stands. Best effort, not awaited. */
  release(offer: Pick<GateRequest, 'tripId' | 'epoch'>, hold: string): void {
    void this.#ask(() => releaseTrip.run(this.#options.redis, [gateKey(offer)], [hold]));
  }

  /**
   * Removes a decision that no longer holds, so that late drivers are given the precise reason by PostgreSQL.
   */
  forget(request: GateRequest): void {
    this.release(request, `${request.driverId}:${DECIDED}`);
  }

  /** Never throws; undefined when Redis was not asked or did not answer in time. */
  async #ask<Answer>(
    command: () => Promise<Answer>,
    deadline = Deadline.after(this.#options.timeoutMs),
  ): Promise<Answer | undefined> {
    const { redis, circuit, timeoutMs, failed } = this.#options;
    // A lazy connection is opened by its first command; here nobody waits for that.
    if (redis.status === 'wait') redis.connect().catch(() => undefined);
    if (redis.status !== 'ready' || !circuit.allows()) return undefined;
    try {
      const late = () => new Error(`Redis gave no answer within ${timeoutMs} ms`);
      const answer = await settleBy(command(), deadline, late);
      circuit.succeeded();
      return answer;
    } catch (error) {
      circuit.failed();
      failed(error instanceof Error ? error : new Error(String(error)));
      return undefined;
    }
  }

  /** Somebody else may have written to the key; the gate passes over what it does not know. */
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
