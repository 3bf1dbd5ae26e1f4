import type { RedisConnection } from '@solegate/redis-infra';
import { type AnyNodeLease, listNodeLeases } from '@solegate/tsid-core/node-lease';
import { Arg, FieldResolver, Query, Resolver, Root } from 'type-graphql';
import { FleetNode, FleetNodeState, NodeFleet } from './node-fleet.type.js';

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
}
