import { randomUUID } from 'node:crypto';
import type { RedisConnection } from '@solegate/redis-infra';
import { createTsidGenerator, type TsidLayout } from '../../src/index.js';
import { type Fleet, minting, WINDOW_MS } from './fleet.js';
import type { MintLog } from './mint-log.js';

/**
 * The control: the plain lock that the window lease replaces. A process takes the first free key `sys:tsid:node:{i}` by
 * SET NX with a TTL, refreshes the TTL, and deletes the key at the end. Until then it mints without further checks. The
 * generator is that of the fleet under test, so only the lease differs.
 */
export function originalFleet(
  log: MintLog,
  redis: RedisConnection,
  layout: TsidLayout,
  ttlMs = WINDOW_MS,
): Fleet {
  return {
    log,
    async start(name, options = {}) {
      const connection = options.redis ?? redis;
      const node = await takeNode(connection, name, { nodeMax: layout.nodeMax, ttlMs });
      const key = `sys:tsid:node:${node}`;
      const generator = createTsidGenerator({
        node,
        layout,
        startAfterMs: 0,
        namespace: randomUUID(),
        randomStart: false,
        ...(options.now === undefined ? {} : { now: options.now }),
        ...(options.overflow === undefined ? {} : { overflow: options.overflow }),
      });
      return {
        ...minting(log, name, generator),
        // The plain lock has no use for a refresh that failed: it goes on and tries the next one.
        renew: async () => void (await connection.pexpire(key, ttlMs).catch(() => 0)),
        release: async () => {
          generator.close();
          await connection.del(key);
        },
      };
    },
    stop: () => Promise.resolve(),
  };
}

/** Waits for a free key as long as a process waits for a window to end. */
async function takeNode(
  redis: RedisConnection,
  name: string,
  { nodeMax, ttlMs }: { nodeMax: number; ttlMs: number },
): Promise<number> {
  for (const endMs = performance.now() + 10 * WINDOW_MS; performance.now() < endMs; ) {
    for (let node = 0; node <= nodeMax; node++) {
      const taken = await redis.set(`sys:tsid:node:${node}`, name, 'PX', ttlMs, 'NX');
      if (taken === 'OK') return node;
    }
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  throw new Error('All nodes stayed taken.');
}
