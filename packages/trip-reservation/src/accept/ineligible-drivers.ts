import type { AcceptOutcome, DriverBusy, NotOffered } from '../trip/outcomes.js';

type Ineligible = NotOffered | DriverBusy;

interface Refusal {
  readonly epoch: number;
  readonly outcome: Ineligible;
  readonly forgottenAt: number;
}

/** Rejected, or left before: as long as an offer can last. */
const LASTING_MS = 3_600_000;
/** Busy, or not listed: another process might free the driver or widen the offer. */
const PASSING_MS = 1_000;
/** Maximum number of entries; beyond that, the oldest trip is forgotten early. */
const ENTRIES_MAX = 20_000;

interface TripRefusals {
  readonly byDriver: Map<bigint, Refusal>;
  /** When the last of them expires. */
  forgottenAt: number;
}

/**
 * Remembers drivers who were recently refused an offer, and why. A repeat gets the same answer from here, without a
 * hold, which would keep out eligible drivers, and without a query.
 */
export class IneligibleDrivers {
  /** In insertion order. */
  readonly #trips = new Map<bigint, TripRefusals>();
  readonly #now: () => number;
  #entryCount = 0;

  constructor(now: () => number) {
    this.#now = now;
  }

  answerFor(tripId: bigint, epoch: number, driverId: bigint): Ineligible | undefined {
    const refusal = this.#trips.get(tripId)?.byDriver.get(driverId);
    return refusal?.epoch === epoch && refusal.forgottenAt > this.#now() ? refusal.outcome : undefined;
  }

  /** Stores only refusals that are specific to this driver and offer. */
  remember(
    tripId: bigint,
    epoch: number,
    { driverId, outcome }: { driverId: bigint; outcome: AcceptOutcome },
  ): void {
    if (outcome.kind !== 'NOT_OFFERED' && outcome.kind !== 'DRIVER_BUSY') return;
    const forgottenAt = this.#now() + (isLasting(outcome) ? LASTING_MS : PASSING_MS);
    const trip = this.#trips.get(tripId) ?? { byDriver: new Map<bigint, Refusal>(), forgottenAt };
    if (!trip.byDriver.has(driverId)) this.#entryCount += 1;
    trip.byDriver.set(driverId, { epoch, outcome, forgottenAt });
    trip.forgottenAt = Math.max(trip.forgottenAt, forgottenAt);
    this.#trips.set(tripId, trip);
    this.#forgetOld();
  }

  /** Called when this process widened the offer of the trip. */
  forgetTrip(tripId: bigint): void {
    const trip = this.#trips.get(tripId);
    if (trip) for (const driverId of trip.byDriver.keys()) this.#forget(trip, driverId);
  }

  /** Called when this process freed the driver. */
  forgetDriver(driverId: bigint): void {
    for (const trip of this.#trips.values()) this.#forget(trip, driverId);
  }

  #forget({ byDriver }: TripRefusals, driverId: bigint): void {
    const refusal = byDriver.get(driverId);
    if (refusal === undefined || isLasting(refusal.outcome)) return;
    byDriver.delete(driverId);
    this.#entryCount -= 1;
  }

  #forgetOld(): void {
    for (const [tripId, { byDriver, forgottenAt }] of this.#trips) {
      if (this.#entryCount <= ENTRIES_MAX && forgottenAt > this.#now()) return;
      this.#trips.delete(tripId);
      this.#entryCount -= byDriver.size;
    }
  }
}

function isLasting(outcome: Ineligible): boolean {
  return outcome.kind === 'NOT_OFFERED' && (outcome.reason === 'EXCLUDED' || outcome.reason === 'REJECTED');
}
