import type { CancelReason, Place, TripStatus } from '@solegate/trip-reservation';
import { TsidScalar } from '@solegate/tsid-core/graphql';
import { GraphQLDateTimeISO } from 'graphql-scalars';
import { Field, Int, ObjectType } from 'type-graphql';
import { CancelReasonEnum } from './cancel-reason.js';
import { PlaceType } from './place.js';
import { TripStatusEnum } from './trip-status.js';

@ObjectType('Trip', { description: 'A snapshot of a trip that drivers compete for.' })
export class TripType {
  @Field(() => TsidScalar, { description: 'Unique ID (TSID).' })
  id!: bigint;

  @Field(() => TripStatusEnum, { description: 'Current status.' })
  status!: TripStatus;

  @Field(() => Int, {
    name: 'offerEpoch',
    description:
      'Dispatch epoch, from 1. `acceptTrip` needs the current one; offers of older epochs are no longer valid.',
  })
  epoch!: number;

  @Field(() => Int, { description: 'Number of the last event, from 1; incremented by each event.' })
  revision!: number;

  @Field(() => TsidScalar, {
    nullable: true,
    description: 'ID of the rider; null for a driver who only has an offer.',
  })
  riderId!: bigint | null;

  @Field(() => TsidScalar, { nullable: true, description: 'ID of the driver; null while the trip has none.' })
  driverId!: bigint | null;

  @Field(() => PlaceType, { description: 'Pickup place.', nullable: true })
  pickup!: Place | null;

  @Field(() => PlaceType, {
    nullable: true,
    description: 'Destination; null for a driver who only has an offer.',
  })
  dropoff!: Place | null;

  @Field(() => GraphQLDateTimeISO, { description: 'When the current offer expires.' })
  offerExpiresAt!: Date;

  @Field(() => GraphQLDateTimeISO, { description: 'When the rider requested it.' })
  requestedAt!: Date;

  @Field(() => GraphQLDateTimeISO, {
    description: 'When the driver accepted it; null while the trip has no driver.',
    nullable: true,
  })
  acceptedAt!: Date | null;

  @Field(() => GraphQLDateTimeISO, {
    description: 'When the ride started, with the rider on board.',
    nullable: true,
  })
  startedAt!: Date | null;

  @Field(() => GraphQLDateTimeISO, {
    description: 'When it was completed, was cancelled or expired.',
    nullable: true,
  })
  endedAt!: Date | null;

  @Field(() => GraphQLDateTimeISO, {
    nullable: true,
    description: 'When it is first offered; null: immediately after the request.',
  })
  offerAt!: Date | null;

  @Field(() => GraphQLDateTimeISO, { description: 'When the driver arrived at the pickup.', nullable: true })
  arrivedAt!: Date | null;

  @Field(() => CancelReasonEnum, {
    nullable: true,
    description: 'Why it was cancelled, if a reason was given. Null for a driver who only had an offer.',
  })
  cancelReason!: CancelReason | null;
}
