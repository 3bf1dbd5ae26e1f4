import { TsidScalar } from '@solegate/tsid-core/graphql';
import { GraphQLDateTimeISO } from 'graphql-scalars';
import { Int } from 'type-graphql';
import { enumType, Fields, field, InputType, optional } from '../../graphql/fields.js';
import { CancelReasonEnum, PlaceType, TripStatusEnum } from './trip.type.js';

export type TripPart = 'RIDER' | 'DRIVER' | 'DISPATCHER';

const TripPartEnum = enumType<TripPart>('TripPart', "The caller's part in a trip.", {
  RIDER: 'The person who requested the trip.',
  DRIVER: 'The driver who has or had the trip.',
  DISPATCHER: 'An administrator, who watches over all trips.',
});

@InputType('Pickup and destination of a trip, and who it is offered to.')
export class RequestTripInput extends Fields({
  tripId: optional(
    TsidScalar,
    'ID from `generateTsids`, so that a retry requests the same trip. Default: a new ID.',
  ),
  pickup: optional(PlaceType, 'Pickup place.'),
  dropoff: optional(PlaceType, 'Destination.'),
  region: optional(
    String,
    'Region that dispatches the trip, if there are several; refused if unknown (UNKNOWN_REGION). Default: the first.',
  ),
  offeredTo: optional([TsidScalar], 'Drivers the offer reaches, 1 to 500. Default: every driver.'),
  nearestFirst: optional(
    Boolean,
    'Whether to offer it to the nearest drivers first, and to more of them until one accepts; requires `pickup`. ' +
      'While positions are unavailable, the trip waits, and the search is repeated every second. Default: false.',
  ),
  offerAt: optional(GraphQLDateTimeISO, 'When it is first offered, up to 30 days ahead. Default: now.'),
  offerTtlMs: optional(Int, 'How long each offer lasts, in milliseconds, 1 to 3,600,000. Default: 15,000.'),
  idempotencyKey: optional(
    String,
    'Idempotency key, 1 to 200 characters: a retry with the same key returns the same trip.',
  ),
}) {}

@InputType('Identifies a trip.')
export class TripInput extends Fields({
  tripId: field(TsidScalar, 'ID of the trip.'),
}) {}

@InputType('Widens or extends the offer of a trip that is looking for a driver.')
export class BroadcastTripInput extends Fields(TripInput, {
  offerEpoch: field(Int, 'Epoch of the offer.'),
  offeredTo: optional([TsidScalar], 'Drivers to add, 1 to 500. Default: every driver.'),
  offerTtlMs: optional(
    Int,
    'Minimum time that the offer lasts from now, in milliseconds, 1 to 3,600,000. Default: that of the trip.',
  ),
}) {}

@InputType("A driver's answer to an offer.")
export class AnswerOfferInput extends Fields({
  tripId: field(TsidScalar, 'ID of the offered trip.'),
  offerEpoch: field(Int, 'Epoch of the offer that the driver saw.'),
}) {}

@InputType('Cancels a trip, or leaves it as its driver.')
export class CancelTripInput extends Fields(TripInput, {
  as: optional(
    TripPartEnum,
    'As whom the caller acts; needed only with several roles. Default: their part in the trip, DISPATCHER for an administrator who has none.',
  ),
  reason: optional(CancelReasonEnum, 'Reason; it must fit the part of the caller. A dispatcher gives none.'),
}) {}

@InputType('Conditions, combined with AND.')
export class TripFilter extends Fields({
  as: optional(
    TripPartEnum,
    'Only trips in which the caller has this part. Default: DISPATCHER, which sees all trips, for administrators, else RIDER, else DRIVER.',
  ),
  region: optional(
    String,
    'Region whose database to list, with the trips of its other regions; the name of a database is a region, too. Required if there are several databases (REGION_NEEDED).',
  ),
  status: optional(TripStatusEnum, 'Only trips with this status.'),
  riderId: optional(TsidScalar, 'Only trips of this rider. For administrators.'),
  driverId: optional(TsidScalar, 'Only trips of this driver. For administrators.'),
  lateFirst: optional(
    Boolean,
    'Only trips that are looking for a driver, the one whose offer ends first, first. Default: false, newest first.',
  ),
}) {}
