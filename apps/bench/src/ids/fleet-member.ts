import { connectRedis } from '@solegate/redis-infra';
import { createTsidGenerator } from '@solegate/tsid-core';
import { leaseNode } from '@solegate/tsid-core/node-lease';
import { sharedNowMs, waitUntil } from '../measuring/shared-clock.js';

/** An order for one process of a fleet: lease a node from Redis, wait for the others, mint. */
export interface FleetOrder {
  readonly kind: 'fleet';
  readonly redisUrl: string;
  readonly namespace: string;
  readonly idCount: number;
  /** Removes the lease: every process mints on the same node, as if each believed that it owned the slot. */
  readonly sabotaged: boolean;
}

const IDS_PER_BATCH = 512;

/** @param everybodyReady called when this process is ready; resolves with the common start on the shared clock */
export async function mintInFleet(
  order: FleetOrder,
  everybodyReady: () => Promise<number>,
): Promise<{ ids: BigUint64Array; node: number; elapsedMs: number }> {
  const redis = connectRedis({ url: order.redisUrl, purpose: 'background' });
  const lease = await leaseNode({ redis, namespace: order.namespace, trustEmptyStore: true });
  // Without random starts, two generators of one node collide for certain, not by luck.
  const generator = createTsidGenerator(order.sabotaged ? { node: 1, randomStart: false } : { lease });
  const ids = new BigUint64Array(order.idCount);
  await waitUntil(await everybodyReady());
  const startedMs = sharedNowMs();
  for (let from = 0; from < ids.length; from += IDS_PER_BATCH) {
    generator.fill(ids.subarray(from, Math.min(ids.length, from + IDS_PER_BATCH)));
  }
  const elapsedMs = sharedNowMs() - startedMs;
  const { node } = generator.explain(ids[0] ?? 0n);
  generator.close();
  await lease.release();
  redis.disconnect();
  return { ids, node, elapsedMs };
}
