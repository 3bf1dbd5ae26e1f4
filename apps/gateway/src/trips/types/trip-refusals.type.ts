import type {
  DriverBusy,
  NotOffered,
  NotOpen,
  StaleOffer,
  Taken,
  TooEarly,
  TripStatus,
  Undecided,
} from '@solegate/trip-reservation';
import { TsidScalar } from '@solegate/tsid-core/graphql';
import { GraphQLDateTimeISO } from 'graphql-scalars';
import { Field, Int, InterfaceType, ObjectType, registerEnumType } from 'type-graphql';
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

@InterfaceType({ description: 'Why an operation on a trip was refused: an outcome, not an error.' })
abstract class TripRefusal {
  @Field(() => TsidScalar, { description: 'ID of the trip.' })
  tripId: bigint;

  @Field(() => String, { description: 'Human-readable message.' })
  message: string;

  constructor(tripId: bigint, message: string) {
    this.tripId = tripId;
    this.message = message;
  }
}

@ObjectType({ description: 'Another driver has the trip.', implements: TripRefusal })
export class TripTaken extends TripRefusal {
  constructor({ tripId }: Taken) {
    super(tripId, 'Trip already taken by another driver.');
  }
}

@ObjectType({
  implements: TripRefusal,
  description:
    'Another driver is ahead and the outcome is not known yet; the caller might even have the trip. Try again after ' +
    '`retryAfterMs`, or subscribe to `tripUpdated` with `afterRevision`, which delivers the decision.',
})
export class TripUndecided extends TripRefusal {
  @Field(() => Int, { description: 'How long to wait before trying again, in milliseconds.' })
  retryAfterMs: number;

  @Field(() => Int, { description: 'A revision of the trip before its decision.' })
  afterRevision: number;

  constructor({ tripId, retryAfterMs, afterRevision }: Undecided) {
    super(tripId, 'Another driver is ahead, but nothing is decided yet. Try again.');
    this.retryAfterMs = retryAfterMs;
    this.afterRevision = afterRevision;
  }
}

@ObjectType('DriverBusy', { description: 'The driver has another active trip.', implements: TripRefusal })
export class DriverBusyRefusal extends TripRefusal {
  @Field(() => TsidScalar, { description: 'ID of the active trip.' })
  activeTripId: bigint;

  constructor({ tripId, activeTripId }: DriverBusy) {
    super(tripId, 'You already have an active trip; complete or cancel it first.');
    this.activeTripId = activeTripId;
  }
}

@ObjectType({ description: 'The status of the trip does not allow the operation.', implements: TripRefusal })
export class TripNotOpen extends TripRefusal {
  @Field(() => TripStatusEnum, { description: 'Current status of the trip.' })
  status: TripStatus;

  constructor({ tripId, status }: NotOpen) {
    super(tripId, `The trip is ${status.toLowerCase().replace('_', ' ')}.`);
    this.status = status;
  }
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
  allowedAt: Date | null;

  constructor({ tripId, allowedAt }: TooEarly) {
    super(
      tripId,
      allowedAt ? 'Wait a little longer for the rider.' : 'Report your arrival first, then wait.',
    );
    this.allowedAt = allowedAt;
  }
}

@ObjectType('StaleOffer', {
  description: 'The trip has been offered again since the driver saw this offer.',
  implements: TripRefusal,
})
export class StaleOfferRefusal extends TripRefusal {
  @Field(() => Int, { description: 'Epoch in the request.' })
  offerEpoch: number;

  @Field(() => Int, { description: 'Epoch of the current offer.' })
  currentEpoch: number;

  constructor({ tripId, offerEpoch, currentEpoch }: StaleOffer) {
    super(tripId, 'The trip has been offered again since; use the newest offer.');
    this.offerEpoch = offerEpoch;
    this.currentEpoch = currentEpoch;
  }
}

@ObjectType('NotOffered', { description: 'The offer is not for this driver.', implements: TripRefusal })
export class NotOfferedRefusal extends TripRefusal {
  @Field(() => NotOfferedReasonEnum, { description: 'Why the offer is not for this driver.' })
  reason: NotOffered['reason'];

  constructor({ tripId, reason }: NotOffered) {
    super(tripId, 'This trip is not offered to you.');
    this.reason = reason;
  }
}
