export type { BackgroundWork, OutboxRelay, OutboxRelayOptions, SweeperOptions } from './background-work.js';
export { createTripReservation } from './create-trip-reservation.js';
export { migrations, type TripMigration } from './migrations.js';
export type { TripReservationOptions } from './reservation-options.js';
export type { SqlPool, SqlResult, SqlSession, SqlStatement } from './sql-session.js';
export type { OfferAudience, Place, Trip, TripEvent, TripEventType, TripStatus } from './trip.js';
export { decodeTripEvent, TRIP_OFFER_CHANNEL, tripEventChannel } from './trip-channels.js';
export type {
  AnswerOfferOptions,
  BroadcastOfferOptions,
  CancelTripOptions,
  DriverTripOptions,
  ListTripsOptions,
  RequestTripOptions,
  TripHistoryOptions,
} from './trip-commands.js';
export {
  InvalidTripInputError,
  TripBusyError,
  TripConflictError,
  type TripErrorCode,
  TripNotFoundError,
  TripOutcomeUnknownError,
  TripReservationClosedError,
  TripReservationError,
  TripStoreUnavailableError,
} from './trip-errors.js';
export { TRIP_MOVES, type TripMove, type TripMoveName } from './trip-moves.js';
export type { AcceptRoundFacts, PruneReport, SweepReport, TripObserver } from './trip-observer.js';
export type {
  Accepted,
  AcceptOutcome,
  CancelOutcome,
  CompleteOutcome,
  DriverBusy,
  NotOffered,
  NotOpen,
  NotYours,
  OfferOutcome,
  RejectOutcome,
  StaleOffer,
  StartOutcome,
  Taken,
} from './trip-outcomes.js';
export type { TripPage } from './trip-reader.js';
export type { TripReservation } from './trip-reservation.js';
