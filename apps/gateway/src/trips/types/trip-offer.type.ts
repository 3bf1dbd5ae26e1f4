import type { TripEvent } from '@solegate/trip-reservation';
import { TsidScalar } from '@solegate/tsid-core/graphql';
import { GraphQLDateTimeISO } from 'graphql-scalars';
import { Field, ID, Int, ObjectType, registerEnumType } from 'type-graphql';

const OfferStateEnum = { OPEN: 'OPEN', GONE: 'GONE' } as const;
type OfferState = keyof typeof OfferStateEnum;

registerEnumType(OfferStateEnum, {
  name: 'TripOfferState',
  description: 'Whether an offer can be accepted.',
  valuesConfig: {
    OPEN: { description: 'Can be accepted with this epoch.' },
    GONE: { description: 'A driver has the trip, or it was cancelled or expired.' },
  },
});

@ObjectType('TripOffer', { description: 'An offer that opened or closed for this driver.' })
export class TripOfferObject {
  @Field(() => ID, { description: 'ID of the underlying event; use it to drop duplicates.' })
  id: string;

  @Field(() => TsidScalar, { description: 'ID of the offered trip.' })
  tripId: bigint;

  @Field(() => Int, { description: 'Epoch to pass to `acceptTrip`.' })
  offerEpoch: number;

  @Field(() => OfferStateEnum, { description: 'Whether it can be accepted.' })
  state: OfferState;

  @Field(() => GraphQLDateTimeISO, { description: 'When the offer expires.' })
  expiresAt: Date;

  constructor(event: TripEvent) {
    this.id = event.id;
    this.tripId = event.tripId;
    this.offerEpoch = event.epoch;
    this.state = event.status === 'FINDING' ? 'OPEN' : 'GONE';
    this.expiresAt = event.offerExpiresAt;
  }
}
