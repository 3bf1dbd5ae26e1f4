import type { ListedNodeLease } from '@solegate/tsid-core/node-lease';
import { GraphQLDateTimeISO } from 'graphql-scalars';
import { Field, Float, Int, ObjectType, registerEnumType } from 'type-graphql';

export enum FleetNodeState {
  FREE = 'FREE',
  HELD = 'HELD',
  QUARANTINED = 'QUARANTINED',
}

registerEnumType(FleetNodeState, {
  name: 'FleetNodeState',
  description: 'Whether a process can mint IDs on a node.',
  valuesConfig: {
    FREE: { description: 'Not held; the next process that starts can get it.' },
    HELD: { description: 'A process mints on it, or was granted it and its window has not ended.' },
    QUARANTINED: {
      description:
        'Not held as far as is known, but the store of the leases might have lost data: it is not granted yet.',
    },
  },
});

@ObjectType({ description: 'One node ID of the fleet.' })
export class FleetNode {
  @Field(() => Int, { description: 'Node ID, from 0.' })
  node!: number;

  @Field(() => FleetNodeState, { description: 'Whether a process can mint IDs on it.' })
  state!: FleetNodeState;

  @Field(() => String, {
    nullable: true,
    description: 'Host and process that holds it or held it last; null for a node that was never used.',
  })
  holder!: string | undefined;

  @Field(() => GraphQLDateTimeISO, { nullable: true, description: 'When that process began to hold it.' })
  heldFrom!: Date | undefined;

  @Field(() => GraphQLDateTimeISO, {
    nullable: true,
    description:
      'End of its window: that process makes no later ID on this node unless the lease is renewed.',
  })
  heldUntil!: Date | undefined;

  @Field(() => Float, {
    nullable: true,
    description: 'Seconds until the window of a held node ends, unless renewed; otherwise null.',
  })
  secondsLeft!: number | undefined;

  @Field(() => Boolean, { description: 'Whether the responding process holds it.' })
  isMine!: boolean;
}

@ObjectType({
  description: 'Snapshot of the node IDs of the fleet, by the clock of the store that grants them.',
})
export class NodeFleet {
  @Field(() => Int, { description: 'Total number of node IDs, 1,024 by default.' })
  nodeCount!: number;

  @Field(() => Int, { description: 'Nodes that are held.' })
  heldNodeCount!: number;

  @Field(() => Int, { description: 'Nodes that are not held, including quarantined ones.' })
  freeNodeCount!: number;

  @Field(() => Float, {
    description:
      'Milliseconds until nodes are granted again after the store may have lost leases; otherwise 0.',
  })
  quarantineLeftMs!: number;

  @Field(() => GraphQLDateTimeISO, { description: 'When the snapshot was taken, by the same clock.' })
  readAt!: Date;

  readonly leases!: readonly ListedNodeLease[];
  /** The last lease of each node that is free. */
  readonly ended!: readonly ListedNodeLease[];
  /** The node of the responding process. */
  readonly mine!: number | undefined;
}
