import type { TripAcceptance } from './accept/acceptance.js';
import type {
  BackgroundWork,
  OutboxRelay,
  OutboxRelayOptions,
  SweeperOptions,
  TripBackground,
} from './background.js';
import { tripHistory } from './events/history.js';
import { broadcastOffer } from './moves/broadcast.js';
import { cancelByDriver, cancelByRider } from './moves/cancel.js';
import { rejectTrip } from './moves/reject.js';
import { requestTrip } from './moves/request.js';
import { completeTrip, startTrip } from './moves/ride.js';
import { expireOffers } from './moves/sweep.js';
import type { ReservationSettings } from './options.js';
import type { TripDatabase } from './sql/database.js';
import { findTrips, listTrips, type TripPage } from './sql/reader.js';
import {
  type AnswerOfferOptions,
  type BroadcastOfferOptions,
  type CancelTripOptions,
  checkAnswer,
  checkBroadcast,
  checkCancel,
  checkDriverTrip,
  checkHistory,
  checkList,
  checkRequest,
  type DriverTripOptions,
  type ListTripsOptions,
  type RequestTripOptions,
  type TripHistoryOptions,
} from './trip/commands.js';
import { TripReservationClosedError } from './trip/errors.js';
import { assertId, assertWhole } from './trip/input.js';
import type { SweepReport } from './trip/observer.js';
import type {
  AcceptOutcome,
  CancelOutcome,
  CompleteOutcome,
  OfferOutcome,
  RejectOutcome,
  StartOutcome,
} from './trip/outcomes.js';
import type { Trip, TripEvent } from './trip/trip.js';

/** What a reservation works with; `createTripReservation` puts it together. */
export interface TripReservationParts {
  readonly settings: ReservationSettings;
  readonly database: TripDatabase;
  readonly acceptance: TripAcceptance;
  readonly background: TripBackground;
}

/**
 * Trips and who has them.
 *
 * Lost races come back as outcomes. What breaks is thrown as a `TripReservationError`: bad input before
 * anything is asked (`InvalidTripInputError`), an unknown trip, a store that failed. Every call may be
 * repeated with the same arguments, and should be after a `TripOutcomeUnknownError`.
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
   * Creates a trip that looks for a driver and opens its first offer, epoch 1.
   *
   * @throws TripConflictError when the ID or the idempotency key belongs to another request
   */
  requestTrip(options: RequestTripOptions): Promise<Trip> {
    return this.#change(() => {
      checkRequest(options);
      const { database, settings } = this.#parts;
      return requestTrip(options.session ? database.within(options.session) : database, options, settings);
    });
  }

  /** Offers an open trip to more drivers, or for longer, under the same epoch. */
  broadcastOffer(options: BroadcastOfferOptions): Promise<OfferOutcome> {
    return this.#change(() => {
      checkBroadcast(options);
      return broadcastOffer(this.#parts.database, options);
    });
  }

  /** Of all who accept one offer exactly one is told ACCEPTED, and he again whenever he repeats it. */
  acceptTrip(options: AnswerOfferOptions): Promise<AcceptOutcome> {
    try {
      this.#assertOpen();
      checkAnswer(options);
    } catch (error) {
      return Promise.reject(error);
    }
    return this.#parts.acceptance.accept(options);
  }

  /** The driver declines the offer of this epoch; he cannot accept it any more. */
  rejectTrip(options: AnswerOfferOptions): Promise<RejectOutcome> {
    return this.#run(() => {
      checkAnswer(options);
      return rejectTrip(this.#parts.database, options);
    });
  }

  /** ACCEPTED → IN_PROGRESS, by the driver who has it. */
  startTrip(options: DriverTripOptions): Promise<StartOutcome> {
    return this.#change(() => {
      checkDriverTrip(options);
      return startTrip(this.#parts.database, options);
    });
  }

  /** IN_PROGRESS → COMPLETED, by the driver who has it; he is free for the next. */
  completeTrip(options: DriverTripOptions): Promise<CompleteOutcome> {
    return this.#change(() => {
      checkDriverTrip(options);
      return completeTrip(this.#parts.database, options);
    });
  }

  /**
   * With `riderId` the trip ends; with `driverId` the driver leaves it and it is dispatched anew without him.
   */
  cancelTrip(options: CancelTripOptions): Promise<CancelOutcome> {
    return this.#change(() => {
      checkCancel(options);
      const { database, acceptance } = this.#parts;
      const released = (before: Trip) => {
        if (before.driverId !== null)
          acceptance.forget({ tripId: before.id, epoch: before.epoch }, before.driverId);
      };
      return 'riderId' in options
        ? cancelByRider(database, options, released)
        : cancelByDriver(database, options, released);
    });
  }

  findTrip(tripId: bigint): Promise<Trip | undefined> {
    return this.#run(async () => {
      assertId('tripId', tripId);
      const [trip] = await findTrips(this.#parts.database, [tripId]);
      return trip;
    });
  }

  /** Many at once, in the order of the IDs; undefined where there is none. */
  findTrips(tripIds: readonly bigint[]): Promise<(Trip | undefined)[]> {
    return this.#run(() => {
      for (const tripId of tripIds) assertId('tripIds', tripId);
      return findTrips(this.#parts.database, tripIds);
    });
  }

  /** One page, newest first. */
  listTrips(options: ListTripsOptions = {}): Promise<TripPage> {
    return this.#run(() => {
      checkList(options);
      return listTrips(this.#parts.database, options);
    });
  }

  /** Events of one trip in order: how a client that was away catches up. */
  tripHistory(options: TripHistoryOptions): Promise<readonly TripEvent[]> {
    return this.#run(() => {
      checkHistory(options);
      return tripHistory(this.#parts.database, options);
    });
  }

  /**
   * One sweep of up to `batchMax` (1 to 10,000, default 200) trips of each kind: ends offers that ran out,
   * takes off drivers who never started, frees orphans. Any number of processes may sweep at once.
   */
  expireOffers({ batchMax = 200 }: { readonly batchMax?: number } = {}): Promise<SweepReport> {
    return this.#change(() => {
      assertWhole('batchMax', batchMax, 1, 10_000);
      return expireOffers(this.#parts.database, { batchMax, withOrphans: true });
    });
  }

  /** Sweeps until it is stopped or the reservation is closed. */
  startSweeper(options: SweeperOptions = {}): BackgroundWork {
    this.#assertOpen();
    return this.#parts.background.startSweeper(options);
  }

  /**
   * Publishes events to `tripEventChannel(tripId)`, and what opens or ends an offer to `TRIP_OFFER_CHANNEL`
   * too.
   */
  startOutboxRelay(options: OutboxRelayOptions = {}): OutboxRelay {
    this.#assertOpen();
    return this.#parts.background.startOutboxRelay({ ...this.#parts.settings.relay, ...options });
  }

  /**
   * Ends background work, lets running calls finish, writes the attempts counted. The stores stay the
   * caller's.
   */
  async close(): Promise<void> {
    this.#isClosed = true;
    const { background, acceptance } = this.#parts;
    await Promise.allSettled(this.#running);
    await acceptance.finish();
    await background.stop();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  #assertOpen(): void {
    if (this.#isClosed) throw new TripReservationClosedError();
  }

  /** A call that writes events. */
  async #change<Result>(call: () => Promise<Result>): Promise<Result> {
    const result = await this.#run(call);
    this.#parts.background.wakeRelays();
    return result;
  }

  async #run<Result>(call: () => Promise<Result>): Promise<Result> {
    this.#assertOpen();
    const running = call();
    this.#running.add(running);
    try {
      return await running;
    } finally {
      this.#running.delete(running);
    }
  }
}
