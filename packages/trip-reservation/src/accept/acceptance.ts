/**
 * Accepting a trip: of all drivers who accept, exactly one gets it, and every other driver gets a correct answer.
 *
 * Authority. Only the row of the trip in PostgreSQL decides. An offer is (trip, dispatch epoch); a row leaves FINDING
 * at most once per epoch, by one statement (`DECIDE_TRIPS`) that also reserves the driver and writes the event. Redis
 * only narrows the crowd before that statement, and memory only answers callers that arrive together.
 *
 * Steps of a call.
 *   0. Memory  if the offer was recently seen decided, or this driver ineligible: the same answer (known-answers.ts).
 *   1. Round   callers of one offer in this process join one round; its first driver calls on behalf of all.
 *   2. Gate    one script on one key `trip_lock:{tripId}:{epoch}` either acquires a hold for the driver or returns the
 *              current entry. An entry for a driver of this round, made by another process: continue. A decision for
 *              another driver: the round is answered TAKEN and ends, without SQL. Another driver's hold: the gate is
 *              polled for 50 ms, then the row is read: if it is not decided yet, the round is answered UNDECIDED.
 *   3. Decide  one statement for all rounds of this process that are waiting. It wins, or the current state is read
 *              back. If this takes longer than 1 s, the crowd behind the first few drivers is answered UNDECIDED.
 *   4. Answer  the state answers everyone in the round for whom it is final. For the others, the next driver tries and
 *              takes over the hold; busy drivers are looked up for all of them together.
 *   5. Tidy    if a driver has the trip: the gate shows DECIDED for 10 s, after which the next caller verifies it by
 *              2 to 4. Otherwise the hold is removed. Drivers who got UNDECIDED are notified of the result by an event,
 *              even if no one won (undecided-offers.ts).
 *
 * What ends a hold: its commit (it becomes the decision), its removal, or 0.8 s.
 *
 * Failures.
 *   - A reply is lost and the driver retries, here or elsewhere: the gate shows them, the row is theirs, same answer.
 *     If the gate is held for another driver in the meantime, that driver's call reads the row and updates the gate.
 *   - Redis is down, slow or black-holed: after the gate's own timeout the round continues with 3; if this
 *     repeats, the circuit breaker skips 2. Both paths end in the same statement, so they can mix.
 *   - Redis forgets a hold, or grants it twice: two drivers reach 3, one moves the row, the other reads back TAKEN.
 *   - PostgreSQL fails over and loses the commit: Redis keeps showing DECIDED for at most 10 s.
 *   - The process dies between 2 and 3: no one has the trip; the hold expires and the next driver gets through.
 *     Between 3 and 4: the driver has the trip and retries, as above.
 *   - It is paused between 2 and 3 while the trip changes: its statement finds another status or epoch and
 *     does nothing.
 *   - The reply of the commit is lost: the statement is sent again; if it moves no row, it reads back who has the
 *     trip. If PostgreSQL stays silent, the answer is TRIP_OUTCOME_UNKNOWN, never a guess.
 *   - Another session locks the row: 3 leaves it out of the group and runs it alone, until the round's deadline.
 */
import { Deadline, PostgresFailure } from '@solegate/postgres-infra';
import { answerFor, ownerOf, type Standing } from '../sql/standing.js';
import type { AnswerOfferOptions } from '../trip/commands.js';
import { storeError, TripNotFoundError, TripStoreUnavailableError } from '../trip/errors.js';
import type { TripObserver } from '../trip/observer.js';
import type { AcceptOutcome } from '../trip/outcomes.js';
import type { AttemptLedger } from './attempts.js';
import type { TripDecisions } from './decision.js';
import { DECISION_MS, type GateAnswer, type TripGate } from './gate.js';
import type { KnownAnswers } from './known-answers.js';
import { AcceptRound, OpenRounds } from './round.js';
import type { UndecidedOffers } from './undecided-offers.js';

/** How long callers wait for the result of another process's hold before they get UNDECIDED, in milliseconds. */
const PATIENCE_MS = 50;
/** The same for a decision in progress in this process: it is about to arrive, and a retry costs more than waiting. */
const OWN_PATIENCE_MS = 1000;
/** How long an UNDECIDED answer waits for the state of the row, in milliseconds. */
const READ_MS = 250;

export interface TripAcceptanceOptions {
  /** Undefined without Redis. */
  readonly gate: TripGate | undefined;
  readonly decisions: TripDecisions;
  readonly known: KnownAnswers;
  readonly undecided: UndecidedOffers;
  /** Called after a commit. @param offeredTo all drivers who were listed */
  readonly won: (tripId: bigint, driverId: bigint, offeredTo: readonly bigint[]) => void;
  /** Undefined: not counted. */
  readonly attempts: AttemptLedger | undefined;
  readonly observer: TripObserver;
  /** Every caller is answered within this time, in milliseconds. */
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
    const { known, attempts, observer, requestTimeoutMs, now } = this.#options;
    const answer = known.answerFor(tripId, offerEpoch, driverId);
    if (answer) {
      attempts?.add({ tripId, epoch: offerEpoch }, answer.kind, 1);
      return Promise.resolve(answer);
    }
    const running = this.#rounds.get(tripId, offerEpoch);
    if (running) return running.join(driverId, observer.acceptJoined?.());
    const round = new AcceptRound(tripId, offerEpoch, now(), Deadline.after(requestTimeoutMs));
    this.#rounds.add(round);
    const joined = round.join(driverId, observer.acceptJoined?.());
    const run = this.#run(round).finally(() => this.#running.delete(run));
    this.#running.add(run);
    return joined;
  }

  /** The driver no longer has the trip of this epoch; late drivers must get the precise reason. */
  released(offer: { readonly tripId: bigint; readonly epoch: number }, driverId: bigint): void {
    const { known, gate } = this.#options;
    known.forgetTrip(offer.tripId);
    known.forgetDriver(driverId);
    gate?.forget({ ...offer, driverId });
  }

  /** Resolves when every caller so far is answered and counted, and offers that are still open are announced. */
  async finish(): Promise<void> {
    const { attempts, undecided } = this.#options;
    await Promise.all(this.#running);
    await Promise.all([attempts?.flush(), undecided.finish()]);
  }

  /** Runs steps 2 to 5 with one driver of the round after another, until everyone is answered. */
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
          crowd ??= setTimeout(() => round.dismissCrowd(round.undecided(epoch)), OWN_PATIENCE_MS);
          await this.#decide(round, askedFor);
        } else if (gateAnswer.isDecided) {
          this.#taken(round, gateAnswer);
        } else if (patience?.hasPassed) {
          await this.#undecided(round, driverId);
        } else {
          patience ??= Deadline.after(PATIENCE_MS);
          await gate?.untilNextLook();
        }
      }
    } catch (error) {
      const isUnknown = error instanceof PostgresFailure && error.kind === 'UNKNOWN';
      // The trip might be theirs, so the hold stays until it expires.
      if (isUnknown) hold = '';
      const failed = error instanceof PostgresFailure ? storeError(error, tripId) : error;
      // No statement was sent for the other drivers of the round.
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
      this.#options.won(tripId, driverId, decision.offeredTo);
      this.#show(round, driverId);
      const { taken } = round;
      return this.#settle(round, (callerId) => (callerId === driverId ? decision.accepted : taken));
    }
    const { standing } = decision;
    this.#settleBy(round, standing);
    round.ineligibleCount += 1;
    const leftIds = round.waitingIds;
    // One ineligible driver is common; after two it pays to check all who are left.
    if (round.ineligibleCount < 2 || leftIds.length < 2) return;
    const busy = await decisions.busyAmong(leftIds, deadline);
    this.#settle(round, (callerId) => {
      const activeTripId = busy.get(callerId);
      const isBusy = activeTripId !== undefined && activeTripId !== tripId;
      return isBusy ? { kind: 'DRIVER_BUSY', tripId, activeTripId } : undefined;
    });
  }

  /**
   * Nobody waits any longer for the hold of another process. Its decision might have been committed just now; if not, it
   * follows the revision in the row. If PostgreSQL is slow, the epoch serves: no decision has a revision that low.
   */
  async #undecided(round: AcceptRound, driverId: bigint): Promise<void> {
    const { tripId, deadline } = round;
    const soon = Deadline.after(Math.min(READ_MS, deadline.leftMs));
    const request = { tripId, driverId, deadline: soon };
    const standing = await this.#options.decisions.standing(request).catch(() => undefined);
    if (standing) this.#settleBy(round, standing);
    this.#settle(round, () => round.undecided(standing?.revision ?? round.epoch));
  }

  /** Answers everyone for whom the state of the trip is final. */
  #settleBy(round: AcceptRound, standing: Standing): void {
    const { epoch } = round;
    if (standing.status === undefined) throw new TripNotFoundError(round.tripId);
    const ownerId = ownerOf(standing, epoch);
    if (ownerId !== undefined) this.#show(round, ownerId);
    this.#settle(round, (callerId) => answerFor(standing, callerId, epoch));
  }

  /** Records who has the trip by the row, so that late drivers of all processes need no SQL for a while. */
  #show(round: AcceptRound, ownerId: bigint): void {
    const { gate, known } = this.#options;
    round.ownerId = ownerId;
    known.taken(round.taken, ownerId, DECISION_MS);
    const { tripId, epoch } = round;
    gate?.confirm({ tripId, epoch, driverId: ownerId });
  }

  /** The gate shows a decision for a driver outside this round. */
  #taken(round: AcceptRound, { driverId, lifeMs }: GateAnswer & { kind: 'STANDING' }): void {
    const { taken } = round;
    this.#options.known.taken(taken, driverId, lifeMs);
    this.#settle(round, () => taken);
  }

  #settle(round: AcceptRound, answer: AnswerFor): void {
    round.settle((driverId) => {
      const outcome = answer(driverId);
      if (outcome) this.#options.known.refused(round.epoch, driverId, outcome);
      return outcome;
    });
  }

  #report(round: AcceptRound, gate: GateAnswer['kind']): void {
    const { attempts, undecided, observer, now } = this.#options;
    const counts = round.outcomeCounts;
    if (counts.UNDECIDED && round.ownerId === undefined) undecided.remember(round);
    for (const [kind, count] of Object.entries(counts)) {
      attempts?.add(round, kind as AcceptOutcome['kind'], count);
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
