import type {
  DriverBusy,
  NotOffered,
  NotOpen,
  StaleOffer,
  Taken,
  TripStatus,
  Undecided,
} from '@solegate/trip-reservation';
import { TsidScalar } from '@solegate/tsid-core/graphql';
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
  valuesConfig: {
    DECIDED: { description: "Another driver's reservation is stored; this offer can never be won." },
    PROVISIONAL: { deprecationReason: 'Never given any more; this is TripUndecided.' },
  },
});
registerEnumType(NotOfferedReasonEnum, {
  name: 'NotOfferedReason',
  valuesConfig: {
    NOT_LISTED: { description: 'The offer goes to other drivers.' },
    EXCLUDED: { description: 'The driver left this trip before.' },
    REJECTED: { description: 'The driver rejected this offer.' },
    NO_SUCH_OFFER: { description: 'No offer of this epoch was ever made.' },
  },
});

@InterfaceType({ description: 'Why a driver does not get a trip: an answer, not an error.' })
abstract class TripRefusal {
  @Field(() => TsidScalar)
  tripId: bigint;

  @Field(() => String, { description: 'For people.' })
  message: string;

  constructor(tripId: bigint, message: string) {
    this.tripId = tripId;
    this.message = message;
  }
}

@ObjectType({ implements: TripRefusal })
export class TripTaken extends TripRefusal {
  @Field(() => TakenCertaintyEnum, { deprecationReason: 'Always DECIDED.' })
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
    'retryAfterMs.',
})
export class TripUndecided extends TripRefusal {
  @Field(() => Int, { description: 'Milliseconds.' })
  retryAfterMs: number;

  constructor({ tripId, retryAfterMs }: Undecided) {
    super(tripId, 'Another driver is ahead; it is not decided yet. Ask again.');
    this.retryAfterMs = retryAfterMs;
  }
}

@ObjectType('DriverBusy', { implements: TripRefusal })
export class DriverBusyRefusal extends TripRefusal {
  @Field(() => TsidScalar, { description: 'The trip that the driver has.' })
  activeTripId: bigint;

  constructor({ tripId, activeTripId }: DriverBusy) {
    super(tripId, 'You have another trip; complete or cancel it first.');
    this.activeTripId = activeTripId;
  }
}

@ObjectType({ implements: TripRefusal })
export class TripNotOpen extends TripRefusal {
  @Field(() => TripStatusEnum)
  status: TripStatus;

  constructor({ tripId, status }: NotOpen) {
    super(tripId, `The trip is ${status.toLowerCase().replace('_', ' ')}.`);
    this.status = status;
  }
}

@ObjectType('StaleOffer', { implements: TripRefusal })
export class StaleOfferRefusal extends TripRefusal {
  @Field(() => Int)
  offerEpoch: number;

  @Field(() => Int)
  currentEpoch: number;

  constructor({ tripId, offerEpoch, currentEpoch }: StaleOffer) {
    super(tripId, 'The trip was offered anew since; use the newest offer.');
    this.offerEpoch = offerEpoch;
    this.currentEpoch = currentEpoch;
  }
}

@ObjectType('NotOffered', { implements: TripRefusal })
export class NotOfferedRefusal extends TripRefusal {
  @Field(() => NotOfferedReasonEnum)
  reason: NotOffered['reason'];

  constructor({ tripId, reason }: NotOffered) {
    super(tripId, 'This trip is not offered to you.');
    this.reason = reason;
  }
}
