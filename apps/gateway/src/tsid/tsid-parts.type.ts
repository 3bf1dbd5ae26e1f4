import { TsidScalar } from '@solegate/tsid-core/graphql';
import { GraphQLDateTimeISO } from 'graphql-scalars';
import { Field, Int, ObjectType } from 'type-graphql';

@ObjectType({ description: 'What a TSID is made of.' })
export class TsidParts {
  @Field(() => TsidScalar, { description: 'The TSID itself.' })
  id!: bigint;

  @Field(() => GraphQLDateTimeISO, { description: 'The millisecond it was made in.' })
  time!: Date;

  @Field(() => Int, { description: 'The node that made it.' })
  node!: number;

  @Field(() => Int, { description: 'Its place within that millisecond and node.' })
  sequence!: number;

  @Field(() => String, { description: '13 characters that sort as the numbers do.' })
  crockford!: string;

  @Field(() => String, { description: '11 characters that sort as the numbers do.' })
  base62!: string;
}
