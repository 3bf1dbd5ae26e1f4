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

const TakenCertaintyEnum = { DECIDED: 'DECIDED', PROVISIONAL: 'PROVISIONAL' } as const;
const NotOfferedReasonEnum = {
  NOT_LISTED: 'NOT_LISTED',
  EXCLUDED: 'EXCLUDED',
  REJECTED: 'REJECTED',
  NO_SUCH_OFFER: 'NO_SUCH_OFFER',
} as const;

registerEnumType(TakenCertaintyEnum, {
  name: 'TakenCertainty',
  description: 'How sure it is that another driver has the trip.',
  valuesConfig: {
    DECIDED: { description: "Another driver's reservation is stored; this offer can never be won." },
    PROVISIONAL: {
      description: 'Another driver is ahead; never given any more.',
      deprecationReason: 'Use `TripUndecided`. Removed after 2027-06-30.',
    },
  },
});
registerEnumType(NotOfferedReasonEnum, {
  name: 'NotOfferedReason',
  description: 'Why an offer is not for a driver.',
  valuesConfig: {
    NOT_LISTED: { description: 'The offer goes to other drivers.' },
    EXCLUDED: { description: 'The driver left this trip before.' },
    REJECTED: { description: 'The driver rejected this offer.' },
    NO_SUCH_OFFER: { description: 'No offer of this epoch was ever made.' },
  },
});

@InterfaceType({ description: 'Why a driver does not get a trip: an answer, not an error.' })
abstract class TripRefusal {
  @Field(() => TsidScalar, { description: 'The trip that it is about.' })
  tripId: bigint;

  @Field(() => String, { description: 'For people.' })
  message: string;

  constructor(tripId: bigint, message: string) {
    this.tripId = tripId;
    this.message = message;
  }
}

@ObjectType({ description: 'Another driver has the trip.', implements: TripRefusal })
export class TripTaken extends TripRefusal {
  @Field(() => TakenCertaintyEnum, {
    description: 'How sure it is: always DECIDED.',
    deprecationReason: 'Use `TripUndecided`. Removed after 2027-06-30.',
  })
  certainty: Taken['certainty'];

  constructor({ tripId, certainty }: Taken) {
    super(tripId, 'Trip already taken by another driver.');
    this.certainty = certainty;
  }
}

@ObjectType({
  implements: TripRefusal,
  description:
    'Another driver is ahead and the outcome is not known yet; it may even be that you have the trip. Ask again after ' +
    'retryAfterMs, or when tripUpdated brings the next event.',
})
export class TripUndecided extends TripRefusal {
  @Field(() => Int, { description: 'Milliseconds.' })
  retryAfterMs: number;

  constructor({ tripId, retryAfterMs }: Undecided) {
    super(tripId, 'Another driver is ahead; it is not decided yet. Ask again.');
    this.retryAfterMs = retryAfterMs;
  }
}

@ObjectType('DriverBusy', { description: 'The driver has another active trip.', implements: TripRefusal })
export class DriverBusyRefusal extends TripRefusal {
  @Field(() => TsidScalar, { description: 'The trip that the driver has.' })
  activeTripId: bigint;

  constructor({ tripId, activeTripId }: DriverBusy) {
    super(tripId, 'You have another trip; complete or cancel it first.');
    this.activeTripId = activeTripId;
  }
}

@ObjectType({ description: 'The state of the trip does not allow it.', implements: TripRefusal })
export class TripNotOpen extends TripRefusal {
  @Field(() => TripStatusEnum, { description: 'Where the trip stands.' })
  status: TripStatus;

  constructor({ tripId, status }: NotOpen) {
    super(tripId, `The trip is ${status.toLowerCase().replace('_', ' ')}.`);
    this.status = status;
  }
}

@ObjectType({
  description: 'A no-show needs an arrival and a wait after it.',
  implements: TripRefusal,
})
export class NoShowTooEarly extends TripRefusal {
  @Field(() => GraphQLDateTimeISO, {
    nullable: true,
    description: 'From when on it may be reported; null before the arrival.',
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
  description: 'The trip was offered anew since the driver saw this offer.',
  implements: TripRefusal,
})
export class StaleOfferRefusal extends TripRefusal {
  @Field(() => Int, { description: 'The epoch that the driver gave.' })
  offerEpoch: number;

  @Field(() => Int, { description: 'The epoch of the newest offer.' })
  currentEpoch: number;

  constructor({ tripId, offerEpoch, currentEpoch }: StaleOffer) {
    super(tripId, 'The trip was offered anew since; use the newest offer.');
    this.offerEpoch = offerEpoch;
    this.currentEpoch = currentEpoch;
  }
}

@ObjectType('NotOffered', { description: 'The offer is not for this driver.', implements: TripRefusal })
export class NotOfferedRefusal extends TripRefusal {
  @Field(() => NotOfferedReasonEnum, { description: 'Why not.' })
  reason: NotOffered['reason'];

  constructor({ tripId, reason }: NotOffered) {
    super(tripId, 'This trip is not offered to you.');
    this.reason = reason;
  }
}
