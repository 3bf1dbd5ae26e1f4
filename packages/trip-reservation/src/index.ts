import type * as reservation from './reservation.js';

export type {
  Migration,
  MigrationReport,
  PooledSession,
  SqlDatabase,
  SqlPool,
  SqlResult,
  SqlSession,
  SqlStatement,
  SqlTransaction,
} from '@solegate/postgres-infra';
export type { BackgroundWork, OutboxRelay, OutboxRelayOptions, SweeperOptions } from './background.js';
export { createTripReservation } from './create-reservation.js';
export { decodeTripEvent, tripEventChannel, tripOfferChannel } from './events/channels.js';
export type { TripFeed, TripFeedRequest } from './events/feed.js';
export type { TripWatch } from './events/trip-watch.js';
export type { TripReservationOptions } from './options.js';
export { type MigrateTripsOptions, migrateTrips, migrations } from './sql/migrations.js';
export type { TripPage } from './sql/reader.js';
export { TripReservationError } from './trip/any-error.js';
export type {
  AnswerOfferOptions,
  BroadcastOfferOptions,
  CancelTripOptions,
  DriverTripOptions,
  ListTripsOptions,
  RequestTripOptions,
  TripHistoryOptions,
  WatchTripOptions,
} from './trip/commands.js';
export {
  BusyError,
  DriverPoolUnavailableError,
  InvalidRequestError,
  OutcomeUnknownError,
  StoreMisconfiguredError,
  StoreRefusedError,
  StoreUnavailableError,
  TripConflictError,
  type TripErrorCode,
  TripFeedBrokenError,
  TripNotFoundError,
  TripReservationClosedError,
} from './trip/errors.js';
export { TRIP_MOVES, type TripMove, type TripMoveName } from './trip/lifecycle.js';
export type { AcceptRoundFacts, PruneReport, SweepReport, TripObserver } from './trip/observer.js';
export type {
  Accepted,
  AcceptOutcome,
  ArriveOutcome,
  CancelOutcome,
  CompleteOutcome,
  DriverBusy,
  NoShowOutcome,
  NotOffered,
  NotOpen,
  NotYours,
  OfferOutcome,
  RejectOutcome,
  StaleOffer,
  StartOutcome,
  Taken,
  TooEarly,
  Undecided,
} from './trip/outcomes.js';
export type {
  CancelReason,
  DriverCancelReason,
  NearestOffer,
  OfferAudience,
  Place,
  RiderCancelReason,
  Trip,
  TripEvent,
  TripEventType,
  TripStatus,
  WhenUnavailable,
} from './trip/trip.js';

/**
 * All operations on trips; see {@link createTripReservation}. Not the class itself, because a class with private members
 * is a different type in each module format.
 */
export type TripReservation = Pick<reservation.TripReservation, keyof reservation.TripReservation>;
