import type { Taken } from '../trip/outcomes.js';

interface DecidedOffer {
  readonly driverId: bigint;
  readonly answer: Taken;
  readonly forgottenAt: number;
}

/** Maximum number of trips; beyond that, the oldest is forgotten early. */
const TRIPS_MAX = 10_000;

/**
 * Caches the last recently decided offer of each trip, so that late drivers are answered without a store.
 *
 * Entries come from the row or from Redis and are never kept longer than Redis keeps them: after a PostgreSQL failover
 * that lost a commit, every driver gets the new state within the life of a decision. They are forgotten even
 * sooner, because the trip might have ended or been re-dispatched, and then there is a more precise reason to return.
 */
export class DecidedOffers {
  readonly #offers = new Map<bigint, DecidedOffer>();
  readonly #memoryMs: number;
  readonly #now: () => number;

  constructor(memoryMs: number, now: () => number) {
    this.#memoryMs = memoryMs;
    this.#now = now;
  }

  /** Returns TAKEN for this driver if the offer is known to be decided for another one. */
  answerFor(tripId: bigint, epoch: number, driverId: bigint): Taken | undefined {
    const decided = this.#offers.get(tripId);
    if (decided === undefined || decided.answer.epoch !== epoch || decided.driverId === driverId)
      return undefined;
    return decided.forgottenAt > this.#now() ? decided.answer : undefined;
  }

  /** @param lifeMs how long Redis keeps the decision */
  remember(answer: Taken, driverId: bigint, lifeMs: number): void {
    this.#forgetOld();
    this.#offers.delete(answer.tripId);
    const forgottenAt = this.#now() + Math.min(this.#memoryMs, lifeMs);
    this.#offers.set(answer.tripId, { driverId, answer, forgottenAt });
  }

  forget(tripId: bigint): void {
    this.#offers.delete(tripId);
  }

  /** Entries are roughly in order of expiry, so the first one that has not expired ends the search. */
  #forgetOld(): void {
    const now = this.#now();
    for (const [tripId, { forgottenAt }] of this.#offers) {
      if (forgottenAt > now && this.#offers.size < TRIPS_MAX) return;
      this.#offers.delete(tripId);
    }
  }
}
