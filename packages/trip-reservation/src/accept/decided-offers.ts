import type { Taken } from '../trip/outcomes.js';

interface DecidedOffer {
  readonly driverId: bigint;
  /** Shared by everybody who comes too late. */
  readonly answer: Promise<Taken>;
  readonly forgottenAt: number;
}

/** Offers kept at most; beyond, the oldest is forgotten early. */
const OFFERS_MAX = 10_000;

/**
 * Offers that were seen decided a moment ago: those who come late are answered from here, without any store.
 *
 * A decision at one epoch is final, so TAKEN stays true for ever. It is forgotten soon all the same, because
 * later the trip may have ended or been dispatched anew, and then there is a better reason to give.
 */
export class DecidedOffers {
  readonly #offers = new Map<string, DecidedOffer>();
  readonly #memoryMs: number;
  readonly #now: () => number;

  constructor(memoryMs: number, now: () => number) {
    this.#memoryMs = memoryMs;
    this.#now = now;
  }

  /** The answer for this driver, unless the offer is not known to be decided or the trip may be his. */
  answerFor(offer: string, driverId: bigint): Promise<Taken> | undefined {
    const decided = this.#offers.get(offer);
    if (decided === undefined || decided.driverId === driverId) return undefined;
    return decided.forgottenAt > this.#now() ? decided.answer : undefined;
  }

  remember(offer: string, driverId: bigint, taken: Taken): void {
    this.#forgetOld();
    this.#offers.delete(offer);
    const forgottenAt = this.#now() + this.#memoryMs;
    this.#offers.set(offer, { driverId, answer: Promise.resolve(taken), forgottenAt });
  }

  forget(offer: string): void {
    this.#offers.delete(offer);
  }

  /** Entries are in the order of their time, so the first that is young ends the search. */
  #forgetOld(): void {
    const now = this.#now();
    for (const [offer, { forgottenAt }] of this.#offers) {
      if (forgottenAt > now && this.#offers.size < OFFERS_MAX) return;
      this.#offers.delete(offer);
    }
  }
}
