import { parentPort, workerData } from 'node:worker_threads';
import { connectRedis } from '@solegate/redis-infra';
import { createTsidGenerator } from '../src/index.js';
import { leaseNode } from '../src/node-lease/index.js';

/** Leases a node for this thread, mints on it when all threads have theirs, and posts the IDs. */
const { url, count } = workerData as { readonly url: string; readonly count: number };

async function run(): Promise<void> {
  const redis = connectRedis({ url, purpose: 'background', commandTimeoutMs: 30_000 });
  const lease = await leaseNode({ redis, trustEmptyStore: true, windowMs: 600_000 });
  const ids = createTsidGenerator({ lease });
  parentPort?.postMessage({ node: lease.node });
  parentPort?.once('message', () => {
    parentPort?.postMessage({ ids: ids.fill(new BigUint64Array(count)) });
    void lease.release().then(() => redis.disconnect());
  });
}
void run();
