import type { Accepted } from '@solegate/trip-reservation';
import { TsidScalar } from '@solegate/tsid-core/graphql';
import { GraphQLDateTimeISO } from 'graphql-scalars';
import { createUnionType, Field, Int, ObjectType } from 'type-graphql';
import { TripType } from './trip.type.js';
import {
  DriverBusyRefusal,
  NotOfferedRefusal,
  StaleOfferRefusal,
  TripNotOpen,
  TripTaken,
  TripUndecided,
} from './trip-refusals.type.js';

@ObjectType({ description: 'The driver has the trip; a repeat gets the same answer.' })
export class TripAccepted {
  @Field(() => TsidScalar)
  tripId: bigint;

  @Field(() => TsidScalar)
  driverId: bigint;

  @Field(() => Int)
  offerEpoch: number;

  @Field(() => GraphQLDateTimeISO)
  acceptedAt: Date;

  constructor({ tripId, driverId, epoch, acceptedAt }: Accepted) {
    this.tripId = tripId;
    this.driverId = driverId;
    this.offerEpoch = epoch;
    this.acceptedAt = acceptedAt;
  }
}

@ObjectType()
export class TripRejected {
  @Field(() => TsidScalar)
  tripId: bigint;

  @Field(() => Int)
  offerEpoch: number;

  constructor(tripId: bigint, offerEpoch: number) {
    this.tripId = tripId;
    this.offerEpoch = offerEpoch;
  }
}

@ObjectType()
abstract class TripChanged {
  @Field(() => TripType)
  trip: TripType;

  constructor(trip: TripType) {
    this.trip = trip;
  }
}

@ObjectType()
export class TripStarted extends TripChanged {}

@ObjectType()
export class TripCompleted extends TripChanged {}

@ObjectType({ description: 'The rider has ended the trip.' })
export class TripCancelled extends TripChanged {}

@ObjectType({ description: 'The driver has left the trip; it is offered to others, under the next epoch.' })
export class TripRedispatched extends TripChanged {}

export const AcceptTripResult = createUnionType({
  name: 'AcceptTripResult',
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
});

export const RejectTripResult = createUnionType({
  name: 'RejectTripResult',
  types: () =>
    [TripRejected, TripAccepted, TripTaken, TripNotOpen, StaleOfferRefusal, NotOfferedRefusal] as const,
});

export const StartTripResult = createUnionType({
  name: 'StartTripResult',
  types: () => [TripStarted, TripNotOpen] as const,
});

export const CompleteTripResult = createUnionType({
  name: 'CompleteTripResult',
  types: () => [TripCompleted, TripNotOpen] as const,
});

export const CancelTripResult = createUnionType({
  name: 'CancelTripResult',
  types: () => [TripCancelled, TripRedispatched, TripNotOpen] as const,
});
