import type { NodeLeaseList } from '@solegate/tsid-core/node-lease';
import { Arg, FieldResolver, Query, Resolver, Root } from 'type-graphql';
import type { Node } from './node.js';
import { FleetNode, FleetNodeState, NodeFleet } from './node-fleet.type.js';

/** Who holds which node ID, for operators. */
@Resolver(() => NodeFleet)
export class NodeFleetResolver {
  constructor(
    private readonly node: Node,
    private readonly list: () => Promise<NodeLeaseList>,
  ) {}

  @Query(() => NodeFleet, {
    description:
      'Returns the node IDs of the fleet and their holders, according to the store that grants them.',
  })
  async nodeFleet(): Promise<NodeFleet> {
    return new NodeFleet(await this.list(), this.node.health().node);
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
