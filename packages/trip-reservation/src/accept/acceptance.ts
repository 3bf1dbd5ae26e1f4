import { Deadline } from '@solegate/postgres-infra';
import type { AnswerOfferOptions } from '../trip/commands.js';
import type { TripObserver } from '../trip/observer.js';
import type { AcceptOutcome } from '../trip/outcomes.js';
import type { AttemptLedger } from './attempts.js';
import { AcceptRound, OpenRounds } from './round.js';
import { CROWDED_MS, RoundRun, type RoundRunOptions } from './round-run.js';
import type { UndecidedOffers } from './undecided-offers.js';

export interface TripAcceptanceOptions extends Omit<RoundRunOptions, 'crowd'> {
  readonly undecided: UndecidedOffers;
  /** Undefined: not counted. */
  readonly attempts: AttemptLedger | undefined;
  readonly observer: TripObserver;
  /** Every caller is answered within this time, in milliseconds. */
  readonly requestTimeoutMs: number;
}

/** Accepts of one process; round-run.ts describes how one is decided. */
export class TripAcceptance {
  readonly #options: TripAcceptanceOptions & RoundRunOptions;
  readonly #rounds = new OpenRounds();
  readonly #running = new Set<Promise<void>>();

  constructor(options: TripAcceptanceOptions) {
    this.#options = { ...options, crowd: { metUntil: options.now() + CROWDED_MS, running: this.#running } };
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
    const { attempts, undecided, gate } = this.#options;
    await Promise.all(this.#running);
    gate?.notices?.close();
    await Promise.all([attempts?.finish(), undecided.finish()]);
  }

  async #run(round: AcceptRound): Promise<void> {
    const run = new RoundRun(round, this.#options);
    await run.answerAll(() => this.#rounds.delete(round));
    this.#report(round, await run.end());
  }

  #report(round: AcceptRound, gate: Awaited<ReturnType<RoundRun['end']>>): void {
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
