import { TsidScalar } from '@solegate/tsid-core/graphql';
import { GraphQLDateTimeISO } from 'graphql-scalars';
import { Field, Int, ObjectType } from 'type-graphql';

@ObjectType({ description: 'One step of an offer: whom it reached, and when.' })
export class TripOfferStep {
  @Field(() => Int, { description: 'Dispatch epoch of the offer.' })
  offerEpoch!: number;

  @Field(() => Int, { description: 'Number of the event that recorded it.' })
  revision!: number;

  @Field(() => [TsidScalar], {
    nullable: true,
    description: 'The drivers; of a further step to the nearest, only those it added. Null: every driver.',
  })
  driverIds!: readonly bigint[] | null;

  @Field(() => GraphQLDateTimeISO, { description: 'When it was offered.' })
  offeredAt!: Date;

  @Field(() => GraphQLDateTimeISO, { description: 'When the offer was then to end.' })
  expiresAt!: Date;
}
