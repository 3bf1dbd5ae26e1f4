import type { AcceptOutcome, NotOffered, Taken } from '../trip/outcomes.js';

interface Entry<Answer extends Taken | NotOffered> {
  readonly driverId: bigint;
  readonly answer: Answer;
  readonly forgottenAt: number;
}

/** What is known of the last offer of one trip. */
interface KnownOffer {
  readonly epoch: number;
  /** The driver who has the trip, and the answer to all others. */
  taken?: Entry<Taken>;
  /** Drivers who cannot get it any more. */
  readonly refused: Map<bigint, Entry<NotOffered>>;
}

/** An offer that a driver could not accept, for a reason that might have passed. */
interface PassingRefusal {
  readonly tripId: bigint;
  readonly epoch: number;
  readonly forgottenAt: number;
}

/** About the length of a burst, in milliseconds: soon there might be a more precise reason than TAKEN. */
const TAKEN_MS = 500;
/** Not listed, or busy. */
const PASSING_MS = 1_000;
/** Rejected, or left before: as long as an offer can last. */
const LASTING_MS = 3_600_000;
/** Maximum number of trips, and of drivers with a passing refusal; beyond that, the oldest is forgotten early. */
const ENTRIES_MAX = 10_000;
/** Maximum number of drivers who are remembered for one trip. */
const REFUSED_MAX = 50;

/**
 * Answers that a store gave recently, so that a repeat, or a driver who comes late, needs neither a hold nor a query.
 * Each is valid until its own time, and only for the epoch it was given in. A decision that Redis shows is never kept
 * longer than there, so after a failover that lost its commit, every driver gets the new state within that time.
 *
 * A driver who was busy or not listed might have been freed or listed by another process since, and might even have the
 * trip. So their answer is not kept, only that they need no hold before they have read the row.
 */
export class KnownAnswers {
  /** By trip. Both are in the order of their last answers. */
  readonly #offers = new Map<bigint, KnownOffer>();
  /** By driver, for the last offer that they could not accept. */
  readonly #passing = new Map<bigint, PassingRefusal>();
  readonly #now: () => number;

  constructor(now: () => number) {
    this.#now = now;
  }

  answerFor(tripId: bigint, epoch: number, driverId: bigint): Taken | NotOffered | undefined {
    const offer = this.#offers.get(tripId);
    if (offer?.epoch !== epoch || offer.taken?.driverId === driverId) return undefined;
    return this.#valid(offer.refused.get(driverId))?.answer ?? this.#valid(offer.taken)?.answer;
  }

  /** Returns whether the driver was refused for a reason that might have passed, and forgets it: it is read again. */
  takeRefusal(tripId: bigint, epoch: number, driverId: bigint): boolean {
    const refusal = this.#valid(this.#passing.get(driverId));
    if (refusal?.tripId !== tripId || refusal.epoch !== epoch) return false;
    return this.#passing.delete(driverId);
  }

  /** @param lifeMs how long Redis shows the decision */
  taken(answer: Taken, ownerId: bigint, lifeMs: number): void {
    const forgottenAt = this.#now() + Math.min(TAKEN_MS, lifeMs);
    this.#offer(answer.tripId, answer.epoch).taken = { driverId: ownerId, answer, forgottenAt };
  }

  /** Keeps refusals that are specific to this driver. */
  refused(epoch: number, driverId: bigint, answer: AcceptOutcome): void {
    const { kind, tripId } = answer;
    if (kind === 'NOT_OFFERED' && (answer.reason === 'EXCLUDED' || answer.reason === 'REJECTED')) {
      const forgottenAt = this.#now() + LASTING_MS;
      keepLast(this.#offer(tripId, epoch).refused, driverId, REFUSED_MAX, { driverId, answer, forgottenAt });
    } else if (kind === 'NOT_OFFERED' || kind === 'DRIVER_BUSY') {
      const forgottenAt = this.#now() + PASSING_MS;
      keepLast(this.#passing, driverId, ENTRIES_MAX, { tripId, epoch, forgottenAt });
    }
  }

  /** The trip was decided otherwise, widened or re-dispatched by this process. */
  forgetTrip(tripId: bigint): void {
    this.#offers.delete(tripId);
  }

  /** The driver was freed by this process. */
  forgetDriver(driverId: bigint): void {
    this.#passing.delete(driverId);
  }

  #valid<Known extends { readonly forgottenAt: number }>(known: Known | undefined): Known | undefined {
    return known !== undefined && known.forgottenAt > this.#now() ? known : undefined;
  }

  #offer(tripId: bigint, epoch: number): KnownOffer {
    const known = this.#offers.get(tripId);
    const offer = known?.epoch === epoch ? known : { epoch, refused: new Map() };
    keepLast(this.#offers, tripId, ENTRIES_MAX, offer);
    return offer;
  }
}

function keepLast<Value>(entries: Map<bigint, Value>, id: bigint, countMax: number, value: Value): void {
  entries.delete(id);
  entries.set(id, value);
  const [oldestId] = entries.keys();
  if (entries.size > countMax && oldestId !== undefined) entries.delete(oldestId);
}
