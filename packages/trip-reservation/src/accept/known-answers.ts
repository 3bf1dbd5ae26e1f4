import type { AcceptOutcome, DriverBusy, NotOffered, Taken } from '../trip/outcomes.js';

type KnownAnswer = Taken | NotOffered | DriverBusy;

interface Entry<Answer extends KnownAnswer> {
  readonly epoch: number;
  readonly driverId: bigint;
  readonly answer: Answer;
  readonly forgottenAt: number;
}

/** What is known of the last offer of one trip. */
interface KnownOffer {
  readonly epoch: number;
  /** The driver who has the trip, and the answer to all others. */
  taken?: Entry<Taken>;
  readonly refused: Map<bigint, Entry<NotOffered>>;
}

/** About the length of a burst, in milliseconds: soon there might be a more precise reason than TAKEN. */
const TAKEN_MS = 500;
/** Not listed, or busy: another process might widen the offer or free the driver. */
const PASSING_MS = 1_000;
/** Rejected, or left before: as long as an offer can last. */
const LASTING_MS = 3_600_000;
/** Maximum number of trips, and of busy drivers; beyond that, the oldest is forgotten early. */
const ENTRIES_MAX = 10_000;
/** Maximum number of drivers who are remembered for one trip. */
const REFUSED_MAX = 50;

/**
 * Answers that a store gave recently, so that a repeat, or a driver who comes late, needs neither a hold nor a query.
 * Each is valid until its own time, and only for the epoch it was given in. A decision that Redis shows is never kept
 * longer than there, so after a failover that lost its commit, every driver gets the new state within that time.
 */
export class KnownAnswers {
  /** By trip. Both are in the order of their last answers. */
  readonly #offers = new Map<bigint, KnownOffer>();
  /** By driver, for the last offer that they could not accept. */
  readonly #busy = new Map<bigint, Entry<DriverBusy>>();
  readonly #now: () => number;

  constructor(now: () => number) {
    this.#now = now;
  }

  answerFor(tripId: bigint, epoch: number, driverId: bigint): KnownAnswer | undefined {
    const offer = this.#offers.get(tripId);
    const isSame = offer?.epoch === epoch;
    if (isSame && offer.taken?.driverId === driverId) return undefined;
    const refusal = isSame ? this.#valid(offer.refused.get(driverId)) : undefined;
    if (refusal) return refusal;
    const taken = isSame ? this.#valid(offer.taken) : undefined;
    if (taken) return taken;
    const busy = this.#busy.get(driverId);
    return busy?.answer.tripId === tripId && busy.epoch === epoch ? this.#valid(busy) : undefined;
  }

  /** @param lifeMs how long Redis shows the decision */
  taken(answer: Taken, ownerId: bigint, lifeMs: number): void {
    const forgottenAt = this.#now() + Math.min(TAKEN_MS, lifeMs);
    this.#offer(answer.tripId, answer.epoch).taken = {
      epoch: answer.epoch,
      driverId: ownerId,
      answer,
      forgottenAt,
    };
  }

  /** Keeps refusals that are specific to this driver. */
  refused(epoch: number, driverId: bigint, answer: AcceptOutcome): void {
    if (answer.kind === 'DRIVER_BUSY') {
      keepLast(this.#busy, driverId, ENTRIES_MAX, {
        epoch,
        driverId,
        answer,
        forgottenAt: this.#now() + PASSING_MS,
      });
    } else if (answer.kind === 'NOT_OFFERED') {
      const isLasting = answer.reason === 'EXCLUDED' || answer.reason === 'REJECTED';
      const forgottenAt = this.#now() + (isLasting ? LASTING_MS : PASSING_MS);
      const { refused } = this.#offer(answer.tripId, epoch);
      keepLast(refused, driverId, REFUSED_MAX, { epoch, driverId, answer, forgottenAt });
    }
  }

  /** The trip was decided otherwise, widened or re-dispatched by this process. */
  forgetTrip(tripId: bigint): void {
    this.#offers.delete(tripId);
  }

  /** The driver was freed by this process. */
  forgetDriver(driverId: bigint): void {
    this.#busy.delete(driverId);
  }

  #valid<Answer extends KnownAnswer>(entry: Entry<Answer> | undefined): Answer | undefined {
    return entry !== undefined && entry.forgottenAt > this.#now() ? entry.answer : undefined;
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
