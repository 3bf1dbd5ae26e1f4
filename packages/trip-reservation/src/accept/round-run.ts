/**
 * Accepting a trip: of all drivers who accept, exactly one gets it, and every other driver gets a correct answer.
 *
 * Authority. Only the row of the trip in PostgreSQL decides. An offer is (trip, dispatch epoch); a row leaves FINDING
 * at most once per epoch, by one statement (`DECIDE_TRIPS`) that also reserves the driver and writes the event. Redis
 * only narrows the crowd before that statement, and memory only answers callers that arrive together.
 *
 * Steps of a call.
 *   0. Memory  if the offer was recently seen decided, or this driver refused for good: the same answer (known-answers.ts).
 *   1. Round   callers of one offer in this process join one round; its first driver calls on behalf of all. For one who
 *              was just refused as busy or not listed, the row is read before 2. Steps 2 and 3 begin together where this
 *              process has met no other at the gate lately: asking first saves a statement only if another is ahead.
 *   2. Gate    one script on one key `trip_lock:{tripId}:{epoch}` either acquires a hold for the driver or returns the
 *              current entry. An entry for a driver of this round, made by another process: continue. A decision for
 *              another driver: the round is answered TAKEN and ends, without SQL. Another driver's hold: the round waits
 *              up to `patienceMs` for the notice of its end (gate-notices.ts), then the row is read: if it is not
 *              decided yet, the round is answered UNDECIDED.
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
 *   - Redis forgets a hold or grants it twice: two drivers reach 3, one moves the row, the other reads back TAKEN.
 *   - PostgreSQL fails over and loses the commit: Redis keeps showing DECIDED for at most 10 s.
 *   - The process dies between 2 and 3: no one has the trip; the hold expires and the next driver gets through.
 *     Between 3 and 4: the driver has the trip and retries, as above.
 *   - It is paused between 2 and 3 while the trip changes: its statement finds another status or epoch, and does nothing.
 *   - The reply of the commit is lost: the statement is sent again; if it moves no row, it reads back who has the
 *     trip. If PostgreSQL stays silent, the answer is OUTCOME_UNKNOWN, never a guess.
 *   - Another session locks the row: 3 leaves it out of the group and runs it alone, until the round's deadline.
 */
import { Deadline, PostgresFailure } from '@solegate/postgres-infra';
import { answerFor, ownerOf, type Standing } from '../sql/standing.js';
import { StoreUnavailableError, storeError, TripNotFoundError } from '../trip/errors.js';
import type { AcceptOutcome } from '../trip/outcomes.js';
import type { TripDecisions } from './decision.js';
import { DECISION_MS, type GateAnswer, type TripGate } from './gate.js';
import type { GateNotice } from './gate-notices.js';
import type { KnownAnswers } from './known-answers.js';
import type { AcceptRound } from './round.js';

/** How long a process asks the gate before the row after it started or met another one there, in milliseconds. */
export const CROWDED_MS = 10_000;
/** How long callers wait for a decision of this process: it is about to arrive, and a retry costs more, in milliseconds. */
const OWN_PATIENCE_MS = 1000;
/** First pause between two looks at another process's hold where notices are not heard, in milliseconds; it doubles. */
const PAUSE_MS = 1;
/** How long an UNDECIDED answer waits for the state of the row, in milliseconds. */
const READ_MS = 250;

export interface RoundRunOptions {
  /** Undefined without Redis. */
  readonly gate: TripGate | undefined;
  readonly decisions: TripDecisions;
  readonly known: KnownAnswers;
  /** Called after a commit. @param offeredTo all drivers who were listed */
  readonly won: (tripId: bigint, driverId: bigint, offeredTo: readonly bigint[]) => void;
  /** How long callers wait for the result of another process's hold before they get UNDECIDED, in milliseconds. */
  readonly patienceMs: number;
  readonly now: () => number;
  /** Shared by the rounds of a process: all that run, and until when another process counts as being at the gate. */
  readonly crowd: { metUntil: number; readonly running: ReadonlySet<unknown> };
}

type StandingAnswer = GateAnswer & { kind: 'STANDING' };

/** Steps 2 to 5 of one round. */
export class RoundRun {
  readonly #round: AcceptRound;
  readonly #options: RoundRunOptions;
  #asked: Promise<GateAnswer> | undefined;
  #gateAnswer: GateAnswer = { kind: 'SKIPPED' };
  #notice: GateNotice | undefined;
  /** What a notice said of the gate, instead of its next answer. */
  #noticed: GateAnswer | undefined;
  #pauseMs = PAUSE_MS;
  /** The hold of this round, which the next driver takes over. */
  #hold = '';
  /** The trip might be theirs, so the hold stays until it expires. */
  #isUnknown = false;

  constructor(round: AcceptRound, options: RoundRunOptions) {
    this.#round = round;
    this.#options = options;
  }

  /** Tries one driver of the round after another. @param ended called while nobody waits: who joined later would hang */
  async answerAll(ended: () => void): Promise<void> {
    const round = this.#round;
    const { tripId, epoch, deadline } = round;
    const { patienceMs, known, decisions } = this.#options;
    let patience: Deadline | undefined;
    let dismissal: NodeJS.Timeout | undefined;
    let decidedFor: bigint | undefined;
    try {
      for (let driverId = round.nextDriverId; driverId !== undefined; driverId = round.nextDriverId) {
        if (known.takeRefusal(tripId, epoch, driverId)) {
          this.#settleBy(await decisions.standing({ tripId, driverId, deadline }));
          if (!round.isWaiting(driverId)) continue;
        }
        const isAlone = await this.#ask(driverId);
        const gateAnswer = this.#gateAnswer;
        if (isAlone || gateAnswer.kind !== 'STANDING' || round.isWaiting(gateAnswer.driverId)) {
          decidedFor = gateAnswer.kind === 'STANDING' ? gateAnswer.driverId : driverId;
          dismissal ??= setTimeout(() => round.dismissCrowd(round.undecided(epoch)), OWN_PATIENCE_MS);
          await this.#decide(decidedFor);
        } else if (gateAnswer.isDecided) {
          this.#taken(gateAnswer);
        } else if (patienceMs === 0 || patience?.hasPassed) {
          await this.#undecided(driverId);
        } else {
          patience ??= Deadline.after(patienceMs);
          await this.#awaitNotice(gateAnswer, patience.leftMs);
        }
      }
    } catch (error) {
      this.#isUnknown = error instanceof PostgresFailure && error.kind === 'UNKNOWN';
      const failed = error instanceof PostgresFailure ? storeError(error, tripId) : error;
      // No statement was sent for the other drivers of the round.
      const notAsked = this.#isUnknown ? new StoreUnavailableError(error) : failed;
      round.fail((driverId) => (driverId === decidedFor ? failed : notAsked));
    } finally {
      clearTimeout(dismissal);
      ended();
    }
  }

  /** Removes the hold if it led to nothing; returns the last answer of the gate. */
  async end(): Promise<GateAnswer['kind']> {
    this.#notice?.close();
    await this.#settleGate();
    const isIdle = this.#hold !== '' && this.#round.ownerId === undefined && !this.#isUnknown;
    if (isIdle) this.#options.gate?.release(this.#round, this.#hold);
    return this.#gateAnswer.kind;
  }

  /** Asks the gate; resolves with true, without waiting for its answer, if no other process is likely to be there. */
  async #ask(driverId: bigint): Promise<boolean> {
    const { tripId, epoch, deadline } = this.#round;
    const { gate, crowd, now } = this.#options;
    if (gate === undefined || this.#noticed) {
      this.#gateAnswer = this.#noticed ?? this.#gateAnswer;
      this.#noticed = undefined;
      return false;
    }
    const isAlone = this.#asked === undefined && now() >= crowd.metUntil;
    await this.#settleGate();
    // Before the question: the hold might end before its answer is here.
    if (!isAlone) this.#notice ??= gate.notices?.open({ tripId, epoch });
    this.#asked = gate.hold({ tripId, epoch, driverId, deadline, ownHold: this.#hold, isWaiting: !isAlone });
    if (!isAlone) await this.#settleGate();
    return isAlone;
  }

  /** Waits until the hold of another process ends, or looks again after a pause if no notice can be heard. */
  async #awaitNotice({ lifeMs, isNotified }: StandingAnswer, patienceMs: number): Promise<void> {
    const waitMs = Math.min(patienceMs, lifeMs, isNotified ? lifeMs : this.#pauseMs);
    this.#pauseMs *= 2;
    const pause = () => new Promise<undefined>((resolve) => setTimeout(() => resolve(undefined), waitMs));
    const entry = await (this.#notice?.take(waitMs) ?? pause());
    if (entry !== undefined) this.#noticed = this.#options.gate?.noticed(entry);
  }

  async #settleGate(): Promise<void> {
    this.#gateAnswer = (await this.#asked) ?? this.#gateAnswer;
    const { crowd, now } = this.#options;
    if (this.#gateAnswer.kind === 'HELD') this.#hold = this.#gateAnswer.hold;
    const isOther = this.#gateAnswer.kind === 'STANDING' && this.#gateAnswer.driverId !== this.#round.ownerId;
    if (isOther) crowd.metUntil = now() + CROWDED_MS;
  }

  async #decide(driverId: bigint): Promise<void> {
    const round = this.#round;
    const { tripId, epoch, deadline, origins } = round;
    const { decisions, won } = this.#options;
    const decision = await decisions.decide({ tripId, epoch, driverId, deadline, origins });
    if (decision.kind === 'WON') {
      won(tripId, driverId, decision.offeredTo);
      this.#show(driverId);
      return this.#settle((callerId) => (callerId === driverId ? decision.accepted : round.taken));
    }
    const { standing } = decision;
    this.#settleBy(standing);
    round.ineligibleCount += 1;
    const leftIds = round.waitingIds;
    // One ineligible driver is common; after two it pays to check all who are left.
    if (round.ineligibleCount < 2 || leftIds.length < 2) return;
    const busy = await decisions.busyAmong(leftIds, deadline);
    this.#settle((callerId) => {
      const activeTripId = busy.get(callerId);
      const isBusy = activeTripId !== undefined && activeTripId !== tripId;
      return isBusy ? { kind: 'DRIVER_BUSY', tripId, activeTripId } : undefined;
    });
  }

  /**
   * Nobody waits any longer for the hold of another process. Its decision might have been committed just now; if not, it
   * follows the revision in the row. If PostgreSQL is slow, the epoch serves: every decision has a higher revision.
   */
  async #undecided(driverId: bigint): Promise<void> {
    const { tripId, epoch, deadline } = this.#round;
    const request = { tripId, driverId, deadline: deadline.atMost(READ_MS) };
    const standing = await this.#options.decisions.standing(request).catch(() => undefined);
    if (standing) this.#settleBy(standing);
    this.#settle(() => this.#round.undecided(standing?.revision ?? epoch));
  }

  /** Answers everyone for whom the state of the trip is final. */
  #settleBy(standing: Standing): void {
    const { tripId, epoch } = this.#round;
    if (standing.status === undefined) throw new TripNotFoundError(tripId);
    const ownerId = ownerOf(standing, epoch);
    if (ownerId !== undefined) this.#show(ownerId);
    this.#settle((callerId) => answerFor(standing, callerId, epoch));
  }

  /** Records who has the trip by the row, so that late drivers of all processes need no SQL for a while. */
  #show(ownerId: bigint): void {
    const { gate, known, crowd, now } = this.#options;
    const { tripId, epoch, taken } = this.#round;
    this.#round.ownerId = ownerId;
    known.taken(taken, ownerId, DECISION_MS);
    gate?.confirm({ tripId, epoch, driverId: ownerId }, crowd.running.size === 1 && now() < crowd.metUntil);
  }

  /** The gate shows a decision for a driver outside this round. */
  #taken({ driverId, lifeMs }: StandingAnswer): void {
    const { taken } = this.#round;
    this.#options.known.taken(taken, driverId, lifeMs);
    this.#settle(() => taken);
  }

  #settle(answer: (driverId: bigint) => AcceptOutcome | undefined): void {
    this.#round.settle((driverId) => {
      const outcome = answer(driverId);
      if (outcome) this.#options.known.refused(this.#round.epoch, driverId, outcome);
      return outcome;
    });
  }
}
