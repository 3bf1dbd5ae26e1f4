import { TsidScalar } from '@solegate/tsid-core/graphql';
import { GraphQLDateTimeISO } from 'graphql-scalars';
import { createUnionType, Field, Int, ObjectType } from 'type-graphql';
import { soleResult } from '../../graphql/mutation-result.js';
import { TripType } from './trip.type.js';
import {
  DriverBusyRefusal,
  NoShowTooEarly,
  NotOfferedRefusal,
  StaleOfferRefusal,
  TripNotOpen,
  TripTaken,
  TripUndecided,
} from './trip-refusals.type.js';

@ObjectType({ description: 'The driver has the trip. A retry gets the same result.' })
class TripAccepted {
  @Field(() => TsidScalar, { description: 'ID of the trip.' })
  tripId!: bigint;

  @Field(() => TsidScalar, { description: 'ID of the driver who has it: the caller.' })
  driverId!: bigint;

  @Field(() => Int, { name: 'offerEpoch', description: 'Epoch of the accepted offer.' })
  epoch!: number;

  @Field(() => GraphQLDateTimeISO, { description: 'When it was accepted.' })
  acceptedAt!: Date;
}

@ObjectType({ description: 'The driver rejected the offer and can no longer accept it.' })
class TripRejected {
  @Field(() => TsidScalar, { description: 'ID of the trip.' })
  tripId!: bigint;

  @Field(() => Int, { description: 'Epoch of the rejected offer.' })
  offerEpoch!: number;
}

@ObjectType({ description: 'A trip that has changed.' })
abstract class TripChanged {
  @Field(() => TripType, { description: 'Current state of the trip.' })
  trip!: TripType;
}

@ObjectType({ description: 'The driver has arrived at the pickup.' })
class DriverArrived extends TripChanged {}

@ObjectType({ description: 'The ride has started, with the rider on board.' })
class TripStarted extends TripChanged {}

@ObjectType({ description: 'The driver has completed the trip.' })
class TripCompleted extends TripChanged {}

@ObjectType({ description: 'The offer now reaches more drivers, or lasts longer.' })
class TripBroadcast extends TripChanged {}

@ObjectType({ description: 'The trip was cancelled before it started or on the way.' })
class TripCancelled extends TripChanged {}

@ObjectType({ description: 'The driver has left the trip; it is offered to others under the next epoch.' })
class TripRedispatched extends TripChanged {}

/** The type of each kind of outcome. */
const TYPES = {
  ACCEPTED: TripAccepted,
  OFFERED: TripBroadcast,
  TAKEN: TripTaken,
  UNDECIDED: TripUndecided,
  DRIVER_BUSY: DriverBusyRefusal,
  NOT_OPEN: TripNotOpen,
  STALE_OFFER: StaleOfferRefusal,
  NOT_OFFERED: NotOfferedRefusal,
  REJECTED: TripRejected,
  ARRIVED: DriverArrived,
  TOO_EARLY: NoShowTooEarly,
  STARTED: TripStarted,
  COMPLETED: TripCompleted,
  CANCELLED: TripCancelled,
  REDISPATCHED: TripRedispatched,
};

export type ResultKind = keyof typeof TYPES;

const resolveType = (outcome: object) => TYPES[(outcome as { kind: ResultKind }).kind];

export const AcceptTripResult = createUnionType({
  name: 'AcceptTripResult',
  description: 'Outcome of accepting an offer.',
  types: () =>
    [
      TripAccepted,
      TripTaken,
      TripUndecided,
      DriverBusyRefusal,
      TripNotOpen,
      StaleOfferRefusal,
      NotOfferedRefusal,
    ] as const,
  resolveType,
});

export const RequestTripResult = soleResult('RequestTripResult', 'The requested trip.', TripType);

export const BroadcastTripResult = createUnionType({
  name: 'BroadcastTripResult',
  description: 'Outcome of widening an offer.',
  types: () => [TripBroadcast, TripTaken, TripNotOpen, StaleOfferRefusal, NotOfferedRefusal] as const,
  resolveType,
});

export const RejectTripResult = createUnionType({
  name: 'RejectTripResult',
  description: 'Outcome of rejecting an offer.',
  types: () =>
    [TripRejected, TripAccepted, TripTaken, TripNotOpen, StaleOfferRefusal, NotOfferedRefusal] as const,
  resolveType,
});

export const ReportArrivalResult = createUnionType({
  name: 'ReportArrivalResult',
  description: 'Outcome of reporting an arrival.',
  types: () => [DriverArrived, TripNotOpen] as const,
  resolveType,
});

export const ReportNoShowResult = createUnionType({
  name: 'ReportNoShowResult',
  description: 'Outcome of reporting a no-show.',
  types: () => [TripCancelled, NoShowTooEarly, TripNotOpen] as const,
  resolveType,
});

export const StartTripResult = createUnionType({
  name: 'StartTripResult',
  description: 'Outcome of starting a trip.',
  types: () => [TripStarted, TripNotOpen] as const,
  resolveType,
});

export const CompleteTripResult = createUnionType({
  name: 'CompleteTripResult',
  description: 'Outcome of completing a trip.',
  types: () => [TripCompleted, TripNotOpen] as const,
  resolveType,
});

export const CancelTripResult = createUnionType({
  name: 'CancelTripResult',
  description: 'Outcome of a cancellation.',
  types: () => [TripCancelled, TripRedispatched, TripNotOpen] as const,
  resolveType,
});
