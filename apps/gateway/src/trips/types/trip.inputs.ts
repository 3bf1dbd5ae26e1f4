import type { CancelReason, TripStatus } from '@solegate/trip-reservation';
import { TsidScalar } from '@solegate/tsid-core/graphql';
import { GraphQLDateTimeISO } from 'graphql-scalars';
import { Field, InputType, Int, registerEnumType } from 'type-graphql';
import { CancelReasonEnum } from './cancel-reason.js';
import { PlaceType } from './place.js';
import { TripStatusEnum } from './trip-status.js';

const TripPartEnum = { RIDER: 'RIDER', DRIVER: 'DRIVER', DISPATCHER: 'DISPATCHER' } as const;
export type TripPart = keyof typeof TripPartEnum;

registerEnumType(TripPartEnum, {
  name: 'TripPart',
  description: "The caller's part in a trip.",
  valuesConfig: {
    RIDER: { description: 'The person who requested the trip.' },
    DRIVER: { description: 'The driver who has or had the trip.' },
    DISPATCHER: { description: 'An administrator, who watches over all trips.' },
  },
});

@InputType({ description: 'Pickup and destination of a trip, and who it is offered to.' })
export class RequestTripInput {
  @Field(() => TsidScalar, {
    nullable: true,
    description: 'ID from `generateTsids`, so that a retry requests the same trip. Default: a new ID.',
  })
  tripId?: bigint;

  @Field(() => PlaceType, { description: 'Pickup place.', nullable: true })
  pickup?: PlaceType;

  @Field(() => PlaceType, { description: 'Destination.', nullable: true })
  dropoff?: PlaceType;

  @Field(() => String, {
    nullable: true,
    description:
      'Region that dispatches the trip, if there are several; refused if unknown (UNKNOWN_REGION). Default: the first.',
  })
  region?: string;

  @Field(() => [TsidScalar], {
    nullable: true,
    description: 'Drivers the offer reaches, 1 to 500. Default: every driver.',
  })
  offeredTo?: bigint[];

  @Field(() => Boolean, {
    nullable: true,
    description:
      'Whether to offer it to the nearest drivers first, and to more of them until one accepts; requires `pickup`. ' +
      'While positions are unavailable, it is offered to `offeredTo`. Default: false.',
  })
  nearestFirst?: boolean;

  @Field(() => GraphQLDateTimeISO, {
    nullable: true,
    description: 'When it is first offered, up to 30 days ahead. Default: now.',
  })
  offerAt?: Date;

  @Field(() => Int, {
    nullable: true,
    description: 'How long each offer lasts, in milliseconds, 1 to 3,600,000. Default: 15,000.',
  })
  offerTtlMs?: number;

  @Field(() => String, {
    nullable: true,
    description: 'Idempotency key, 1 to 200 characters: a retry with the same key returns the same trip.',
  })
  idempotencyKey?: string;
}

@InputType({ description: 'Identifies a trip.' })
export class TripInput {
  @Field(() => TsidScalar, { description: 'ID of the trip.' })
  tripId!: bigint;
}

@InputType({ description: 'Widens or extends the offer of a trip that is looking for a driver.' })
export class BroadcastTripInput {
  @Field(() => TsidScalar, { description: 'ID of the trip.' })
  tripId!: bigint;

  @Field(() => Int, { description: 'Epoch of the offer.' })
  offerEpoch!: number;

  @Field(() => [TsidScalar], {
    nullable: true,
    description: 'Drivers to add, 1 to 500. Default: every driver.',
  })
  offeredTo?: bigint[];

  @Field(() => Int, {
    nullable: true,
    description:
      'Minimum time that the offer lasts from now, in milliseconds, 1 to 3,600,000. Default: that of the trip.',
  })
  offerTtlMs?: number;
}

@InputType({ description: "A driver's answer to an offer." })
export class AnswerOfferInput {
  @Field(() => TsidScalar, { description: 'ID of the offered trip.' })
  tripId!: bigint;

  @Field(() => Int, { description: 'Epoch of the offer that the driver saw.' })
  offerEpoch!: number;
}

@InputType({ description: 'Cancels a trip, or leaves it as its driver.' })
export class CancelTripInput {
  @Field(() => TsidScalar, { description: 'ID of the trip.' })
  tripId!: bigint;

  @Field(() => TripPartEnum, {
    nullable: true,
    description:
      'As whom the caller acts; needed only with several roles. Default: their part in the trip, DISPATCHER for an administrator who has none.',
  })
  as?: TripPart;

  @Field(() => CancelReasonEnum, {
    nullable: true,
    description: 'Reason; it must fit the part of the caller. A dispatcher gives none.',
  })
  reason?: CancelReason;
}

@InputType({ description: 'Conditions, combined with AND.' })
export class TripFilter {
  @Field(() => TripPartEnum, {
    nullable: true,
    description:
      'Only trips in which the caller has this part. Default: DISPATCHER, which sees all trips, for administrators, else RIDER, else DRIVER.',
  })
  as?: TripPart;

  @Field(() => String, {
    nullable: true,
    description: 'Only trips of this region; required if there are several (REGION_NEEDED).',
  })
  region?: string;

  @Field(() => TripStatusEnum, { description: 'Only trips with this status.', nullable: true })
  status?: TripStatus;

  @Field(() => TsidScalar, { nullable: true, description: 'Only trips of this rider. For administrators.' })
  riderId?: bigint;

  @Field(() => TsidScalar, { nullable: true, description: 'Only trips of this driver. For administrators.' })
  driverId?: bigint;

  @Field(() => Boolean, {
    nullable: true,
    description:
      'Only trips that are looking for a driver, the one whose offer ends first, first. Default: false, newest first.',
  })
  lateFirst?: boolean;
}
