import type { RedisConnection } from '@solegate/redis-infra';
import { explain, type TsidGenerator, toBase62, toCrockford } from '@solegate/tsid-core';
import { TsidScalar } from '@solegate/tsid-core/graphql';
import { type AnyNodeLease, listNodeLeases } from '@solegate/tsid-core/node-lease';
import { Arg, Int, Mutation, Query, Resolver } from 'type-graphql';
import { badInput } from '../errors/gateway-error.js';
import { NodeLease, NodePool } from './node-lease.type.js';
import { TsidParts } from './tsid-parts.type.js';

const COUNT_MAX = 10_000;

@Resolver()
export class TsidResolver {
  constructor(
    private readonly generator: TsidGenerator,
    private readonly lease: AnyNodeLease,
    private readonly redis: RedisConnection,
  ) {}

  @Query(() => TsidParts, { description: 'Takes a TSID apart; any 64-bit number is one.' })
  tsid(@Arg('id', () => TsidScalar, { description: 'Any 64-bit number.' }) id: bigint): TsidParts {
    const { time, node, sequence } = explain(id);
    return { id, time, node, sequence, crockford: toCrockford(id), base62: toBase62(id) };
  }

  @Query(() => [NodeLease], { description: 'Which process holds which node ID, as Redis sees it.' })
  async nodeLeases(): Promise<NodeLease[]> {
    const { leases } = await listNodeLeases(this.redis);
    const mine = this.lease.health().node;
    return leases.map(({ node, holder, secondsLeft }) => ({
      node,
      holder,
      secondsLeft,
      isMine: node === mine,
    }));
  }

  @Query(() => NodePool, { description: 'How many node IDs the fleet has left.' })
  async nodePool(): Promise<NodePool> {
    return listNodeLeases(this.redis);
  }

  @Mutation(() => [TsidScalar], {
    description: 'New IDs, ascending; no other process ever makes one of them.',
  })
  generateTsids(
    @Arg('count', () => Int, { description: 'How many, 1 to 10,000.', defaultValue: 1 }) count: number,
  ): bigint[] {
    if (count < 1 || count > COUNT_MAX) throw badInput('COUNT', `"count" must be 1 to ${COUNT_MAX}.`);
    return this.generator.nextMany(count);
  }
}
