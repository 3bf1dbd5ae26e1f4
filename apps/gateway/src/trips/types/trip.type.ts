import type { CancelReason, TripStatus } from '@solegate/trip-reservation';
import { TsidScalar } from '@solegate/tsid-core/graphql';
import { GraphQLDateTimeISO } from 'graphql-scalars';
import { Float, Int } from 'type-graphql';
import { enumType, Fields, field, InputType, nullable, ObjectType, optional } from '../../graphql/fields.js';

export const TripStatusEnum = enumType<TripStatus>('TripStatus', 'Status of a trip.', {
  SCHEDULED: 'Offered to drivers later, at `offerAt`.',
  FINDING: 'Offered to drivers; none of them has it.',
  ACCEPTED: 'A driver has it and is on the way.',
  IN_PROGRESS: 'The driver has started the ride.',
  COMPLETED: 'Completed by the driver.',
  CANCELLED: 'Cancelled by the rider, or by the driver because the rider did not come.',
  EXPIRED: 'Ended because no driver accepted it in time.',
});

@ObjectType('Place where a trip starts or ends, in degrees (WGS 84).')
@InputType('Place where a trip starts or ends, in degrees (WGS 84).', { name: 'PlaceInput' })
export class PlaceType extends Fields({
  latitude: field(Float, 'Latitude, -90 to 90.'),
  longitude: field(Float, 'Longitude, -180 to 180.'),
  address: optional(String, 'Human-readable address, 1 to 200 characters.'),
}) {}

export const CancelReasonEnum = enumType<CancelReason>(
  'TripCancelReason',
  'Why a trip was cancelled, or why its driver left it.',
  {
    CHANGED_PLANS: 'The rider no longer wants the trip.',
    WAITED_TOO_LONG: 'The rider waited too long.',
    DRIVER_ASKED: 'The driver asked the rider to cancel.',
    VEHICLE_PROBLEM: 'The driver has a problem with the vehicle.',
    RIDER_UNREACHABLE: 'The driver cannot reach the rider.',
    TOO_FAR: 'The trip is too far for the driver.',
    OTHER: 'Any other reason; for riders and drivers.',
    RIDER_NO_SHOW: 'The driver waited at the pickup, but the rider did not come. Set by `reportNoShow` only.',
    BY_DISPATCHER: 'A dispatcher cancelled the trip. Set for them only.',
  },
);

@ObjectType('A snapshot of a trip that drivers compete for.', { name: 'Trip' })
export class TripType extends Fields({
  id: field(TsidScalar, 'Unique ID (TSID).'),
  status: field(TripStatusEnum, 'Current status.'),
  epoch: field(
    Int,
    'Dispatch epoch, from 1. `acceptTrip` needs the current one; offers of older epochs are no longer valid.',
    { name: 'offerEpoch' },
  ),
  revision: field(Int, 'Number of the last event, from 1; incremented by each event.'),
  riderId: nullable(TsidScalar, 'ID of the rider; null for a driver who only has an offer.'),
  driverId: nullable(TsidScalar, 'ID of the driver; null while the trip has none.'),
  pickup: nullable(PlaceType, 'Pickup place.'),
  dropoff: nullable(PlaceType, 'Destination; null for a driver who only has an offer.'),
  offerExpiresAt: field(GraphQLDateTimeISO, 'When the current offer expires.'),
  requestedAt: field(GraphQLDateTimeISO, 'When the rider requested it.'),
  acceptedAt: nullable(GraphQLDateTimeISO, 'When the driver accepted it; null while the trip has no driver.'),
  startedAt: nullable(GraphQLDateTimeISO, 'When the ride started, with the rider on board.'),
  endedAt: nullable(GraphQLDateTimeISO, 'When it was completed, was cancelled or expired.'),
  offerAt: nullable(GraphQLDateTimeISO, 'When it is first offered; null: immediately after the request.'),
  arrivedAt: nullable(GraphQLDateTimeISO, 'When the driver arrived at the pickup.'),
  cancelReason: nullable(
    CancelReasonEnum,
    'Why it was cancelled, if a reason was given. Null for a driver who only had an offer.',
  ),
}) {}
