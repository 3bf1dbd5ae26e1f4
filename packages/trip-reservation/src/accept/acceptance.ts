/**
 * Accepting a trip: of all drivers who ask, exactly one is told yes, and everybody else why not.
 *
 * Who is authoritative. The row of the trip in PostgreSQL, and nothing else. An offer is (trip, dispatch
 * epoch); a row leaves FINDING at one epoch at most once, by one statement (`DECIDE_TRIPS`) that also takes
 * the driver and writes the event. Redis only narrows the crowd before that statement, memory only answers
 * those who come together.
 *
 * The way of a call.
 *   1. Round   callers of one offer in this process join one round; its first driver asks for all.
 *   2. Gate    one script on one key `trip_lock:{tripId}:{epoch}`: free (now held for him), or who stands
 *              there. Somebody else: the round is told TAKEN and ends, without SQL. Himself, by way of
 *              another process: on. Free: the first few of the round wait for the decision, the crowd behind
 *              them is told TAKEN (provisional) at once, so that it does not wait for a commit that changes
 *              nothing for it.
 *   3. Decide  one statement for all the rounds of this process that came so far. Won, or read back how it
 *              stands.
 *   4. Answer  he is told; what stands answers the others of the round. Those it leaves open (he was busy
 *              with another trip, or not offered) go on with the next driver, who takes over the hold.
 *   5. Tidy    won: the gate says DECIDED for the rest of the offer's life. Known failure: the hold is
 *              removed.
 *
 * What ends a hold: its commit (it becomes the decision), its removal, or 0.8 s.
 *
 * Failures.
 *   - A reply is lost and the driver asks again, here or elsewhere: the gate knows him, the row is his, same
 *     answer.
 *   - Redis is gone, slow or black-holed: after the gate's own time limit the round goes on to 3; when
 *     that repeats, the circuit skips 2. Gate and fallback end in the same statement, so they may mix.
 *   - Redis forgets a hold, or hands it out twice: two drivers reach 3, one row moves, the other reads back
 *     TAKEN.
 *   - The process dies between 2 and 3: nobody has the trip; the hold runs out and the next driver passes.
 *   - It dies between 3 and 4: the driver has the trip and asks again, as above.
 *   - It sleeps between 2 and 3 while the world moves on: its statement finds another status or epoch and
 *     does nothing.
 *   - The reply of the commit is lost: the statement is asked again; without a row it reads back whose the
 *     trip is. When PostgreSQL stays silent the answer is TRIP_OUTCOME_UNKNOWN, never a guess.
 *   - Somebody holds the row: 3 leaves it out of the group and asks for it alone, until the round's deadline.
 */

import { Deadline, PostgresFailure } from '@solegate/postgres-infra';
import { answerFor } from '../sql/standing.js';
import type { AnswerOfferOptions } from '../trip/commands.js';
import { storeError, TripNotFoundError, TripStoreUnavailableError } from '../trip/errors.js';
import type { TripObserver } from '../trip/observer.js';
import type { AcceptOutcome, Taken } from '../trip/outcomes.js';
import type { AttemptLedger } from './attempts.js';
import type { DecidedOffers } from './decided-offers.js';
import type { Decision, TripDecisions } from './decision.js';
import type { GateAnswer, TripGate } from './gate.js';
import { AcceptRound } from './round.js';

export interface TripAcceptanceOptions {
  /** Undefined: there is no Redis. */
  readonly gate: TripGate | undefined;
  readonly decisions: TripDecisions;
  readonly decided: DecidedOffers;
  readonly attempts: AttemptLedger;
  readonly observer: TripObserver;
  /** Every caller is answered within it, in milliseconds. */
  readonly requestTimeoutMs: number;
  readonly now: () => number;
}

export class TripAcceptance {
  readonly #options: TripAcceptanceOptions;
  readonly #rounds = new Map<string, AcceptRound>();
  readonly #running = new Set<Promise<void>>();

  constructor(options: TripAcceptanceOptions) {
    this.#options = options;
  }

  accept({ tripId, driverId, offerEpoch }: AnswerOfferOptions): Promise<AcceptOutcome> {
    const offer = `${tripId}:${offerEpoch}`;
    const running = this.#rounds.get(offer);
    if (running) return running.join(driverId);
    const { decided, attempts, requestTimeoutMs, now } = this.#options;
    const late = decided.answerFor(offer, driverId);
    if (late) {
      attempts.add({ tripId, epoch: offerEpoch }, 'TAKEN', 1);
      return late;
    }
    const round = new AcceptRound(tripId, offerEpoch, now(), Deadline.after(requestTimeoutMs));
    this.#rounds.set(offer, round);
    const answer = round.join(driverId);
    const run = this.#run(round, offer).finally(() => this.#running.delete(run));
    this.#running.add(run);
    return answer;
  }

  /** The driver of this epoch no longer has the trip: late drivers shall be told the precise reason. */
  forget(offer: { readonly tripId: bigint; readonly epoch: number }, driverId: bigint): void {
    this.#options.decided.forget(`${offer.tripId}:${offer.epoch}`);
    this.#options.gate?.forget({ ...offer, driverId });
  }

  /** Ends when every caller so far is answered and counted. */
  async finish(): Promise<void> {
    await Promise.all(this.#running);
    await this.#options.attempts.flush();
  }

  /** Steps 2 to 4, with one driver of the round after the other until everybody is answered. */
  async #run(round: AcceptRound, offer: string): Promise<void> {
    const { tripId, epoch } = round;
    const { gate } = this.#options;
    let gateAnswer: GateAnswer = { kind: 'SKIPPED' };
    let hold = '';
    let askedFor: bigint | undefined;
    try {
      for (let driverId = round.nextDriverId; driverId !== undefined; driverId = round.nextDriverId) {
        if (gate) gateAnswer = await gate.hold({ tripId, epoch, driverId }, hold);
        if (gateAnswer.kind === 'HELD') {
          hold = gateAnswer.hold;
          // In the next turn, when the statement has left: PostgreSQL works while the crowd is answered.
          setImmediate(() => round.dismissCrowd(takenOf(round, 'PROVISIONAL')));
        }
        if (gateAnswer.kind === 'STANDING' && !round.isWaiting(gateAnswer.driverId)) {
          this.#refuse(round, offer, gateAnswer);
        } else {
          askedFor = gateAnswer.kind === 'STANDING' ? gateAnswer.driverId : driverId;
          await this.#decide(round, offer, askedFor);
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
      if (hold !== '' && round.winnerId === undefined) gate?.release({ tripId, epoch }, hold);
      this.#rounds.delete(offer);
      this.#report(round, gateAnswer.kind);
    }
  }

  /** The gate named somebody who is not of this round. */
  #refuse(round: AcceptRound, offer: string, standing: GateAnswer & { kind: 'STANDING' }): void {
    const taken = takenOf(round, standing.isDecided ? 'DECIDED' : 'PROVISIONAL');
    round.settle(() => taken);
    if (standing.isDecided) this.#options.decided.remember(offer, standing.driverId, taken);
  }

  async #decide(round: AcceptRound, offer: string, driverId: bigint): Promise<void> {
    const { tripId, epoch, deadline } = round;
    const decision = await this.#options.decisions.decide({ tripId, epoch, driverId, deadline });
    if (decision.kind === 'WON') return this.#won(round, offer, decision);
    const { standing } = decision;
    if (standing.status === undefined) throw new TripNotFoundError(tripId);
    round.settle((callerId) => answerFor(standing, callerId, epoch));
  }

  #won(round: AcceptRound, offer: string, { accepted, offerLeftMs }: Decision & { kind: 'WON' }): void {
    const { gate, decided } = this.#options;
    const taken = takenOf(round, 'DECIDED');
    decided.remember(offer, accepted.driverId, taken);
    round.winnerId = accepted.driverId;
    round.settle((callerId) => (callerId === accepted.driverId ? accepted : taken));
    if (gate) setImmediate(() => gate.confirm(accepted, offerLeftMs));
  }

  #report(round: AcceptRound, gate: GateAnswer['kind']): void {
    const { tripId, epoch, outcomeCounts } = round;
    const { attempts, observer, now } = this.#options;
    let callerCount = 0;
    for (const [kind, count] of Object.entries(outcomeCounts)) {
      attempts.add(round, kind as AcceptOutcome['kind'], count);
      callerCount += count;
    }
    observer.acceptRoundEnded?.({
      tripId,
      epoch,
      callerCount,
      outcomeCounts,
      gate: gate === 'STANDING' ? 'REFUSED' : gate,
      elapsedMs: now() - round.beganAt,
    });
  }
}

function takenOf({ tripId, epoch }: AcceptRound, certainty: Taken['certainty']): Taken {
  return { kind: 'TAKEN', tripId, epoch, certainty };
}
