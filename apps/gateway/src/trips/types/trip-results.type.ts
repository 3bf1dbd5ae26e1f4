import type { NotOffered } from '@solegate/trip-reservation';
import { TsidScalar } from '@solegate/tsid-core/graphql';
import { GraphQLDateTimeISO } from 'graphql-scalars';
import { Int } from 'type-graphql';
import { enumType, Fields, field, InterfaceType, nullable, ObjectType } from '../../graphql/fields.js';
import { Refusal, ResultMutation } from '../../graphql/results.js';
import { TripStatusEnum, TripType } from './trip.type.js';

const NotOfferedReasonEnum = enumType<NotOffered['reason']>(
  'NotOfferedReason',
  'Why an offer is not open to a driver.',
  {
    NOT_LISTED: 'The offer is for other drivers.',
    EXCLUDED: 'The driver left this trip earlier.',
    REJECTED: 'The driver rejected this offer.',
    NO_SUCH_OFFER: 'There was never an offer with this epoch.',
  },
);

@InterfaceType('Why an operation on a trip was refused: an outcome, not an error.')
abstract class TripRefusal extends Fields(Refusal, {
  tripId: field(TsidScalar, 'ID of the trip.'),
}) {}

@ObjectType('Another driver has the trip.')
class TripTaken extends TripRefusal {}

@ObjectType(
  'Another driver is ahead and the outcome is not known yet; the caller might even have the trip. Try again after ' +
    '`retryAfterMs`, or subscribe to `tripUpdated` with `afterRevision`, which delivers the decision.',
)
class TripUndecided extends Fields(TripRefusal, {
  retryAfterMs: field(Int, 'How long to wait before trying again, in milliseconds.'),
  afterRevision: field(Int, 'A revision of the trip before its decision.'),
}) {}

@ObjectType('The driver has another active trip.', { name: 'DriverBusy' })
class DriverBusyRefusal extends Fields(TripRefusal, {
  activeTripId: field(TsidScalar, 'ID of the active trip.'),
}) {}

@ObjectType('The status of the trip does not allow the operation.')
class TripNotOpen extends Fields(TripRefusal, {
  status: field(TripStatusEnum, 'Current status of the trip.'),
}) {}

@ObjectType('The driver must report the arrival, and then wait, before reporting a no-show.')
class NoShowTooEarly extends Fields(TripRefusal, {
  allowedAt: nullable(GraphQLDateTimeISO, 'When the no-show can be reported; null before the arrival.'),
}) {}

@ObjectType('The trip has been offered again since the driver saw this offer.', { name: 'StaleOffer' })
class StaleOfferRefusal extends Fields(TripRefusal, {
  offerEpoch: field(Int, 'Epoch in the request.'),
  currentEpoch: field(Int, 'Epoch of the current offer.'),
}) {}

@ObjectType('The offer is not for this driver.', { name: 'NotOffered' })
class NotOfferedRefusal extends Fields(TripRefusal, {
  reason: field(NotOfferedReasonEnum, 'Why the offer is not for this driver.'),
}) {}

@ObjectType('The driver has the trip. A retry gets the same result.')
class TripAccepted extends Fields({
  tripId: field(TsidScalar, 'ID of the trip.'),
  driverId: field(TsidScalar, 'ID of the driver who has it: the caller.'),
  epoch: field(Int, 'Epoch of the accepted offer.', { name: 'offerEpoch' }),
  acceptedAt: field(GraphQLDateTimeISO, 'When it was accepted.'),
}) {}

@ObjectType('The driver rejected the offer and can no longer accept it.')
class TripRejected extends Fields({
  tripId: field(TsidScalar, 'ID of the trip.'),
  offerEpoch: field(Int, 'Epoch of the rejected offer.'),
}) {}

/** A trip that has changed. */
abstract class TripChanged extends Fields({
  trip: field(TripType, 'Current state of the trip.'),
}) {}

@ObjectType('The driver has arrived at the pickup.')
class DriverArrived extends TripChanged {}

@ObjectType('The ride has started, with the rider on board.')
class TripStarted extends TripChanged {}

@ObjectType('The driver has completed the trip.')
class TripCompleted extends TripChanged {}

@ObjectType('The offer now reaches more drivers, or lasts longer.')
class TripBroadcast extends TripChanged {}

@ObjectType('The trip was cancelled before it started or on the way.')
class TripCancelled extends TripChanged {}

@ObjectType('The driver has left the trip; it is offered to others under the next epoch.')
class TripRedispatched extends TripChanged {}

/** The type of each kind of outcome. */
const TYPES = {
  ACCEPTED: TripAccepted,
  OFFERED: TripBroadcast,
  TAKEN: TripTaken,
  UNDECIDED: TripUndecided,
  DRIVER_BUSY: DriverBusyRefusal,
  NOT_OPEN: TripNotOpen,
  STALE_OFFER: StaleOfferRefusal,
  NOT_OFFERED: NotOfferedRefusal,
  REJECTED: TripRejected,
  ARRIVED: DriverArrived,
  TOO_EARLY: NoShowTooEarly,
  STARTED: TripStarted,
  COMPLETED: TripCompleted,
  CANCELLED: TripCancelled,
  REDISPATCHED: TripRedispatched,
};

export type ResultKind = keyof typeof TYPES;

/** An outcome of one of these kinds, as the API shows it. */
type TripResult<Kind extends ResultKind> = InstanceType<(typeof TYPES)[Kind]>;

type Decide<Kind extends ResultKind> = (...given: never[]) => Promise<TripResult<Kind>>;

/** A mutation of a trip. @param kinds of its outcomes, and no others */
export function TripMutation<Kind extends ResultKind>(
  kinds: readonly Kind[],
  description: string,
  ofResult: string,
): <Method extends Decide<Kind>>(
  prototype: object,
  name: string,
  method: TypedPropertyDescriptor<Method>,
) => void {
  const typeOf = (kind: ResultKind) => TYPES[kind];
  const resolveType = (outcome: object) => typeOf((outcome as { kind: ResultKind }).kind);
  return ResultMutation(() => kinds.map(typeOf), description, ofResult, resolveType);
}
