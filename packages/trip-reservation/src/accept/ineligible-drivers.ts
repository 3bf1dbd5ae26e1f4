import type { AcceptOutcome } from '../trip/outcomes.js';

interface Refusal {
  readonly outcome: AcceptOutcome;
  readonly forgottenAt: number;
}

/** Rejected, or left before: as long as an offer may last. */
const LASTING_MS = 3_600_000;
/** Busy, or not listed: in another process they may become free, or the offer may be widened. */
const PASSING_MS = 1_000;
/** Entries of each kind at most; beyond, the oldest is forgotten early. */
const ENTRIES_MAX = 10_000;

/**
 * Drivers who heard a moment ago why they cannot have an offer. A repeat gets the same answer from here: it takes no hold,
 * which would keep out those who can, and it asks PostgreSQL nothing.
 */
export class IneligibleDrivers {
  readonly #lasting = new Map<string, Refusal>();
  readonly #passing = new Map<string, Refusal>();
  readonly #now: () => number;

  constructor(now: () => number) {
    this.#now = now;
  }

  answerFor(offer: string, driverId: bigint): AcceptOutcome | undefined {
    const key = `${offer}:${driverId}`;
    const refusal = this.#lasting.get(key) ?? this.#passing.get(key);
    return refusal && refusal.forgottenAt > this.#now() ? refusal.outcome : undefined;
  }

  /** Keeps the reasons that are about this driver and this offer, and no others. */
  remember(offer: string, driverId: bigint, outcome: AcceptOutcome): void {
    const key = `${offer}:${driverId}`;
    if (isLasting(outcome))
      this.#keep(this.#lasting, key, { outcome, forgottenAt: this.#now() + LASTING_MS });
    else if (isPassing(outcome)) {
      this.#keep(this.#passing, key, { outcome, forgottenAt: this.#now() + PASSING_MS });
    }
  }

  /** This process widened the offer of the trip. */
  forgetTrip(tripId: bigint): void {
    this.#forget((key) => key.startsWith(`${tripId}:`));
  }

  /** This process freed the driver. */
  forgetDriver(driverId: bigint): void {
    this.#forget((key) => key.endsWith(`:${driverId}`));
  }

  /** Entries are in the order of their time, so those at the front end first. */
  #keep(refusals: Map<string, Refusal>, key: string, refusal: Refusal): void {
    refusals.delete(key);
    refusals.set(key, refusal);
    for (const [oldest, { forgottenAt }] of refusals) {
      if (forgottenAt > this.#now() && refusals.size <= ENTRIES_MAX) return;
      refusals.delete(oldest);
    }
  }

  #forget(isMeant: (key: string) => boolean): void {
    for (const key of this.#passing.keys()) {
      if (isMeant(key)) this.#passing.delete(key);
    }
  }
}

function isLasting(outcome: AcceptOutcome): boolean {
  return outcome.kind === 'NOT_OFFERED' && (outcome.reason === 'EXCLUDED' || outcome.reason === 'REJECTED');
}

function isPassing(outcome: AcceptOutcome): boolean {
  return outcome.kind === 'NOT_OFFERED' || outcome.kind === 'DRIVER_BUSY';
}
