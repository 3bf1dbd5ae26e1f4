import type { TripEvent } from '@solegate/trip-reservation';
import { TsidScalar } from '@solegate/tsid-core/graphql';
import { GraphQLDateTimeISO } from 'graphql-scalars';
import { Field, ID, Int, ObjectType, registerEnumType } from 'type-graphql';

const OfferStateEnum = { OPEN: 'OPEN', GONE: 'GONE' } as const;
type OfferState = keyof typeof OfferStateEnum;

registerEnumType(OfferStateEnum, {
  name: 'TripOfferState',
  description: 'Whether an offer may be accepted.',
  valuesConfig: {
    OPEN: { description: 'May be accepted with this epoch.' },
    GONE: { description: 'Somebody has it, or it was cancelled or expired.' },
  },
});

@ObjectType('TripOffer', { description: 'An offer that opened for this driver, or that is gone.' })
export class TripOfferObject {
  @Field(() => ID, { description: 'The event behind it; removes repeats.' })
  id: string;

  @Field(() => TsidScalar, { description: 'The trip that is offered.' })
  tripId: bigint;

  @Field(() => Int, { description: 'What acceptTrip needs.' })
  offerEpoch: number;

  @Field(() => OfferStateEnum, { description: 'Whether it may be accepted.' })
  state: OfferState;

  @Field(() => GraphQLDateTimeISO, { description: 'When the offer ends by itself.' })
  expiresAt: Date;

  constructor(event: TripEvent) {
    this.id = event.id;
    this.tripId = event.tripId;
    this.offerEpoch = event.epoch;
    this.state = event.status === 'FINDING' ? 'OPEN' : 'GONE';
    this.expiresAt = event.offerExpiresAt;
  }
}
