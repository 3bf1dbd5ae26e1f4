import type { NotOffered, TripStatus } from '@solegate/trip-reservation';
import { TsidScalar } from '@solegate/tsid-core/graphql';
import { GraphQLDateTimeISO } from 'graphql-scalars';
import { Field, Int, InterfaceType, ObjectType, registerEnumType } from 'type-graphql';
import { Refusal } from '../../graphql/refusal.type.js';
import { TripStatusEnum } from './trip-status.js';

const NotOfferedReasonEnum = {
  NOT_LISTED: 'NOT_LISTED',
  EXCLUDED: 'EXCLUDED',
  REJECTED: 'REJECTED',
  NO_SUCH_OFFER: 'NO_SUCH_OFFER',
} as const;

registerEnumType(NotOfferedReasonEnum, {
  name: 'NotOfferedReason',
  description: 'Why an offer is not open to a driver.',
  valuesConfig: {
    NOT_LISTED: { description: 'The offer is for other drivers.' },
    EXCLUDED: { description: 'The driver left this trip earlier.' },
    REJECTED: { description: 'The driver rejected this offer.' },
    NO_SUCH_OFFER: { description: 'There was never an offer with this epoch.' },
  },
});

@InterfaceType({
  description: 'Why an operation on a trip was refused: an outcome, not an error.',
  implements: Refusal,
})
abstract class TripRefusal extends Refusal {
  @Field(() => TsidScalar, { description: 'ID of the trip.' })
  tripId!: bigint;
}

@ObjectType({ description: 'Another driver has the trip.', implements: TripRefusal })
export class TripTaken extends TripRefusal {}

@ObjectType({
  implements: TripRefusal,
  description:
    'Another driver is ahead and the outcome is not known yet; the caller might even have the trip. Try again after ' +
    '`retryAfterMs`, or subscribe to `tripUpdated` with `afterRevision`, which delivers the decision.',
})
export class TripUndecided extends TripRefusal {
  @Field(() => Int, { description: 'How long to wait before trying again, in milliseconds.' })
  retryAfterMs!: number;

  @Field(() => Int, { description: 'A revision of the trip before its decision.' })
  afterRevision!: number;
}

@ObjectType('DriverBusy', { description: 'The driver has another active trip.', implements: TripRefusal })
export class DriverBusyRefusal extends TripRefusal {
  @Field(() => TsidScalar, { description: 'ID of the active trip.' })
  activeTripId!: bigint;
}

@ObjectType({ description: 'The status of the trip does not allow the operation.', implements: TripRefusal })
export class TripNotOpen extends TripRefusal {
  @Field(() => TripStatusEnum, { description: 'Current status of the trip.' })
  status!: TripStatus;
}

@ObjectType({
  description: 'The driver must report the arrival, and then wait, before reporting a no-show.',
  implements: TripRefusal,
})
export class NoShowTooEarly extends TripRefusal {
  @Field(() => GraphQLDateTimeISO, {
    nullable: true,
    description: 'When the no-show can be reported; null before the arrival.',
  })
  allowedAt!: Date | null;
}

@ObjectType('StaleOffer', {
  description: 'The trip has been offered again since the driver saw this offer.',
  implements: TripRefusal,
})
export class StaleOfferRefusal extends TripRefusal {
  @Field(() => Int, { description: 'Epoch in the request.' })
  offerEpoch!: number;

  @Field(() => Int, { description: 'Epoch of the current offer.' })
  currentEpoch!: number;
}

@ObjectType('NotOffered', { description: 'The offer is not for this driver.', implements: TripRefusal })
export class NotOfferedRefusal extends TripRefusal {
  @Field(() => NotOfferedReasonEnum, { description: 'Why the offer is not for this driver.' })
  reason!: NotOffered['reason'];
}
