import type { CancelReason, TripEventType, TripStatus } from '@solegate/trip-reservation';
import { TsidScalar } from '@solegate/tsid-core/graphql';
import { GraphQLDateTimeISO } from 'graphql-scalars';
import { Field, ID, Int, ObjectType, registerEnumType } from 'type-graphql';
import { CancelReasonEnum } from './cancel-reason.js';
import { TripStatusEnum } from './trip-status.js';

const TripEventTypeEnum = {
  TRIP_REQUESTED: 'TRIP_REQUESTED',
  TRIP_OFFERED: 'TRIP_OFFERED',
  TRIP_STILL_OPEN: 'TRIP_STILL_OPEN',
  TRIP_ACCEPTED: 'TRIP_ACCEPTED',
  DRIVER_ARRIVED: 'DRIVER_ARRIVED',
  TRIP_STARTED: 'TRIP_STARTED',
  TRIP_COMPLETED: 'TRIP_COMPLETED',
  TRIP_CANCELLED: 'TRIP_CANCELLED',
  TRIP_REDISPATCHED: 'TRIP_REDISPATCHED',
  TRIP_EXPIRED: 'TRIP_EXPIRED',
} as const;

registerEnumType(TripEventTypeEnum, {
  name: 'TripEventType',
  description: 'Type of a trip event.',
  valuesConfig: {
    TRIP_REQUESTED: { description: 'A rider requested the trip; it is offered now, or at `offerAt`.' },
    TRIP_OFFERED: {
      description: 'The offer reaches more drivers (added ones, or the next nearest), or lasts longer.',
    },
    TRIP_STILL_OPEN: {
      description: 'The trip has no driver after all: drivers who got TripUndecided can try again.',
    },
    TRIP_ACCEPTED: { description: 'A driver accepted the trip.' },
    DRIVER_ARRIVED: { description: 'The driver arrived at the pickup.' },
    TRIP_STARTED: { description: 'The ride started, with the rider on board.' },
    TRIP_COMPLETED: { description: 'The driver completed the trip.' },
    TRIP_CANCELLED: { description: 'The rider or a dispatcher cancelled the trip, or the rider never came.' },
    TRIP_REDISPATCHED: { description: 'The trip lost its driver and is offered again under the next epoch.' },
    TRIP_EXPIRED: { description: 'No driver accepted in time.' },
  },
});

@ObjectType('TripEvent', {
  description:
    'One change to a trip. Delivered at least once: use `id` to drop duplicates, and `revision` to restore the order.',
})
export class TripEventObject {
  @Field(() => ID, { description: 'Trip ID and revision; the same in every delivery.' })
  id!: string;

  @Field(() => TripEventTypeEnum, { description: 'Type of the event.' })
  type!: TripEventType;

  @Field(() => TsidScalar, { description: 'ID of the trip.' })
  tripId!: bigint;

  @Field(() => Int, { description: 'Revision of the trip: 1, 2, 3 …, without gaps.' })
  revision!: number;

  @Field(() => TripStatusEnum, { description: 'Status after this event.' })
  status!: TripStatus;

  @Field(() => Int, { name: 'offerEpoch', description: 'Dispatch epoch after this event.' })
  epoch!: number;

  @Field(() => TsidScalar, {
    nullable: true,
    description: 'ID of the driver who accepted, arrived, started, completed or left.',
  })
  driverId!: bigint | null;

  @Field(() => CancelReasonEnum, {
    nullable: true,
    description:
      'Why it was cancelled or left, if a reason was given; only for its rider, its driver and administrators.',
  })
  reason!: CancelReason | null;

  @Field(() => GraphQLDateTimeISO, { description: 'When it happened, by the PostgreSQL clock.' })
  occurredAt!: Date;
}
