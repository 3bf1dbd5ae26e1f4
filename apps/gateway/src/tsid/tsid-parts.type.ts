import { explain, toBase62, toCrockford, toHex } from '@solegate/tsid-core';
import { TsidScalar } from '@solegate/tsid-core/graphql';
import { GraphQLDateTimeISO } from 'graphql-scalars';
import { Field, Int, ObjectType } from 'type-graphql';

@ObjectType({ description: 'The parts of a TSID.' })
export class TsidParts {
  @Field(() => TsidScalar, { description: 'The TSID itself.' })
  id: bigint;

  @Field(() => GraphQLDateTimeISO, { description: 'When it was made, to the millisecond.' })
  time: Date;

  @Field(() => Int, { description: 'The node that made it.' })
  node: number;

  @Field(() => Int, { description: 'Its position within that millisecond and node.' })
  sequence: number;

  @Field(() => String, { description: 'Crockford base 32: 13 characters that sort like the numbers.' })
  crockford: string;

  @Field(() => String, { description: 'Base 62: 11 characters that sort like the numbers.' })
  base62: string;

  @Field(() => String, { description: 'Hexadecimal: 16 digits that sort like the numbers.' })
  hex: string;

  constructor(id: bigint) {
    const { time, node, sequence } = explain(id);
    this.id = id;
    this.time = time;
    this.node = node;
    this.sequence = sequence;
    this.crockford = toCrockford(id);
    this.base62 = toBase62(id);
    this.hex = toHex(id);
  }
}

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
