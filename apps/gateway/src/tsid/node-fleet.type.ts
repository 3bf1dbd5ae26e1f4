import type { ListedNodeLease, NodeLeaseList } from '@solegate/tsid-core/node-lease';
import { GraphQLDateTimeISO } from 'graphql-scalars';
import { Field, Float, Int, ObjectType, registerEnumType } from 'type-graphql';

export enum FleetNodeState {
  FREE = 'FREE',
  HELD = 'HELD',
  QUARANTINED = 'QUARANTINED',
}

registerEnumType(FleetNodeState, {
  name: 'FleetNodeState',
  description: 'Whether somebody may mint on a node.',
  valuesConfig: {
    FREE: { description: 'Nobody holds it; the next process that starts may get it.' },
    HELD: { description: 'A process mints on it, or was granted it and its window is not over.' },
    QUARANTINED: {
      description:
        'Nobody holds it as far as Redis knows, and Redis may have forgotten: it is not granted yet.',
    },
  },
});

@ObjectType({ description: 'One node ID of the fleet.' })
export class FleetNode {
  @Field(() => Int, { description: 'The node ID, from 0.' })
  node: number;

  @Field(() => FleetNodeState, { description: 'Whether somebody may mint on it.' })
  state: FleetNodeState;

  @Field(() => String, {
    nullable: true,
    description: 'Host and process that holds it, or held it last; null for a node that was never used.',
  })
  holder: string | undefined;

  @Field(() => GraphQLDateTimeISO, { nullable: true, description: 'Since when that process held it.' })
  heldFrom: Date | undefined;

  @Field(() => GraphQLDateTimeISO, {
    nullable: true,
    description:
      'End of its window: no ID of that process on this node is later, unless the lease is renewed.',
  })
  heldUntil: Date | undefined;

  @Field(() => Float, {
    nullable: true,
    description: 'Seconds until the window of a held node ends unless it is renewed; null for others.',
  })
  secondsLeft: number | undefined;

  @Field(() => Boolean, { description: 'Whether the process that answers holds it.' })
  isMine: boolean;

  constructor(node: number, state: FleetNodeState, lease?: ListedNodeLease, isMine = false) {
    this.node = node;
    this.state = state;
    this.holder = lease?.holder;
    this.heldFrom = lease === undefined || lease.floorMs === 0 ? undefined : new Date(lease.floorMs);
    this.heldUntil = lease && new Date(lease.ceilingMs);
    this.secondsLeft = state === FleetNodeState.HELD ? lease?.secondsLeft : undefined;
    this.isMine = isMine;
  }
}

@ObjectType({ description: 'The node IDs of the fleet at one moment of the clock of Redis.' })
export class NodeFleet {
  @Field(() => Int, { description: 'Node IDs that there are, 1,024 by default.' })
  nodeCount: number;

  @Field(() => Int, { description: 'Nodes that somebody holds.' })
  heldNodeCount: number;

  @Field(() => Int, { description: 'Nodes that nobody holds, quarantined ones included.' })
  freeNodeCount: number;

  @Field(() => Float, {
    description: 'Milliseconds; above 0 while Redis, having lost its memory, grants no new node.',
  })
  quarantineLeftMs: number;

  @Field(() => GraphQLDateTimeISO, { description: 'The clock of Redis.' })
  readAt: Date;

  readonly #list: NodeLeaseList;
  readonly #mine: number | undefined;

  constructor(list: NodeLeaseList, mine: number | undefined) {
    this.#list = list;
    this.#mine = mine;
    this.nodeCount = list.nodeCount;
    this.heldNodeCount = list.leases.length;
    this.freeNodeCount = list.freeNodeCount;
    this.quarantineLeftMs = list.quarantineLeftMs;
    this.readAt = new Date(list.nowMs);
  }

  /** By node ID; all of them, or those in one state. */
  nodesIn(state: FleetNodeState | undefined): FleetNode[] {
    const { leases, ended, nodeCount, quarantineLeftMs } = this.#list;
    const live = new Map(leases.map((lease) => [lease.node, lease]));
    const last = new Map(ended.map((lease) => [lease.node, lease]));
    const unheld = quarantineLeftMs > 0 ? FleetNodeState.QUARANTINED : FleetNodeState.FREE;
    const nodes = Array.from({ length: nodeCount }, (_, node) => {
      const lease = live.get(node);
      return lease === undefined
        ? new FleetNode(node, unheld, last.get(node))
        : new FleetNode(node, FleetNodeState.HELD, lease, node === this.#mine);
    });
    return state === undefined ? nodes : nodes.filter((node) => node.state === state);
  }
}
