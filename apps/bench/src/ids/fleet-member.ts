import { connectRedis } from '@solegate/redis-infra';
import { createTsidGenerator, type TsidGenerator } from '@solegate/tsid-core';
import { leaseNode } from '@solegate/tsid-core/node-lease';
import { sharedNowMs, waitUntil } from '../measuring/shared-clock.js';
import type { MintedByProcess } from './verify-ids.js';

const IDS_PER_BATCH = 512;

let generator: TsidGenerator | undefined;

/**
 * Leases a node from Redis for this process of a fleet.
 *
 * @param sabotaged removes the lease: every process mints on the same node, as if each believed that it owned the slot
 */
export async function join(redisUrl: string, namespace: string, sabotaged: boolean): Promise<void> {
  const redis = connectRedis({ url: redisUrl, purpose: 'background' });
  const lease = await leaseNode({ redis, namespace, trustEmptyStore: true });
  // Without random starts, two generators of one node collide for certain, not by luck.
  generator = createTsidGenerator(sabotaged ? { node: 1, randomStart: false } : { lease });
}

/** Mints from a common start of the shared clock. */
export async function mint(
  idCount: number,
  startMs: number,
): Promise<MintedByProcess & { readonly elapsedMs: number }> {
  if (generator === undefined) throw new Error('a process was asked to mint before it had joined the fleet');
  const ids = new BigUint64Array(idCount);
  await waitUntil(startMs);
  const startedMs = sharedNowMs();
  for (let from = 0; from < ids.length; from += IDS_PER_BATCH) {
    generator.fill(ids.subarray(from, Math.min(ids.length, from + IDS_PER_BATCH)));
  }
  const elapsedMs = sharedNowMs() - startedMs;
  return { ids, node: generator.explain(ids[0] ?? 0n).node, elapsedMs };
}
