import type { RedisConnection } from '@solegate/redis-infra';
import type { SqlPool } from './sql-session.js';
import type { Trip, TripEvent } from './trip.js';
import type {
  AnswerOfferOptions,
  BroadcastOfferOptions,
  CancelTripOptions,
  DriverTripOptions,
  ListTripsOptions,
  RequestTripOptions,
  TripHistoryOptions,
} from './trip-commands.js';
import type { SweepReport, TripObserver } from './trip-observer.js';
import type {
  AcceptOutcome,
  CancelOutcome,
  CompleteOutcome,
  OfferOutcome,
  RejectOutcome,
  StartOutcome,
} from './trip-outcomes.js';

export interface TripReservationOptions {
  /** The primary, never a replica; 2 connections are enough, the pool's own limit holds. */
  readonly database: SqlPool;
  /** A connection of purpose `decision`. Without it every accept goes straight to PostgreSQL: slower, as safe. */
  readonly redis?: RedisConnection;
  /** How long an offer lasts unless the trip says otherwise, 1 to 3,600,000 ms. Default 15,000. */
  readonly offerTtlMs?: number;
  /** Dispatch epochs a trip may use up by offers that nobody takes, 1 to 100. Default 1: then it is EXPIRED. */
  readonly offerRoundMax?: number;
  /** A driver who has not started by then is taken off the trip, 1,000 to 86,400,000 ms. Default 1,800,000. */
  readonly startTimeoutMs?: number;
  readonly observer?: TripObserver;
  /** Milliseconds for circuit and measurements; nothing that decides uses it. Default `performance.now`. */
  readonly clock?: { now(): number };
  /** 0 <= x < 1; spreads the background work of several gateways. Default `Math.random`. */
  readonly random?: () => number;
}

/** Background work; `stop` waits for what is under way and may be called twice. */
export interface BackgroundWork extends AsyncDisposable {
  stop(): Promise<void>;
}

export interface OutboxRelay extends BackgroundWork {
  /** Publishes now; resolves with the number of events published. */
  publishPending(): Promise<number>;
}

export interface SweeperOptions {
  /** Between two sweeps, 50 to 3,600,000 ms. Default 1,000. */
  readonly intervalMs?: number;
  /** Trips per statement, 1 to 10,000. Default 200. */
  readonly batchMax?: number;
}

export interface OutboxRelayOptions {
  /** Where to publish; a connection of purpose `background`. Default: the reservation's own. */
  readonly redis?: RedisConnection;
  /** Between two looks into the outbox when nobody woke the relay, 10 to 60,000 ms. Default 200. */
  readonly intervalMs?: number;
  /** Events per transaction, 1 to 1,000. Default 200. */
  readonly batchMax?: number;
}

/**
 * Trips and who has them. Lost races come back as outcomes; a `TripReservationError` is thrown for bad input
 * (`InvalidTripInputError`), a trip that does not exist, and stores that failed. Every call may be repeated.
 */
export interface TripReservation extends AsyncDisposable {
  /** Creates the trip and opens its first offer (epoch 1). @throws TripConflictError for an ID of another request. */
  requestTrip(options: RequestTripOptions): Promise<Trip>;
  broadcastOffer(options: BroadcastOfferOptions): Promise<OfferOutcome>;
  /** Of all who call it for one offer exactly one is told ACCEPTED, and he again whenever he repeats it. */
  acceptTrip(options: AnswerOfferOptions): Promise<AcceptOutcome>;
  rejectTrip(options: AnswerOfferOptions): Promise<RejectOutcome>;
  startTrip(options: DriverTripOptions): Promise<StartOutcome>;
  completeTrip(options: DriverTripOptions): Promise<CompleteOutcome>;
  cancelTrip(options: CancelTripOptions): Promise<CancelOutcome>;
  findTrip(tripId: bigint): Promise<Trip | undefined>;
  /** Many at once, in the order of the IDs; undefined where there is none. */
  findTrips(tripIds: readonly bigint[]): Promise<(Trip | undefined)[]>;
  listTrips(
    options?: ListTripsOptions,
  ): Promise<{ readonly trips: readonly Trip[]; readonly hasMore: boolean }>;
  /** Events of one trip in order; how a client that was away catches up. */
  tripHistory(options: TripHistoryOptions): Promise<readonly TripEvent[]>;
  /** One sweep: ends offers that ran out, takes idle drivers off, frees orphans. Any number may run at once. */
  expireOffers(options?: { readonly batchMax?: number }): Promise<SweepReport>;
  startSweeper(options?: SweeperOptions): BackgroundWork;
  /** Publishes each event to `tripEventChannel(tripId)` and those of offers to `TRIP_OFFER_CHANNEL` too. */
  startOutboxRelay(options?: OutboxRelayOptions): OutboxRelay;
  /** Ends background work, lets running calls finish, writes counted attempts. The stores stay the caller's. */
  close(): Promise<void>;
}

export type CreateTripReservation = (options: TripReservationOptions) => TripReservation;
