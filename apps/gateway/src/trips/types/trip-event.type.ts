import type { CancelReason, TripEvent, TripEventType, TripStatus } from '@solegate/trip-reservation';
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
  description: 'What happened to a trip.',
  valuesConfig: {
    TRIP_REQUESTED: { description: 'A rider asked for it; it is offered, now or at its time.' },
    TRIP_OFFERED: {
      description:
        'The offer reaches more drivers (those who were added, or the next by their distance), or lasts longer.',
    },
    TRIP_STILL_OPEN: {
      description: 'Nobody has it after all: drivers who were answered TripUndecided may ask again.',
    },
    TRIP_ACCEPTED: { description: 'A driver has it.' },
    DRIVER_ARRIVED: { description: 'The driver is at the pickup.' },
    TRIP_STARTED: { description: 'The rider is on board.' },
    TRIP_COMPLETED: { description: 'The driver has ended it.' },
    TRIP_CANCELLED: { description: 'The rider has ended it, or never came.' },
    TRIP_REDISPATCHED: { description: 'Its driver is gone, and it is offered anew under the next epoch.' },
    TRIP_EXPIRED: { description: 'No driver came in time.' },
  },
});

@ObjectType('TripEvent', {
  description:
    'One change of a trip. Delivered at least once: `id` removes repeats, `revision` gives the order.',
})
export class TripEventObject {
  @Field(() => ID, { description: 'The trip and the revision; the same in every delivery.' })
  id: string;

  @Field(() => TripEventTypeEnum, { description: 'What happened.' })
  type: TripEventType;

  @Field(() => TsidScalar, { description: 'The trip that it happened to.' })
  tripId: bigint;

  @Field(() => Int, { description: '1, 2, 3 … for each trip, without gaps.' })
  revision: number;

  @Field(() => TripStatusEnum, { description: 'The status since this event.' })
  status: TripStatus;

  @Field(() => Int, { description: 'The dispatch epoch since this event.' })
  offerEpoch: number;

  @Field(() => TsidScalar, {
    nullable: true,
    description: 'Who accepted, arrived, started, completed or left.',
  })
  driverId: bigint | null;

  @Field(() => CancelReasonEnum, {
    nullable: true,
    description: 'Why it was cancelled or left, if that was said; for those whose trip it is.',
  })
  reason: CancelReason | null;

  @Field(() => GraphQLDateTimeISO, { description: 'By the clock of PostgreSQL.' })
  occurredAt: Date;

  constructor(event: TripEvent) {
    this.id = event.id;
    this.type = event.type;
    this.tripId = event.tripId;
    this.revision = event.revision;
    this.status = event.status;
    this.offerEpoch = event.epoch;
    this.driverId = event.driverId;
    this.reason = event.reason;
    this.occurredAt = event.occurredAt;
  }
}
