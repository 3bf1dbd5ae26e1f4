import type { CancelReason, Place, Trip, TripStatus } from '@solegate/trip-reservation';
import { TsidScalar } from '@solegate/tsid-core/graphql';
import { GraphQLDateTimeISO } from 'graphql-scalars';
import { Field, Int, ObjectType } from 'type-graphql';
import { CancelReasonEnum } from './cancel-reason.js';
import { PlaceType } from './place.js';
import { TripStatusEnum } from './trip-status.js';

/**
 * What somebody may see of a trip.
 *
 * - `WHOLE`: its rider, the driver who has it, administrators: places, people, history.
 * - `OFFER`: a driver who may accept it now: where it starts, and nothing of people.
 * - `NONE`: everybody else. A role alone opens no trip.
 */
export type TripView = 'WHOLE' | 'OFFER' | 'NONE';

@ObjectType('Trip', { description: 'What drivers compete for, as it was at one moment.' })
export class TripType {
  @Field(() => TsidScalar, { description: 'Its TSID.' })
  id: bigint;

  @Field(() => TripStatusEnum, { description: 'Where it stands.' })
  status: TripStatus;

  @Field(() => Int, {
    description:
      'Dispatch epoch, from 1. An offer of an older epoch is worth nothing; `acceptTrip` needs the current one.',
  })
  offerEpoch: number;

  @Field(() => Int, { description: 'Number of the last event, from 1; grows by one with each.' })
  revision: number;

  @Field(() => TsidScalar, { nullable: true, description: 'Null for a driver to whom it is only offered.' })
  riderId: bigint | null;

  @Field(() => TsidScalar, { nullable: true, description: 'Null while nobody has the trip.' })
  driverId: bigint | null;

  @Field(() => PlaceType, { description: 'Where it starts.', nullable: true })
  pickup: Place | null;

  @Field(() => PlaceType, {
    nullable: true,
    description: 'Where it ends. Null for a driver to whom it is only offered.',
  })
  dropoff: Place | null;

  @Field(() => GraphQLDateTimeISO, { description: 'End of the current offer.' })
  offerExpiresAt: Date;

  @Field(() => GraphQLDateTimeISO, { description: 'When the rider asked for it.' })
  requestedAt: Date;

  @Field(() => GraphQLDateTimeISO, {
    description: 'When the driver accepted it; null while nobody has it.',
    nullable: true,
  })
  acceptedAt: Date | null;

  @Field(() => GraphQLDateTimeISO, { description: 'When the rider was on board.', nullable: true })
  startedAt: Date | null;

  @Field(() => GraphQLDateTimeISO, {
    description: 'When it was completed, cancelled or had expired.',
    nullable: true,
  })
  endedAt: Date | null;

  @Field(() => GraphQLDateTimeISO, {
    nullable: true,
    description: 'When it is offered first; null: as soon as it was requested.',
  })
  offerAt: Date | null;

  @Field(() => GraphQLDateTimeISO, { description: 'When the driver was at the pickup.', nullable: true })
  arrivedAt: Date | null;

  @Field(() => CancelReasonEnum, {
    nullable: true,
    description: 'Why it was cancelled, if that was said. Null for a driver to whom it was only offered.',
  })
  cancelReason: CancelReason | null;

  /** @param view what the caller may see */
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
