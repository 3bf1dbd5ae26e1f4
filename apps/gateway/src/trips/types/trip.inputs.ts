import type { CancelReason, TripStatus } from '@solegate/trip-reservation';
import { TsidScalar } from '@solegate/tsid-core/graphql';
import { GraphQLDateTimeISO } from 'graphql-scalars';
import { Field, InputType, Int, registerEnumType } from 'type-graphql';
import { CancelReasonEnum } from './cancel-reason.js';
import { PlaceType } from './place.js';
import { TripStatusEnum } from './trip-status.js';

const TripPartEnum = { RIDER: 'RIDER', DRIVER: 'DRIVER' } as const;
export type TripPart = keyof typeof TripPartEnum;

registerEnumType(TripPartEnum, {
  name: 'TripPart',
  description: "The caller's part in a trip.",
  valuesConfig: {
    RIDER: { description: 'Who asked for the trip.' },
    DRIVER: { description: 'Who has or had it.' },
  },
});

@InputType({ description: 'Where from and to, and to whom it is offered.' })
export class RequestTripInput {
  @Field(() => TsidScalar, {
    nullable: true,
    description: 'An ID from `generateTsids`: a repeat asks for the same trip. Default: a new one.',
  })
  tripId?: bigint;

  @Field(() => PlaceType, { description: 'Where it starts.', nullable: true })
  pickup?: PlaceType;

  @Field(() => PlaceType, { description: 'Where it ends.', nullable: true })
  dropoff?: PlaceType;

  @Field(() => String, {
    nullable: true,
    description: 'Where it is dispatched, if there are several regions. Default: the first.',
  })
  region?: string;

  @Field(() => [TsidScalar], {
    nullable: true,
    description: 'Drivers whom the offer reaches, 1 to 500. Default: every driver.',
  })
  offeredTo?: bigint[];

  @Field(() => Boolean, {
    nullable: true,
    description:
      'Whether it is offered to the nearest drivers first, and to more of them while nobody accepts; needs `pickup`. While ' +
      'positions cannot be had it goes to `offeredTo`. Default: false.',
  })
  nearestFirst?: boolean;

  @Field(() => GraphQLDateTimeISO, {
    nullable: true,
    description: 'When it is offered first, up to 30 days ahead. Default: now.',
  })
  offerAt?: Date;

  @Field(() => Int, {
    nullable: true,
    description: 'How long each offer lasts, in milliseconds, 1 to 3,600,000.',
  })
  offerTtlMs?: number;

  @Field(() => String, {
    nullable: true,
    description: 'A repeat with the same key gives the same trip. 1 to 200 characters.',
  })
  idempotencyKey?: string;
}

@InputType({ description: 'Names a trip.' })
export class TripInput {
  @Field(() => TsidScalar, { description: 'The trip.' })
  tripId!: bigint;
}

@InputType({ description: 'Widens the offer of a trip that looks for a driver.' })
export class BroadcastTripInput {
  @Field(() => TsidScalar, { description: 'The trip.' })
  tripId!: bigint;

  @Field(() => Int, { description: 'The epoch of the offer that is meant.' })
  offerEpoch!: number;

  @Field(() => [TsidScalar], {
    nullable: true,
    description: 'Drivers to add, 1 to 500. Default: every driver.',
  })
  offeredTo?: bigint[];

  @Field(() => Int, {
    nullable: true,
    description:
      "The offer lasts so long from now, in milliseconds, 1 to 3,600,000. Default: the trip's own.",
  })
  offerTtlMs?: number;
}

@InputType({ description: "A driver's answer to an offer." })
export class AnswerOfferInput {
  @Field(() => TsidScalar, { description: 'The trip that was offered.' })
  tripId!: bigint;

  @Field(() => Int, { description: 'The epoch of the offer that the driver saw.' })
  offerEpoch!: number;
}

@InputType({ description: 'Ends a trip, or leaves it.' })
export class CancelTripInput {
  @Field(() => TsidScalar, { description: 'The trip.' })
  tripId!: bigint;

  @Field(() => TripPartEnum, {
    nullable: true,
    description:
      'As whom; needed only by a caller who is both. Default: the part the caller has in the trip.',
  })
  as?: TripPart;

  @Field(() => CancelReasonEnum, {
    nullable: true,
    description: 'Why; one that fits the part of the caller.',
  })
  reason?: CancelReason;
}

@InputType({ description: 'All given conditions hold together.' })
export class TripFilter {
  @Field(() => TripPartEnum, {
    nullable: true,
    description: 'Trips that the caller rides or drives. Default: all that the caller may see.',
  })
  as?: TripPart;

  @Field(() => String, {
    nullable: true,
    description: 'Trips of this region; needed if there are several.',
  })
  region?: string;

  @Field(() => TripStatusEnum, { description: 'Trips in this state.', nullable: true })
  status?: TripStatus;
}
