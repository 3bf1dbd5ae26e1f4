import type { TripReservation } from '@solegate/trip-reservation';
import { HeldRow } from '../../running/held-row.js';

/** First of the IDs that no run reaches. */
const HELD_IDS = 9_000_000_000_000_000n;
const OFFER_TTL_MS = 600_000;

/** A trip outside of the run whose row a transaction of the first process locks until the run ends. */
export class HeldTrip {
  #tripId = HELD_IDS;
  #held: HeldRow | undefined;
  #waiting: Promise<unknown> | undefined;

  constructor(
    private readonly reservation: TripReservation,
    private readonly databaseUrl: string,
    private readonly worker: number,
  ) {}

  async hold(round: number): Promise<void> {
    this.#tripId = HELD_IDS + BigInt(round);
    if (this.worker !== 0) return;
    const tripId = this.#tripId;
    await this.reservation.requestTrip({ tripId, riderId: tripId, offerTtlMs: OFFER_TTL_MS });
    this.#held = await HeldRow.lock(this.databaseUrl, 'SELECT FROM trips WHERE id = $1', [tripId]);
  }

  /** Lets one driver of this process accept it, and wait. */
  want(): void {
    const driverId = this.#tripId * 10n + BigInt(this.worker);
    this.#waiting = this.reservation
      .acceptTrip({ tripId: this.#tripId, driverId, offerEpoch: 1 })
      .catch(() => undefined);
  }

  async letGo(): Promise<void> {
    await this.#held?.letGo();
    this.#held = undefined;
    await this.#waiting;
  }
}
