import type { Taken } from '../trip/outcomes.js';

interface DecidedOffer {
  readonly driverId: bigint;
  readonly answer: Taken;
  readonly forgottenAt: number;
}

/** Trips kept at most; beyond, the oldest is forgotten early. */
const TRIPS_MAX = 10_000;

/**
 * Offers that were seen decided a moment ago, the last of each trip: those who come late are answered from here, without
 * any store.
 *
 * What is kept came from the row or from Redis, and is never kept for longer than Redis keeps it: a fail-over of
 * PostgreSQL may lose a commit, and then everybody hears of it within the life of a decision. It is forgotten sooner than
 * that, because the trip may have ended or been dispatched anew, and then there is a better reason to give.
 */
export class DecidedOffers {
  readonly #offers = new Map<bigint, DecidedOffer>();
  readonly #memoryMs: number;
  readonly #now: () => number;

  constructor(memoryMs: number, now: () => number) {
    this.#memoryMs = memoryMs;
    this.#now = now;
  }

  /** The answer for this driver, unless the offer is not known to be decided or the trip may be theirs. */
  answerFor(tripId: bigint, epoch: number, driverId: bigint): Taken | undefined {
    const decided = this.#offers.get(tripId);
    if (decided === undefined || decided.answer.epoch !== epoch || decided.driverId === driverId)
      return undefined;
    return decided.forgottenAt > this.#now() ? decided.answer : undefined;
  }

  /** @param lifeMs how long Redis goes on saying so */
  remember(answer: Taken, driverId: bigint, lifeMs: number): void {
    this.#forgetOld();
    this.#offers.delete(answer.tripId);
    const forgottenAt = this.#now() + Math.min(this.#memoryMs, lifeMs);
    this.#offers.set(answer.tripId, { driverId, answer, forgottenAt });
  }

  forget(tripId: bigint): void {
    this.#offers.delete(tripId);
  }

  /** Entries are about in the order of their time, so the first that is young ends the search. */
  #forgetOld(): void {
    const now = this.#now();
    for (const [tripId, { forgottenAt }] of this.#offers) {
      if (forgottenAt > now && this.#offers.size < TRIPS_MAX) return;
      this.#offers.delete(tripId);
    }
  }
}
