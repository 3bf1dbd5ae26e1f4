/**
 * Accepting a trip: of all drivers who ask, exactly one has it, and everybody else hears the truth.
 *
 * Who is authoritative. The row of the trip in PostgreSQL, and nothing else. An offer is (trip, dispatch
 * epoch); a row leaves FINDING at one epoch at most once, by one statement (`DECIDE_TRIPS`) that also takes
 * the driver and writes the event. Redis only narrows the crowd before that statement, memory only answers
 * those who come together.
 *
 * The way of a call.
 *   0. Memory  the offer was seen decided, or this driver was seen ineligible, a moment ago: the same again.
 *   1. Round   callers of one offer in this process join one round; its first driver asks for all.
 *   2. Gate    one script on one key `trip_lock:{tripId}:{epoch}`: free (now held for the driver), or who stands
 *              there. A decision: the round is answered TAKEN and ends, without SQL. The driver, by way of another
 *              process: on. Another driver's hold: the gate is asked again for 50 ms, then the round is answered
 *              UNDECIDED, because nobody knows yet.
 *   3. Decide  one statement for all the rounds of this process that came so far. Won, or read back how it
 *              stands. What takes longer than 1 s is UNDECIDED to the crowd behind the first few drivers.
 *   4. Answer  what stands answers everybody of the round. Those whom it leaves open go on with the next driver,
 *              who takes over the hold; busy ones are found for all of them at once.
 *   5. Tidy    somebody has it: the gate says DECIDED for 10 s, and the next asker after that verifies it by
 *              2 to 4. Nobody: the hold is removed. Who heard UNDECIDED learns by an event what became of it, also
 *              when nothing did (undecided-offers.ts).
 *
 * What ends a hold: its commit (it becomes the decision), its removal, or 0.8 s.
 *
 * Failures.
 *   - A reply is lost and the driver asks again, here or elsewhere: the gate knows them, the row is theirs, same
 *     answer. When the gate is held for somebody else meanwhile, that one reads back the row and informs the gate.
 *   - Redis is gone, slow or black-holed: after the gate's own time limit the round goes on to 3; when
 *     that repeats, the circuit skips 2. Gate and fallback end in the same statement, so they may mix.
 *   - Redis forgets a hold, or hands it out twice: two drivers reach 3, one row moves, the other reads back
 *     TAKEN.
 *   - PostgreSQL fails over and loses the commit: Redis goes on saying DECIDED for 10 s at most.
 *   - The process dies between 2 and 3: nobody has the trip; the hold runs out and the next driver passes. Between 3
 *     and 4: the driver has the trip and asks again, as above.
 *   - It sleeps between 2 and 3 while the world moves on: its statement finds another status or epoch and
 *     does nothing.
 *   - The reply of the commit is lost: the statement is asked again; without a row it reads back whose the
 *     trip is. When PostgreSQL stays silent the answer is TRIP_OUTCOME_UNKNOWN, never a guess.
 *   - Somebody holds the row: 3 leaves it out of the group and asks for it alone, until the round's deadline.
 */
import { Deadline, PostgresFailure } from '@solegate/postgres-infra';
import { answerFor, ownerOf } from '../sql/standing.js';
import type { AnswerOfferOptions } from '../trip/commands.js';
import { storeError, TripNotFoundError, TripStoreUnavailableError } from '../trip/errors.js';
import type { TripObserver } from '../trip/observer.js';
import type { AcceptOutcome, Taken, Undecided } from '../trip/outcomes.js';
import type { AttemptLedger } from './attempts.js';
import type { DecidedOffers } from './decided-offers.js';
import type { TripDecisions } from './decision.js';
import { DECISION_MS, type GateAnswer, HOLD_MS, type TripGate } from './gate.js';
import type { IneligibleDrivers } from './ineligible-drivers.js';
import { AcceptRound, OpenRounds } from './round.js';
import type { UndecidedOffers } from './undecided-offers.js';

/** How long callers wait for what becomes of another process's hold before they hear UNDECIDED, in milliseconds. */
const PATIENCE_MS = 50;
/** The same for a decision that is under way here: it is about to come, and to ask again costs more than to wait. */
const OWN_PATIENCE_MS = 1000;

export interface TripAcceptanceOptions {
  /** Undefined: there is no Redis. */
  readonly gate: TripGate | undefined;
  readonly decisions: TripDecisions;
  readonly decided: DecidedOffers;
  readonly ineligible: IneligibleDrivers;
  readonly undecided: UndecidedOffers;
  readonly attempts: AttemptLedger;
  readonly observer: TripObserver;
  /** Every caller is answered within it, in milliseconds. */
  readonly requestTimeoutMs: number;
  readonly now: () => number;
}

type AnswerFor = (driverId: bigint) => AcceptOutcome | undefined;

export class TripAcceptance {
  readonly #options: TripAcceptanceOptions;
  readonly #rounds = new OpenRounds();
  readonly #running = new Set<Promise<void>>();

  constructor(options: TripAcceptanceOptions) {
    this.#options = options;
  }

  accept({ tripId, driverId, offerEpoch }: AnswerOfferOptions): Promise<AcceptOutcome> {
    const { decided, ineligible, attempts, observer, requestTimeoutMs, now } = this.#options;
    const known = ineligible.answerFor(tripId, offerEpoch, driverId);
    const running = this.#rounds.get(tripId, offerEpoch);
    if (running && !known) return running.join(driverId, observer.acceptJoined?.());
    const remembered = known ?? decided.answerFor(tripId, offerEpoch, driverId);
    if (remembered) {
      attempts.add({ tripId, epoch: offerEpoch }, remembered.kind, 1);
      return Promise.resolve(remembered);
    }
    const round = new AcceptRound(tripId, offerEpoch, now(), Deadline.after(requestTimeoutMs));
    this.#rounds.add(round);
    const answer = round.join(driverId, observer.acceptJoined?.());
    const run = this.#run(round).finally(() => this.#running.delete(run));
    this.#running.add(run);
    return answer;
  }

  /** The driver no longer has the trip of this epoch: late drivers are given the precise reason. */
  released(offer: { readonly tripId: bigint; readonly epoch: number }, driverId: bigint): void {
    const { decided, ineligible, gate } = this.#options;
    decided.forget(offer.tripId);
    ineligible.forgetDriver(driverId);
    gate?.forget({ ...offer, driverId });
  }

  /** The driver has completed a trip. */
  freed(driverId: bigint): void {
    this.#options.ineligible.forgetDriver(driverId);
  }

  /** The offer of the trip may reach more drivers now. */
  widened(tripId: bigint): void {
    this.#options.ineligible.forgetTrip(tripId);
  }

  /** Ends when every caller so far is answered and counted, and what is still open was announced. */
  async finish(): Promise<void> {
    const { attempts, undecided } = this.#options;
    await Promise.all(this.#running);
    await Promise.all([attempts.flush(), undecided.finish()]);
  }

  /** Steps 2 to 5, with one driver of the round after the other until everybody is answered. */
  async #run(round: AcceptRound): Promise<void> {
    const { tripId, epoch } = round;
    const { gate } = this.#options;
    let patience: Deadline | undefined;
    let crowd: NodeJS.Timeout | undefined;
    let gateAnswer: GateAnswer = { kind: 'SKIPPED' };
    let hold = '';
    let askedFor: bigint | undefined;
    try {
      for (let driverId = round.nextDriverId; driverId !== undefined; driverId = round.nextDriverId) {
        if (gate) gateAnswer = await gate.hold({ tripId, epoch, driverId }, hold);
        if (gateAnswer.kind === 'HELD') hold = gateAnswer.hold;
        if (gateAnswer.kind !== 'STANDING' || round.isWaiting(gateAnswer.driverId)) {
          askedFor = gateAnswer.kind === 'STANDING' ? gateAnswer.driverId : driverId;
          crowd ??= setTimeout(() => round.dismissCrowd(undecidedOf(round)), OWN_PATIENCE_MS);
          await this.#decide(round, askedFor);
        } else if (gateAnswer.isDecided) {
          this.#taken(round, gateAnswer);
        } else if (patience?.hasPassed) {
          this.#settle(round, () => undecidedOf(round));
        } else {
          patience ??= Deadline.after(PATIENCE_MS);
          await gate?.untilNextLook();
        }
      }
    } catch (error) {
      const isUnknown = error instanceof PostgresFailure && error.kind === 'UNKNOWN';
      // Perhaps it is theirs: then the hold stands until it runs out.
      if (isUnknown) hold = '';
      const failed = error instanceof PostgresFailure ? storeError(error, tripId) : error;
      // Nothing was asked for the others of the round.
      const notAsked = isUnknown ? new TripStoreUnavailableError(error) : failed;
      round.fail((driverId) => (driverId === askedFor ? failed : notAsked));
    } finally {
      clearTimeout(crowd);
      if (hold !== '' && round.ownerId === undefined) gate?.release({ tripId, epoch }, hold);
      this.#rounds.delete(round);
      this.#report(round, gateAnswer.kind);
    }
  }

  async #decide(round: AcceptRound, driverId: bigint): Promise<void> {
    const { tripId, epoch, deadline, origins } = round;
    const { decisions } = this.#options;
    const decision = await decisions.decide({ tripId, epoch, driverId, deadline, origins });
    if (decision.kind === 'WON') {
      this.#show(round, driverId);
      const taken = takenOf(round);
      return this.#settle(round, (callerId) => (callerId === driverId ? decision.accepted : taken));
    }
    const { standing } = decision;
    if (standing.status === undefined) throw new TripNotFoundError(tripId);
    const ownerId = ownerOf(standing, epoch);
    if (ownerId !== undefined) this.#show(round, ownerId);
    this.#settle(round, (callerId) => answerFor(standing, callerId, epoch));
    round.ineligibleCount += 1;
    const leftIds = round.waitingIds;
    // One busy driver is usual; after two it pays to ask for all who are left.
    if (round.ineligibleCount < 2 || leftIds.length < 2) return;
    const busy = await decisions.busyAmong(leftIds, deadline);
    this.#settle(round, (callerId) => {
      const activeTripId = busy.get(callerId);
      const isBusy = activeTripId !== undefined && activeTripId !== tripId;
      return isBusy ? { kind: 'DRIVER_BUSY', tripId, activeTripId } : undefined;
    });
  }

  /** The row says who has the trip: late drivers of all processes learn it without SQL for a while. */
  #show(round: AcceptRound, ownerId: bigint): void {
    const { gate, decided } = this.#options;
    round.ownerId = ownerId;
    decided.remember(takenOf(round), ownerId, DECISION_MS);
    const { tripId, epoch } = round;
    gate?.confirm({ tripId, epoch, driverId: ownerId });
  }

  /** The gate shows a decision for somebody who is not of this round. */
  #taken(round: AcceptRound, { driverId, lifeMs }: GateAnswer & { kind: 'STANDING' }): void {
    const taken = takenOf(round);
    this.#options.decided.remember(taken, driverId, lifeMs);
    this.#settle(round, () => taken);
  }

  #settle(round: AcceptRound, answer: AnswerFor): void {
    const { ineligible } = this.#options;
    const { tripId, epoch } = round;
    round.settle((driverId) => {
      const outcome = answer(driverId);
      if (outcome) ineligible.remember(tripId, epoch, { driverId, outcome });
      return outcome;
    });
  }

  #report(round: AcceptRound, gate: GateAnswer['kind']): void {
    const { attempts, undecided, observer, now } = this.#options;
    const counts = round.outcomeCounts;
    if (counts.UNDECIDED && round.ownerId === undefined) undecided.remember(round);
    for (const [kind, count] of Object.entries(counts)) {
      attempts.add(round, kind as AcceptOutcome['kind'], count);
    }
    observer.acceptRoundEnded?.({
      tripId: round.tripId,
      epoch: round.epoch,
      callerCount: Object.values(counts).reduce((sum, count) => sum + count, 0),
      outcomeCounts: counts,
      gate: gate === 'STANDING' ? 'REFUSED' : gate,
      elapsedMs: now() - round.beganAt,
    });
  }
}

function takenOf({ tripId, epoch }: AcceptRound): Taken {
  return { kind: 'TAKEN', tripId, epoch, certainty: 'DECIDED' };
}

/** A hold that nobody ends has run out by then. */
function undecidedOf({ tripId, epoch }: AcceptRound): Undecided {
  return { kind: 'UNDECIDED', tripId, epoch, retryAfterMs: HOLD_MS };
}
