import type { ListedNodeLease } from '@solegate/tsid-core/node-lease';
import { GraphQLDateTimeISO } from 'graphql-scalars';
import { Float, Int } from 'type-graphql';
import { enumType, Fields, field, nullable, ObjectType } from '../graphql/fields.js';
import type { FleetList } from './node.js';

export type FleetNodeState = 'FREE' | 'HELD' | 'QUARANTINED';

export const FleetNodeStateEnum = enumType<FleetNodeState>(
  'FleetNodeState',
  'Whether a process can mint IDs on a node.',
  {
    FREE: 'Not held; the next process that starts can get it.',
    HELD: 'A process mints on it, or was granted it and its window has not ended.',
    QUARANTINED:
      'Not held as far as is known, but the store of its lease might have lost data, or does not answer: it is not granted yet.',
  },
);

@ObjectType('One node ID of the fleet.')
export class FleetNode extends Fields({
  node: field(Int, 'Node ID, from 0.'),
  state: field(FleetNodeStateEnum, 'Whether a process can mint IDs on it.'),
  holder: nullable(
    String,
    'Host and process that holds it or held it last; null for a node that was never used.',
  ),
  heldFrom: nullable(GraphQLDateTimeISO, 'When that process began to hold it.'),
  heldUntil: nullable(
    GraphQLDateTimeISO,
    'End of its window: that process makes no later ID on this node unless the lease is renewed.',
  ),
  secondsLeft: nullable(
    Float,
    'Seconds until the window of a held node ends, unless renewed; otherwise null.',
  ),
  isMine: field(Boolean, 'Whether the responding process holds it.'),
}) {}

@ObjectType('Snapshot of the node IDs of the fleet, by the clock of the store that grants them.')
export class NodeFleet extends Fields({
  nodeCount: field(Int, 'Total number of node IDs, 1,024 by default.'),
  heldNodeCount: field(Int, 'Nodes that are held, without those of a store that does not answer.'),
  freeNodeCount: field(
    Int,
    'Nodes that are not held, including quarantined ones, without those of a store that does not answer.',
  ),
  quarantineLeftMs: field(
    Float,
    'Milliseconds until nodes are granted again after the store may have lost leases; otherwise 0.',
  ),
  readAt: field(GraphQLDateTimeISO, 'When the snapshot was taken, by the same clock.'),
}) {
  declare readonly leases: readonly ListedNodeLease[];
  /** The last lease of each node that is free. */
  declare readonly ended: readonly ListedNodeLease[];
  declare readonly unanswered: FleetList['unanswered'];
  /** The node of the responding process. */
  declare readonly mine: number | undefined;
}
