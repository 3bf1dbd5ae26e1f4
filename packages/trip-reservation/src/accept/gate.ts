import { type CircuitBreaker, loadScript, type RedisConnection } from '@solegate/redis-infra';

import { holdTripText } from './lua/hold-trip.js';
import { releaseTripText } from './lua/release-trip.js';

/** What the gate said. */
export type GateAnswer =
  /** The way is free; `hold` names what stands in Redis now. */
  | { readonly kind: 'HELD'; readonly hold: string }
  /** Somebody is ahead, or has it already. It may be the one who asked, by way of another process. */
  | { readonly kind: 'STANDING'; readonly driverId: bigint; readonly isDecided: boolean }
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
  /** Tells this process's holds from those of others and of its own earlier lives. */
  readonly bootId: string;
  readonly failed: (error: Error) => void;
}

/**
 * How long a hold stands when its process dies before the commit: the longest time an offer is dead. A commit
 * that takes longer is not endangered: PostgreSQL decides, and the next driver merely asks it too.
 */
const HOLD_MS = 800;

const DECIDED = 'DECIDED';

const holdTrip = loadScript({
  name: 'hold-trip',
  text: holdTripText,
  keyCount: 1,
  decode: (reply) => (typeof reply === 'string' ? reply : undefined),
});

const releaseTrip = loadScript({
  name: 'release-trip',
  text: releaseTripText,
  keyCount: 1,
  decode: (reply) => reply === 1,
});

/** One key an offer, so that each script fits any slot of a Redis Cluster. */
function gateKey(tripId: bigint, epoch: number): string {
  return `trip_lock:${tripId}:${epoch}`;
}

/**
 * The crowd's way past Redis. It turns away, it never decides: an empty, late, failed-over or absent Redis
 * makes the gate let more drivers through to PostgreSQL and nothing else. Failures are told to the circuit
 * and end as `SKIPPED`.
 */
export class TripGate {
  readonly #options: TripGateOptions;

  constructor(options: TripGateOptions) {
    this.#options = options;
  }

  /**
   * Asks for the driver; a repeat is harmless.
   *
   * @param givenUpHold an own hold of this offer that the new one replaces
   */
  async hold(request: GateRequest, givenUpHold = ''): Promise<GateAnswer> {
    const { redis, circuit, bootId } = this.#options;
    if (!circuit.allows()) return { kind: 'SKIPPED' };
    const hold = `${request.driverId}:${bootId}`;
    try {
      const keys = [gateKey(request.tripId, request.epoch)];
      const standing = await holdTrip.run(redis, keys, [hold, HOLD_MS, givenUpHold]);
      circuit.succeeded();
      return standing === undefined ? { kind: 'HELD', hold } : standingAnswer(standing);
    } catch (error) {
      this.#failed(error);
      return { kind: 'SKIPPED' };
    }
  }

  /**
   * After the commit: for the rest of the offer's life everybody is told who has it. Best effort, not
   * awaited.
   */
  confirm(request: GateRequest, offerLeftMs: number): void {
    const { redis, circuit } = this.#options;
    if (!circuit.allows()) return;
    const lifeMs = Math.max(HOLD_MS, Math.ceil(offerLeftMs));
    redis.set(gateKey(request.tripId, request.epoch), `${request.driverId}:${DECIDED}`, 'PX', lifeMs).then(
      () => circuit.succeeded(),
      (error: unknown) => this.#failed(error),
    );
  }

  /** Removes the hold if it still stands. Best effort, not awaited. */
  release(offer: Pick<GateRequest, 'tripId' | 'epoch'>, hold: string): void {
    const { redis, circuit } = this.#options;
    if (!circuit.allows()) return;
    releaseTrip.run(redis, [gateKey(offer.tripId, offer.epoch)], [hold]).then(
      () => circuit.succeeded(),
      (error: unknown) => this.#failed(error),
    );
  }

  /**
   * Removes a decision that no longer holds, so that late drivers are told the precise reason by PostgreSQL.
   */
  forget(request: GateRequest): void {
    this.release(request, `${request.driverId}:${DECIDED}`);
  }

  #failed(error: unknown): void {
    this.#options.circuit.failed();
    this.#options.failed(error instanceof Error ? error : new Error(String(error)));
  }
}

function standingAnswer(standing: string): GateAnswer {
  const [driverId = '', mark] = standing.split(':');
  return { kind: 'STANDING', driverId: BigInt(driverId), isDecided: mark === DECIDED };
}
