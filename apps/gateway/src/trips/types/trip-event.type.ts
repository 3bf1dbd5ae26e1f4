import type { TripEventType } from '@solegate/trip-reservation';
import { TsidScalar } from '@solegate/tsid-core/graphql';
import { GraphQLDateTimeISO } from 'graphql-scalars';
import { ID, Int } from 'type-graphql';
import { enumType, Fields, field, nullable, ObjectType } from '../../graphql/fields.js';
import { CancelReasonEnum, TripStatusEnum } from './trip.type.js';

const TripEventTypeEnum = enumType<TripEventType>('TripEventType', 'Type of a trip event.', {
  TRIP_REQUESTED: 'A rider requested the trip; it is offered now, or at `offerAt`.',
  TRIP_OFFERED: 'The offer reaches more drivers (added ones, or the next nearest), or lasts longer.',
  TRIP_STILL_OPEN: 'The trip has no driver after all: drivers who got TripUndecided can try again.',
  TRIP_ACCEPTED: 'A driver accepted the trip.',
  DRIVER_ARRIVED: 'The driver arrived at the pickup.',
  TRIP_STARTED: 'The ride started, with the rider on board.',
  TRIP_COMPLETED: 'The driver completed the trip.',
  TRIP_CANCELLED: 'The rider or a dispatcher cancelled the trip, or the rider never came.',
  TRIP_REDISPATCHED:
    'The trip lost its driver, or none accepted in time; it is offered again under the next epoch.',
  TRIP_EXPIRED: 'No driver accepted in time.',
});

@ObjectType(
  'One change to a trip. Delivered at least once: use `id` to drop duplicates, and `revision` to restore the order.',
  { name: 'TripEvent' },
)
export class TripEventObject extends Fields({
  id: field(ID, 'Trip ID and revision; the same in every delivery.'),
  type: field(TripEventTypeEnum, 'Type of the event.'),
  tripId: field(TsidScalar, 'ID of the trip.'),
  revision: field(Int, 'Revision of the trip: 1, 2, 3 …, without gaps.'),
  status: field(TripStatusEnum, 'Status after this event.'),
  epoch: field(Int, 'Dispatch epoch after this event.', { name: 'offerEpoch' }),
  driverId: nullable(TsidScalar, 'ID of the driver who accepted, arrived, started, completed or left.'),
  reason: nullable(
    CancelReasonEnum,
    'Why it was cancelled or left, if a reason was given; only for its rider, its driver and administrators.',
  ),
  occurredAt: field(GraphQLDateTimeISO, 'When it happened, by the PostgreSQL clock.'),
}) {}

const OfferStateEnum = enumType('TripOfferState', 'Whether an offer can be accepted.', {
  OPEN: 'Can be accepted with this epoch.',
  GONE: 'A driver has the trip, or it was cancelled or expired.',
});

@ObjectType('An offer that opened or closed for this driver.', { name: 'TripOffer' })
export class TripOfferObject extends Fields({
  id: field(ID, 'ID of the underlying event; use it to drop duplicates.'),
  tripId: field(TsidScalar, 'ID of the offered trip.'),
  epoch: field(Int, 'Epoch to pass to `acceptTrip`.', { name: 'offerEpoch' }),
  state: field(OfferStateEnum, 'Whether it can be accepted.'),
  offerExpiresAt: field(GraphQLDateTimeISO, 'When the offer expires.', { name: 'expiresAt' }),
}) {}

@ObjectType('One step of an offer: whom it reached, and when.')
export class TripOfferStep extends Fields({
  offerEpoch: field(Int, 'Dispatch epoch of the offer.'),
  revision: field(Int, 'Number of the event that recorded it.'),
  driverIds: nullable(
    [TsidScalar],
    'The drivers; of a further step to the nearest, only those it added. Null: every driver.',
  ),
  offeredAt: field(GraphQLDateTimeISO, 'When it was offered.'),
  expiresAt: field(GraphQLDateTimeISO, 'When the offer was then to end.'),
}) {}
