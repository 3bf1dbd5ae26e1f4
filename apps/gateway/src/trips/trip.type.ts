import type { Place, Trip, TripStatus } from '@solegate/trip-reservation';
import { TsidScalar } from '@solegate/tsid-core/graphql';
import { GraphQLDateTimeISO } from 'graphql-scalars';
import { Field, Int, ObjectType } from 'type-graphql';
import { PlaceType } from './place.js';
import { TripStatusEnum } from './trip-status.js';

@ObjectType('Trip', { description: 'What drivers compete for, as it was at one moment.' })
export class TripType {
  @Field(() => TsidScalar)
  id: bigint;

  @Field(() => TripStatusEnum)
  status: TripStatus;

  @Field(() => Int, {
    description:
      'Dispatch epoch, from 1. An offer of an older epoch is worth nothing; `acceptTrip` needs the current one.',
  })
  offerEpoch: number;

  @Field(() => Int, { description: 'Number of the last event, from 1; grows by one with each.' })
  revision: number;

  @Field(() => TsidScalar)
  riderId: bigint;

  @Field(() => TsidScalar, { nullable: true, description: 'Null while nobody has the trip.' })
  driverId: bigint | null;

  @Field(() => PlaceType, { nullable: true })
  pickup: Place | null;

  @Field(() => PlaceType, { nullable: true })
  dropoff: Place | null;

  @Field(() => GraphQLDateTimeISO, { description: 'End of the current offer.' })
  offerExpiresAt: Date;

  @Field(() => GraphQLDateTimeISO)
  requestedAt: Date;

  @Field(() => GraphQLDateTimeISO, { nullable: true })
  acceptedAt: Date | null;

  @Field(() => GraphQLDateTimeISO, { nullable: true })
  startedAt: Date | null;

  @Field(() => GraphQLDateTimeISO, { nullable: true })
  endedAt: Date | null;

  constructor(trip: Trip) {
    this.id = trip.id;
    this.status = trip.status;
    this.offerEpoch = trip.epoch;
    this.revision = trip.revision;
    this.riderId = trip.riderId;
    this.driverId = trip.driverId;
    this.pickup = trip.pickup;
    this.dropoff = trip.dropoff;
    this.offerExpiresAt = trip.offerExpiresAt;
    this.requestedAt = trip.requestedAt;
    this.acceptedAt = trip.acceptedAt;
    this.startedAt = trip.startedAt;
    this.endedAt = trip.endedAt;
  }
}
