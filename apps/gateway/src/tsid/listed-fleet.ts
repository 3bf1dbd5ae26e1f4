import type { RedisConnection } from '@solegate/redis-infra';
import { type LeaseStore, listNodeLeases, type NodeLeaseList } from '@solegate/tsid-core/node-lease';

/** Lists who holds which node: in the one store of all cells, or in the stores of the cells together. */
export async function listFleet(sources: Iterable<RedisConnection | LeaseStore>): Promise<NodeLeaseList> {
  const lists = await Promise.all([...new Set(sources)].map((source) => listNodeLeases(source)));
  const [first] = lists as [NodeLeaseList, ...NodeLeaseList[]];
  const leases = lists.flatMap((list) => list.leases);
  return {
    ...first,
    leases,
    ended: lists.flatMap((list) => list.ended),
    freeNodeCount: first.nodeCount - leases.length,
    quarantineLeftMs: Math.max(...lists.map((list) => list.quarantineLeftMs)),
  };
}
