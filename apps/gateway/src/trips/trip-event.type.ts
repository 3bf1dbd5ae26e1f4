import type { TripEvent, TripEventType, TripStatus } from '@solegate/trip-reservation';
import { TsidScalar } from '@solegate/tsid-core/graphql';
import { GraphQLDateTimeISO } from 'graphql-scalars';
import { Field, ID, Int, ObjectType, registerEnumType } from 'type-graphql';
import { TripStatusEnum } from './trip-status.js';

const TripEventTypeEnum = {
  TRIP_REQUESTED: 'TRIP_REQUESTED',
  TRIP_OFFERED: 'TRIP_OFFERED',
  TRIP_ACCEPTED: 'TRIP_ACCEPTED',
  TRIP_STARTED: 'TRIP_STARTED',
  TRIP_COMPLETED: 'TRIP_COMPLETED',
  TRIP_CANCELLED: 'TRIP_CANCELLED',
  TRIP_REDISPATCHED: 'TRIP_REDISPATCHED',
  TRIP_EXPIRED: 'TRIP_EXPIRED',
} as const;

registerEnumType(TripEventTypeEnum, { name: 'TripEventType' });

@ObjectType('TripEvent', {
  description:
    'One change of a trip. Delivered at least once: `id` removes repeats, `revision` gives the order.',
})
export class TripEventObject {
  @Field(() => ID)
  id: string;

  @Field(() => TripEventTypeEnum)
  type: TripEventType;

  @Field(() => TsidScalar)
  tripId: bigint;

  @Field(() => Int, { description: '1, 2, 3 … for each trip, without gaps.' })
  revision: number;

  @Field(() => TripStatusEnum, { description: 'The status since this event.' })
  status: TripStatus;

  @Field(() => Int)
  offerEpoch: number;

  @Field(() => TsidScalar, { nullable: true, description: 'Who accepted, started, completed or left.' })
  driverId: bigint | null;

  @Field(() => GraphQLDateTimeISO)
  occurredAt: Date;

  constructor(event: TripEvent) {
    this.id = event.id;
    this.type = event.type;
    this.tripId = event.tripId;
    this.revision = event.revision;
    this.status = event.status;
    this.offerEpoch = event.epoch;
    this.driverId = event.driverId;
    this.occurredAt = event.occurredAt;
  }
}
