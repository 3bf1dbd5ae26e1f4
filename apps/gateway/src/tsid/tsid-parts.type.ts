import { TsidScalar } from '@solegate/tsid-core/graphql';
import { GraphQLDateTimeISO } from 'graphql-scalars';
import { Field, Int, ObjectType } from 'type-graphql';
import { soleResult } from '../graphql/mutation-result.js';

@ObjectType({ description: 'The parts of a TSID.' })
export class TsidParts {
  @Field(() => TsidScalar, { description: 'The TSID itself.' })
  id!: bigint;

  @Field(() => GraphQLDateTimeISO, { description: 'When it was made, to the millisecond.' })
  time!: Date;

  @Field(() => Int, { description: 'The node that made it.' })
  node!: number;

  @Field(() => Int, { description: 'Its position within that millisecond and node.' })
  sequence!: number;

  @Field(() => String, { description: 'Crockford base 32: 13 characters that sort like the numbers.' })
  crockford!: string;

  @Field(() => String, { description: 'Base 62: 11 characters that sort like the numbers.' })
  base62!: string;

  @Field(() => String, { description: 'Hexadecimal: 16 digits that sort like the numbers.' })
  hex!: string;
}

@ObjectType({ description: 'New IDs.' })
export class TsidsGenerated {
  @Field(() => [TsidScalar], { description: 'The IDs, in ascending order.' })
  ids!: readonly bigint[];
}

export const GenerateTsidsResult = soleResult('GenerateTsidsResult', 'The new IDs.', TsidsGenerated);

@ObjectType({ description: 'The process that held a node when an ID was made.' })
export class TsidHolder {
  @Field(() => String, { description: 'Host, process ID and start time of the process.' })
  holder!: string;

  @Field(() => GraphQLDateTimeISO, { description: 'When it began to hold the node.' })
  heldFrom!: Date;

  @Field(() => GraphQLDateTimeISO, {
    description: 'End of its window; later each time the lease is renewed.',
  })
  heldUntil!: Date;
}
