import { explain, toBase62, toCrockford, toHex } from '@solegate/tsid-core';
import { TsidScalar } from '@solegate/tsid-core/graphql';
import { GraphQLDateTimeISO } from 'graphql-scalars';
import { Field, Int, ObjectType } from 'type-graphql';

@ObjectType({ description: 'What a TSID is made of.' })
export class TsidParts {
  @Field(() => TsidScalar, { description: 'The TSID itself.' })
  id: bigint;

  @Field(() => GraphQLDateTimeISO, { description: 'The millisecond it was made in.' })
  time: Date;

  @Field(() => Int, { description: 'The node that made it.' })
  node: number;

  @Field(() => Int, { description: 'Its place within that millisecond and node.' })
  sequence: number;

  @Field(() => String, { description: '13 characters that sort as the numbers do.' })
  crockford: string;

  @Field(() => String, { description: '11 characters that sort as the numbers do.' })
  base62: string;

  @Field(() => String, { description: '16 hexadecimal digits that sort as the numbers do.' })
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
  @Field(() => String, { description: 'Host and process, and the moment it started.' })
  holder!: string;

  @Field(() => GraphQLDateTimeISO, { description: 'Since when it held the node.' })
  heldFrom!: Date;

  @Field(() => GraphQLDateTimeISO, {
    description: 'Until when it holds or held it; a held node is renewed, so this moves on.',
  })
  heldUntil!: Date;
}
