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
  id!: string;

  @Field(() => TsidScalar, { description: 'ID of the offered trip.' })
  tripId!: bigint;

  @Field(() => Int, { name: 'offerEpoch', description: 'Epoch to pass to `acceptTrip`.' })
  epoch!: number;

  @Field(() => OfferStateEnum, { description: 'Whether it can be accepted.' })
  state!: OfferState;

  @Field(() => GraphQLDateTimeISO, { name: 'expiresAt', description: 'When the offer expires.' })
  offerExpiresAt!: Date;
}
