import type { Accepted } from '@solegate/trip-reservation';
import { TsidScalar } from '@solegate/tsid-core/graphql';
import { GraphQLDateTimeISO } from 'graphql-scalars';
import { createUnionType, Field, Int, ObjectType } from 'type-graphql';
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

@ObjectType({ description: 'The driver has the trip; a repeat gets the same answer.' })
export class TripAccepted {
  @Field(() => TsidScalar, { description: 'The trip.' })
  tripId: bigint;

  @Field(() => TsidScalar, { description: 'The driver who has it: the caller.' })
  driverId: bigint;

  @Field(() => Int, { description: 'The epoch of the offer that was accepted.' })
  offerEpoch: number;

  @Field(() => GraphQLDateTimeISO, { description: 'When it was accepted.' })
  acceptedAt: Date;

  constructor({ tripId, driverId, epoch, acceptedAt }: Accepted) {
    this.tripId = tripId;
    this.driverId = driverId;
    this.offerEpoch = epoch;
    this.acceptedAt = acceptedAt;
  }
}

@ObjectType({ description: 'The driver does not want the offer and cannot accept it any more.' })
export class TripRejected {
  @Field(() => TsidScalar, { description: 'The trip.' })
  tripId: bigint;

  @Field(() => Int, { description: 'The epoch of the offer that was rejected.' })
  offerEpoch: number;

  constructor(tripId: bigint, offerEpoch: number) {
    this.tripId = tripId;
    this.offerEpoch = offerEpoch;
  }
}

@ObjectType({ description: 'A trip that has changed.' })
abstract class TripChanged {
  @Field(() => TripType, { description: 'The trip as it is now.' })
  trip: TripType;

  constructor(trip: TripType) {
    this.trip = trip;
  }
}

@ObjectType({ description: 'The driver is at the pickup.' })
export class DriverArrived extends TripChanged {}

@ObjectType({ description: 'The rider is on board.' })
export class TripStarted extends TripChanged {}

@ObjectType({ description: 'The trip has ended where it should.' })
export class TripCompleted extends TripChanged {}

@ObjectType({ description: 'The offer reaches more drivers now, or lasts longer.' })
export class TripBroadcast extends TripChanged {}

@ObjectType({ description: 'The trip has ended before it began or on the way.' })
export class TripCancelled extends TripChanged {}

@ObjectType({ description: 'The driver has left the trip; it is offered to others, under the next epoch.' })
export class TripRedispatched extends TripChanged {}

export const AcceptTripResult = createUnionType({
  name: 'AcceptTripResult',
  description: 'What became of an accept.',
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

export const BroadcastTripResult = createUnionType({
  name: 'BroadcastTripResult',
  description: 'What became of the wider offer.',
  types: () => [TripBroadcast, TripTaken, TripNotOpen, StaleOfferRefusal, NotOfferedRefusal] as const,
});

export const RejectTripResult = createUnionType({
  name: 'RejectTripResult',
  description: 'What became of a rejection.',
  types: () =>
    [TripRejected, TripAccepted, TripTaken, TripNotOpen, StaleOfferRefusal, NotOfferedRefusal] as const,
});

export const ReportArrivalResult = createUnionType({
  name: 'ReportArrivalResult',
  description: 'What became of the arrival.',
  types: () => [DriverArrived, TripNotOpen] as const,
});

export const ReportNoShowResult = createUnionType({
  name: 'ReportNoShowResult',
  description: 'What became of the no-show.',
  types: () => [TripCancelled, NoShowTooEarly, TripNotOpen] as const,
});

export const StartTripResult = createUnionType({
  name: 'StartTripResult',
  description: 'What became of the start.',
  types: () => [TripStarted, TripNotOpen] as const,
});

export const CompleteTripResult = createUnionType({
  name: 'CompleteTripResult',
  description: 'What became of the end.',
  types: () => [TripCompleted, TripNotOpen] as const,
});

export const CancelTripResult = createUnionType({
  name: 'CancelTripResult',
  description: 'What became of the cancellation.',
  types: () => [TripCancelled, TripRedispatched, TripNotOpen] as const,
});
