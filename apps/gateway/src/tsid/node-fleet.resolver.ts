import type { RedisConnection } from '@solegate/redis-infra';
import { type AnyNodeLease, listNodeLeases } from '@solegate/tsid-core/node-lease';
import { Arg, FieldResolver, Query, Resolver, Root } from 'type-graphql';
import { FleetNode, FleetNodeState, NodeFleet } from './node-fleet.type.js';
import { NodeLease, NodePool } from './node-lease.type.js';

const deprecationReason = 'Use `nodeFleet`. Removed after 2027-06-30.';

/** Who holds which node ID, for operators. */
@Resolver(() => NodeFleet)
export class NodeFleetResolver {
  constructor(
    private readonly lease: AnyNodeLease,
    private readonly redis: RedisConnection,
  ) {}

  @Query(() => NodeFleet, {
    description: 'Returns the node IDs of the fleet and their holders, according to Redis.',
  })
  async nodeFleet(): Promise<NodeFleet> {
    return new NodeFleet(await listNodeLeases(this.redis), this.lease.health().node);
  }

  @FieldResolver(() => [FleetNode], { description: 'The nodes, in order of ID.' })
  nodes(
    @Root() fleet: NodeFleet,
    @Arg('state', () => FleetNodeState, {
      nullable: true,
      description: 'Only nodes in this state. Default: all.',
    })
    state?: FleetNodeState,
  ): FleetNode[] {
    return fleet.nodesIn(state ?? undefined);
  }

  @Query(() => [NodeLease], {
    description: 'Lists which process holds which node ID, according to Redis.',
    deprecationReason,
  })
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

  @Query(() => NodePool, { description: 'Returns how many node IDs the fleet has left.', deprecationReason })
  async nodePool(): Promise<NodePool> {
    return listNodeLeases(this.redis);
  }
}
