import type { CancelReason, Place, Trip, TripStatus } from '@solegate/trip-reservation';
import { TsidScalar } from '@solegate/tsid-core/graphql';
import { GraphQLDateTimeISO } from 'graphql-scalars';
import { Field, Int, ObjectType } from 'type-graphql';
import { CancelReasonEnum } from './cancel-reason.js';
import { PlaceType } from './place.js';
import { TripStatusEnum } from './trip-status.js';

/**
 * What a caller is allowed to see of a trip.
 *
 * - `WHOLE`: places, people and history; for its rider, the driver who has it, and administrators.
 * - `OFFER`: the pickup, but no people; for a driver who can accept it now.
 * - `NONE`: for everyone else. A role alone gives access to no trip.
 */
export type TripView = 'WHOLE' | 'OFFER' | 'NONE';

@ObjectType('Trip', { description: 'A snapshot of a trip that drivers compete for.' })
export class TripType {
  @Field(() => TsidScalar, { description: 'Unique ID (TSID).' })
  id: bigint;

  @Field(() => TripStatusEnum, { description: 'Current status.' })
  status: TripStatus;

  @Field(() => Int, {
    description:
      'Dispatch epoch, from 1. `acceptTrip` needs the current one; offers of older epochs are no longer valid.',
  })
  offerEpoch: number;

  @Field(() => Int, { description: 'Number of the last event, from 1; incremented by each event.' })
  revision: number;

  @Field(() => TsidScalar, {
    nullable: true,
    description: 'ID of the rider; null for a driver who only has an offer.',
  })
  riderId: bigint | null;

  @Field(() => TsidScalar, { nullable: true, description: 'ID of the driver; null while the trip has none.' })
  driverId: bigint | null;

  @Field(() => PlaceType, { description: 'Pickup place.', nullable: true })
  pickup: Place | null;

  @Field(() => PlaceType, {
    nullable: true,
    description: 'Destination; null for a driver who only has an offer.',
  })
  dropoff: Place | null;

  @Field(() => GraphQLDateTimeISO, { description: 'When the current offer expires.' })
  offerExpiresAt: Date;

  @Field(() => GraphQLDateTimeISO, { description: 'When the rider requested it.' })
  requestedAt: Date;

  @Field(() => GraphQLDateTimeISO, {
    description: 'When the driver accepted it; null while the trip has no driver.',
    nullable: true,
  })
  acceptedAt: Date | null;

  @Field(() => GraphQLDateTimeISO, {
    description: 'When the ride started, with the rider on board.',
    nullable: true,
  })
  startedAt: Date | null;

  @Field(() => GraphQLDateTimeISO, {
    description: 'When it was completed, was cancelled or expired.',
    nullable: true,
  })
  endedAt: Date | null;

  @Field(() => GraphQLDateTimeISO, {
    nullable: true,
    description: 'When it is first offered; null: immediately after the request.',
  })
  offerAt: Date | null;

  @Field(() => GraphQLDateTimeISO, { description: 'When the driver arrived at the pickup.', nullable: true })
  arrivedAt: Date | null;

  @Field(() => CancelReasonEnum, {
    nullable: true,
    description: 'Why it was cancelled, if a reason was given. Null for a driver who only had an offer.',
  })
  cancelReason: CancelReason | null;

  /** @param view what the caller is allowed to see */
  constructor(trip: Trip, view: Exclude<TripView, 'NONE'> = 'WHOLE') {
    const isWhole = view === 'WHOLE';
    this.id = trip.id;
    this.status = trip.status;
    this.offerEpoch = trip.epoch;
    this.revision = trip.revision;
    this.riderId = isWhole ? trip.riderId : null;
    this.driverId = trip.driverId;
    this.pickup = trip.pickup;
    this.dropoff = isWhole ? trip.dropoff : null;
    this.offerExpiresAt = trip.offerExpiresAt;
    this.requestedAt = trip.requestedAt;
    this.acceptedAt = trip.acceptedAt;
    this.startedAt = trip.startedAt;
    this.endedAt = trip.endedAt;
    this.offerAt = trip.offerAt;
    this.arrivedAt = trip.arrivedAt;
    this.cancelReason = isWhole ? trip.cancelReason : null;
  }
}
