import { Resolver, Root } from 'type-graphql';
import { Arg, FieldResolver, Query } from '../graphql/described.js';
import { type FleetList, isUnanswered, type Node } from './node.js';
import { FleetNode, type FleetNodeState, FleetNodeStateEnum, NodeFleet } from './node-fleet.type.js';

/** Who holds which node ID, for operators. */
@Resolver(() => NodeFleet)
export class NodeFleetResolver {
  constructor(
    private readonly node: Node,
    private readonly list: () => Promise<FleetList>,
  ) {}

  @Query(
    () => NodeFleet,
    'Returns the node IDs of the fleet and their holders, according to the store that grants them.',
  )
  async nodeFleet(): Promise<NodeFleet> {
    const list = await this.list();
    const mine = this.node.health().node;
    return { ...list, mine, heldNodeCount: list.leases.length, readAt: new Date(list.nowMs) };
  }

  @FieldResolver(() => [FleetNode], 'The nodes, in order of ID.')
  nodes(
    @Root() fleet: NodeFleet,
    @Arg('state', () => FleetNodeStateEnum, 'Only nodes in this state. Default: all.', { nullable: true })
    state?: FleetNodeState,
  ): FleetNode[] {
    const nodes = nodesOf(fleet);
    return state ? nodes.filter((node) => node.state === state) : nodes;
  }
}

function nodesOf(fleet: NodeFleet): FleetNode[] {
  const { leases, ended, nodeCount, quarantineLeftMs, mine } = fleet;
  const live = new Map(leases.map((lease) => [lease.node, lease]));
  const last = new Map(ended.map((lease) => [lease.node, lease]));
  const isGranted = (node: number) => quarantineLeftMs === 0 && !isUnanswered(fleet, node);
  return Array.from({ length: nodeCount }, (_, node) => {
    const held = live.get(node);
    const lease = held ?? last.get(node);
    return {
      node,
      state: held ? 'HELD' : isGranted(node) ? 'FREE' : 'QUARANTINED',
      holder: lease?.holder,
      heldFrom: lease?.floorMs ? new Date(lease.floorMs) : undefined,
      heldUntil: lease && new Date(lease.ceilingMs),
      secondsLeft: held?.secondsLeft,
      isMine: held !== undefined && node === mine,
    };
  });
}
