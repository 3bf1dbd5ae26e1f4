import type { Taken } from '../trip/outcomes.js';

interface DecidedOffer {
  readonly driverId: bigint;
  readonly answer: Taken;
  readonly forgottenAt: number;
}

/** Offers kept at most; beyond, the oldest is forgotten early. */
const OFFERS_MAX = 10_000;

/**
 * Offers that were seen decided a moment ago: those who come late are answered from here, without any store.
 *
 * What is kept came from the row or from Redis, and is never kept for longer than Redis keeps it: a fail-over of
 * PostgreSQL may lose a commit, and then everybody hears of it within the life of a decision. It is forgotten sooner than
 * that, because the trip may have ended or been dispatched anew, and then there is a better reason to give.
 */
export class DecidedOffers {
  readonly #offers = new Map<string, DecidedOffer>();
  readonly #memoryMs: number;
  readonly #now: () => number;

  constructor(memoryMs: number, now: () => number) {
    this.#memoryMs = memoryMs;
    this.#now = now;
  }

  /** The answer for this driver, unless the offer is not known to be decided or the trip may be theirs. */
  answerFor(offer: string, driverId: bigint): Taken | undefined {
    const decided = this.#offers.get(offer);
    if (decided === undefined || decided.driverId === driverId) return undefined;
    return decided.forgottenAt > this.#now() ? decided.answer : undefined;
  }

  /** @param lifeMs how long Redis goes on saying so */
  remember(offer: string, driverId: bigint, { taken, lifeMs }: { taken: Taken; lifeMs: number }): void {
    this.#forgetOld();
    this.#offers.delete(offer);
    const forgottenAt = this.#now() + Math.min(this.#memoryMs, lifeMs);
    this.#offers.set(offer, { driverId, answer: taken, forgottenAt });
  }

  forget(offer: string): void {
    this.#offers.delete(offer);
  }

  /** Entries are about in the order of their time, so the first that is young ends the search. */
  #forgetOld(): void {
    const now = this.#now();
    for (const [offer, { forgottenAt }] of this.#offers) {
      if (forgottenAt > now && this.#offers.size < OFFERS_MAX) return;
      this.#offers.delete(offer);
    }
  }
}
