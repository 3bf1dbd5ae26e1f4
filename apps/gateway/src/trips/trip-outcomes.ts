import type {
  AcceptOutcome,
  ArriveOutcome,
  CancelOutcome,
  CompleteOutcome,
  NoShowOutcome,
  OfferOutcome,
  RejectOutcome,
  StartOutcome,
} from '@solegate/trip-reservation';
import { foreignTrip } from './trip-access.js';
import { TripType } from './types/trip.type.js';
import {
  DriverBusyRefusal,
  NoShowTooEarly,
  NotOfferedRefusal,
  StaleOfferRefusal,
  TripNotOpen,
  TripTaken,
  TripUndecided,
} from './types/trip-refusals.type.js';
import {
  DriverArrived,
  TripAccepted,
  TripBroadcast,
  TripCancelled,
  TripCompleted,
  TripRedispatched,
  TripRejected,
  TripStarted,
} from './types/trip-results.type.js';

type Outcome =
  | ArriveOutcome
  | NoShowOutcome
  | AcceptOutcome
  | OfferOutcome
  | RejectOutcome
  | StartOutcome
  | CompleteOutcome
  | CancelOutcome;

/** The result union member for each outcome; only another person's trip is an error. */
interface Members {
  ACCEPTED: TripAccepted;
  OFFERED: TripBroadcast;
  TAKEN: TripTaken;
  UNDECIDED: TripUndecided;
  DRIVER_BUSY: DriverBusyRefusal;
  NOT_OPEN: TripNotOpen;
  STALE_OFFER: StaleOfferRefusal;
  NOT_OFFERED: NotOfferedRefusal;
  REJECTED: TripRejected;
  ARRIVED: DriverArrived;
  TOO_EARLY: NoShowTooEarly;
  STARTED: TripStarted;
  COMPLETED: TripCompleted;
  CANCELLED: TripCancelled;
  REDISPATCHED: TripRedispatched;
  NOT_YOURS: never;
}

const MEMBERS: { [Kind in Outcome['kind']]: (outcome: Extract<Outcome, { kind: Kind }>) => Members[Kind] } = {
  ACCEPTED: (outcome) => new TripAccepted(outcome),
  OFFERED: ({ trip }) => new TripBroadcast(new TripType(trip)),
  TAKEN: (outcome) => new TripTaken(outcome),
  UNDECIDED: (outcome) => new TripUndecided(outcome),
  DRIVER_BUSY: (outcome) => new DriverBusyRefusal(outcome),
  NOT_OPEN: (outcome) => new TripNotOpen(outcome),
  STALE_OFFER: (outcome) => new StaleOfferRefusal(outcome),
  NOT_OFFERED: (outcome) => new NotOfferedRefusal(outcome),
  REJECTED: ({ tripId, offerEpoch }) => new TripRejected(tripId, offerEpoch),
  ARRIVED: ({ trip }) => new DriverArrived(new TripType(trip)),
  TOO_EARLY: (outcome) => new NoShowTooEarly(outcome),
  STARTED: ({ trip }) => new TripStarted(new TripType(trip)),
  COMPLETED: ({ trip }) => new TripCompleted(new TripType(trip)),
  CANCELLED: ({ trip }) => new TripCancelled(new TripType(trip)),
  // A driver who has left a trip sees only what other drivers see.
  REDISPATCHED: ({ trip }) => new TripRedispatched(new TripType(trip, 'OFFER')),
  NOT_YOURS: () => {
    throw foreignTrip();
  },
};

/** Returns the result union member for this outcome. @throws {GatewayError} FORBIDDEN for another person's trip */
export function resultOf<Decided extends Outcome>(outcome: Decided): Members[Decided['kind']] {
  const member = MEMBERS[outcome.kind] as (outcome: Decided) => Members[Decided['kind']];
  return member(outcome);
}
