import { Deadline, PostgresFailure, settleBy } from '@solegate/postgres-infra';
import type { BackgroundWork, OutboxRelay, OutboxRelayOptions, SweeperOptions } from './background.js';
import type { TripFeed, TripFeedRequest } from './events/feed.js';
import { tripHistory } from './events/history.js';
import type { TripWatch } from './events/trip-watch.js';
import { broadcastOffer } from './moves/broadcast.js';
import { cancelTrip } from './moves/cancel.js';
import { rejectTrip } from './moves/reject.js';
import { requestTrip } from './moves/request.js';
import { completeTrip, reportArrival, reportNoShow, startTrip } from './moves/ride.js';
import { expireOffers } from './moves/sweep.js';
import type { TripReservationParts } from './reservation-parts.js';
import type { StoreCall } from './sql/database.js';
import { findTrip, findTrips, listTrips, type TripPage } from './sql/reader.js';
import type * as commands from './trip/commands.js';
import { checkAnswer, checkHistory, checkRequest } from './trip/commands.js';
import { storeError, TripReservationClosedError } from './trip/errors.js';
import { assertWhole } from './trip/input.js';
import type { SweepReport } from './trip/observer.js';
import type * as outcomes from './trip/outcomes.js';
import type { Trip, TripEvent } from './trip/trip.js';

/** Extra time for `close` beyond the timeout of a call, in milliseconds. */
const CLOSE_MARGIN_MS = 500;

/**
 * Trips and the drivers who have them.
 *
 * Lost races are returned as outcomes. Failures are thrown as a `TripReservationError`: invalid input before
 * anything is sent (`InvalidRequestError`), an unknown trip, a failed store. Every call is safe to repeat
 * with the same arguments, and should be repeated after a `OutcomeUnknownError`.
 */
export class TripReservation implements AsyncDisposable {
  readonly #parts: TripReservationParts;
  readonly #running = new Set<Promise<unknown>>();
  #isClosed = false;

  /** Use `createTripReservation`. */
  constructor(parts: TripReservationParts) {
    this.#parts = parts;
  }

  /**
   * Creates a trip and opens its first offer, epoch 1.
   *
   * @throws TripConflictError when the ID or the idempotency key belongs to another request
   */
  requestTrip(options: commands.RequestTripOptions): Promise<Trip> {
    const { database, settings: defaults, nearest } = this.#parts;
    return this.#change(options.tripId, (call) => {
      checkRequest(options);
      const request = (within: StoreCall) => requestTrip(within, options, { defaults, nearest });
      return options.session ? database.within(options.session, call.deadline, request) : request(call);
    });
  }

  /** Offers an open trip to more drivers, or for longer, in the same epoch. */
  broadcastOffer(options: commands.BroadcastOfferOptions): Promise<outcomes.OfferOutcome> {
    return this.#change(options.tripId, async (call) => {
      const outcome = await broadcastOffer(call, options);
      this.#parts.known.forgetTrip(options.tripId);
      return outcome;
    });
  }

  /** Accepts an offer. Exactly one driver gets ACCEPTED, and gets it again whenever they repeat the call. */
  acceptTrip(options: commands.AnswerOfferOptions): Promise<outcomes.AcceptOutcome> {
    try {
      this.#assertOpen();
      checkAnswer(options);
    } catch (error) {
      return Promise.reject(error);
    }
    return this.#parts.acceptance.accept(options);
  }

  /** Declines the offer of this epoch for the driver, who can no longer accept it. */
  rejectTrip(options: commands.AnswerOfferOptions): Promise<outcomes.RejectOutcome> {
    return this.#run(options.tripId, async (call) => {
      const outcome = await rejectTrip(call, options);
      // In another epoch, the driver may have an offer of this trip that they keep.
      if (outcome.kind === 'REJECTED') this.#parts.nearest.released(options.tripId, [options.driverId]);
      return outcome;
    });
  }

  /** Records that the trip's driver is at the pickup; after `noShowAfterMs` they can report a no-show. */
  reportArrival(options: commands.DriverTripOptions): Promise<outcomes.ArriveOutcome> {
    return this.#change(options.tripId, (call) => reportArrival(call, options));
  }

  /** Cancels the trip because its driver waited at the pickup for `noShowAfterMs`; frees the driver. */
  reportNoShow(options: commands.DriverTripOptions): Promise<outcomes.NoShowOutcome> {
    const { noShowAfterMs } = this.#parts.settings;
    return this.#free(options, 'CANCELLED', (call) => reportNoShow(call, options, noShowAfterMs));
  }

  /** ACCEPTED → IN_PROGRESS, by the driver of the trip. */
  startTrip(options: commands.DriverTripOptions): Promise<outcomes.StartOutcome> {
    return this.#change(options.tripId, (call) => startTrip(call, options));
  }

  /** IN_PROGRESS → COMPLETED, by the driver of the trip; frees the driver. */
  completeTrip(options: commands.DriverTripOptions): Promise<outcomes.CompleteOutcome> {
    return this.#free(options, 'COMPLETED', (call) => completeTrip(call, options));
  }

  /** With `driverId`, the driver leaves and the trip is re-dispatched without them; otherwise it ends. */
  cancelTrip(options: commands.CancelTripOptions): Promise<outcomes.CancelOutcome> {
    const { acceptance, nearest } = this.#parts;
    return this.#change(options.tripId, (call) =>
      cancelTrip(call, options, ({ id, epoch, driverId, offeredTo }) => {
        if (driverId !== null) acceptance.released({ tripId: id, epoch }, driverId);
        const others = offeredTo === 'EVERYONE' ? [] : offeredTo;
        nearest.released(id, driverId === null ? others : [driverId]);
      }),
    );
  }

  findTrip(tripId: bigint): Promise<Trip | undefined> {
    return this.#run(tripId, (call) => findTrip(call, tripId));
  }

  /** Returns trips in the order of the IDs, undefined where there is none. */
  findTrips(tripIds: readonly bigint[]): Promise<(Trip | undefined)[]> {
    return this.#run(undefined, (call) => findTrips(call, tripIds));
  }

  /** Returns one page of trips, newest first. */
  listTrips(options: commands.ListTripsOptions = {}): Promise<TripPage> {
    return this.#run(undefined, (call) => listTrips(call, options));
  }

  /** Returns events of one trip in order, so that a client can catch up after being offline. */
  tripHistory(options: commands.TripHistoryOptions): Promise<readonly TripEvent[]> {
    return this.#run(options.tripId, (call) => tripHistory(call, options));
  }

  /**
   * Runs one sweep over up to `batchMax` (1 to 10,000, default 200) trips of each kind: ends expired offers, removes
   * drivers who did not start, frees orphans, widens nearest offers. Any number of processes can sweep concurrently.
   */
  expireOffers({ batchMax = 200 }: { readonly batchMax?: number } = {}): Promise<SweepReport> {
    return this.#change(undefined, (call) => {
      assertWhole('batchMax', batchMax, 1, 10_000);
      return expireOffers(call, { batchMax, withOrphans: true, nearest: this.#parts.nearest });
    });
  }

  /**
   * Yields events of one trip, each once and in order, even while Redis is down: `for await (const event of watch)`.
   * Ends when the trip has ended, on `watch.close()`, or when the reservation is closed.
   *
   * @throws TripNotFoundError
   */
  watchTrip(options: commands.WatchTripOptions): Promise<TripWatch> {
    return this.#run(options.tripId, () => {
      checkHistory(options);
      return this.#parts.watcher.watch(options);
    });
  }

  /** Follows the events of all trips, each once, from any point; see {@link TripFeed}. @throws TripFeedBrokenError */
  feed(request: TripFeedRequest = {}): Promise<TripFeed> {
    return this.#run(undefined, () => this.#parts.feeds.open(request));
  }

  /** Returns what the keys and channels of this database begin with in Redis; see `namespace` of the options. */
  namespace(): Promise<string> {
    return this.#run(undefined, ({ deadline }) => this.#parts.namespace.read(deadline));
  }

  /** Sweeps periodically until it is stopped or the reservation is closed. */
  startSweeper(options: SweeperOptions = {}): BackgroundWork {
    this.#assertOpen();
    return this.#parts.background.startSweeper(options);
  }

  /** Publishes each event to the `tripEventChannel` of its trip; if it opens or ends an offer, to `tripOfferChannel` too. */
  startOutboxRelay(options: OutboxRelayOptions = {}): OutboxRelay {
    this.#assertOpen();
    return this.#parts.background.startOutboxRelay({ ...this.#parts.settings.relay, ...options });
  }

  /**
   * Stops background work, waits for running calls and writes pending attempt counts, within `requestTimeoutMs` plus
   * one second. Does not close the stores; they belong to the caller.
   */
  async close(): Promise<void> {
    this.#isClosed = true;
    const { background, acceptance, settings, watcher, feeds } = this.#parts;
    watcher.close();
    feeds.close();
    const running = Promise.allSettled(this.#running);
    const ended = Promise.all([background.stop(), acceptance.finish(), running]);
    // Calls have ended by then; background work that has not is cut off by its own time limits.
    const isOver = Deadline.after(settings.requestTimeoutMs + CLOSE_MARGIN_MS);
    await settleBy(ended, isOver, () => new Error('late')).catch(() => undefined);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  #assertOpen(): void {
    if (this.#isClosed) throw new TripReservationClosedError();
  }

  /** Runs a call that frees the driver if its outcome is of this kind. */
  async #free<Outcome extends { readonly kind: string }>(
    { tripId, driverId }: commands.DriverTripOptions,
    kind: Outcome['kind'],
    work: (call: StoreCall) => Promise<Outcome>,
  ): Promise<Outcome> {
    const outcome = await this.#change(tripId, work);
    if (outcome.kind !== kind) return outcome;
    this.#parts.known.forgetDriver(driverId);
    this.#parts.nearest.released(tripId, [driverId]);
    return outcome;
  }

  /** Runs a call that writes events. */
  async #change<Result>(
    tripId: bigint | undefined,
    work: (call: StoreCall) => Promise<Result>,
  ): Promise<Result> {
    this.#parts.notices.say();
    const result = await this.#run(tripId, work);
    this.#parts.background.wakeRelays();
    return result;
  }

  async #run<Result>(
    tripId: bigint | undefined,
    work: (call: StoreCall) => Promise<Result>,
  ): Promise<Result> {
    this.#assertOpen();
    const { database, settings } = this.#parts;
    const running = work(database.call(Deadline.after(settings.requestTimeoutMs)));
    this.#running.add(running);
    try {
      return await running;
    } catch (error) {
      throw error instanceof PostgresFailure ? storeError(error, tripId) : error;
    } finally {
      this.#running.delete(running);
    }
  }
}
