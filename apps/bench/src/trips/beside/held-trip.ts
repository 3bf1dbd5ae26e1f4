import type { TripReservation } from '@solegate/trip-reservation';
import type pg from 'pg';

/** First of the IDs that no run reaches. */
const HELD_IDS = 9_000_000_000_000_000n;
const OFFER_TTL_MS = 600_000;

/** A trip outside of the run whose row a transaction of the first process locks until the run ends. */
export class HeldTrip {
  readonly #pool: pg.Pool;
  readonly #worker: number;
  #tripId = HELD_IDS;
  #holder: pg.PoolClient | undefined;
  #waiting: Promise<unknown> | undefined;

  constructor(pool: pg.Pool, worker: number) {
    this.#pool = pool;
    this.#worker = worker;
  }

  async hold(reservation: TripReservation, round: number): Promise<void> {
    this.#tripId = HELD_IDS + BigInt(round);
    if (this.#worker !== 0) return;
    const tripId = this.#tripId;
    await reservation.requestTrip({ tripId, riderId: tripId, offerTtlMs: OFFER_TTL_MS });
    this.#holder = await this.#pool.connect();
    await this.#holder.query('BEGIN');
    await this.#holder.query('SELECT FROM trips WHERE id = $1 FOR UPDATE', [tripId]);
  }

  /** Lets one driver of this process accept it, and wait. */
  want(reservation: TripReservation): void {
    const driverId = this.#tripId * 10n + BigInt(this.#worker);
    this.#waiting = reservation
      .acceptTrip({ tripId: this.#tripId, driverId, offerEpoch: 1 })
      .catch(() => undefined);
  }

  async letGo(): Promise<void> {
    await this.#holder?.query('ROLLBACK');
    this.#holder?.release();
    this.#holder = undefined;
    await this.#waiting;
  }
}
