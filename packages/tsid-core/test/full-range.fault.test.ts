import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { connectRedis, type RedisConnection } from '@solegate/redis-infra';
import { type RedisTestServer, startRedisServer } from '@solegate/testkit';
import { defineLayout } from '../src/index.js';
import { leaseNode } from '../src/node-lease/index.js';

/* Redis serves no one else while a script runs, and counts its commands itself. */

const layout = defineLayout({ timeBits: 40, nodeBits: 14, sequenceBits: 10, epoch: Date.UTC(2020, 0, 1) });

let server: RedisTestServer;
let redis: RedisConnection;
beforeEach(async () => {
  server = await startRedisServer();
  redis = connectRedis({ url: server.url, purpose: 'background' });
});
afterEach(async () => {
  redis.disconnect();
  await server.stop();
});

const leased = (nodes: { first: number; last: number }) =>
  leaseNode({ redis, layout, nodes, trustEmptyStore: true, automatic: false });

/** All other nodes are those of holders whose windows end at this time. */
async function fill(held: number, ceilingMs: number): Promise<void> {
  const nodes = Array.from({ length: layout.nodeMax + 1 }, (_, node) => String(node));
  const others = nodes.filter((node) => node !== String(held));
  await redis.zadd('{sys:tsid}:slots', ...others.flatMap((node) => [ceilingMs, node]));
  await redis.hset('{sys:tsid}:grants', ...others.flatMap((node) => [node, 'other other 1 other holder']));
  await redis.hset('{sys:tsid}:meta', 'slotCount', nodes.length, 'grantCount', nodes.length);
}

/** How often the script of a call reads or writes which sorted set or hash. */
async function looksOf(play: () => Promise<unknown>): Promise<Record<string, number>> {
  await redis.config('RESETSTAT');
  await play();
  const stats = await redis.info('commandstats');
  const looks = [...stats.matchAll(/cmdstat_([zh]\w+):calls=(\d+)/g)].filter(([, name]) => name !== 'hello');
  return Object.fromEntries(looks.map(([, name, callCount]) => [name, Number(callCount)]));
}

test('a claim in a full range looks at a few of the 16,384 nodes that were used', async () => {
  const range = { first: 0, last: 0 };
  const lease = await leased(range);
  await fill(0, 1);
  const looks = await looksOf(() => expect(leased(range)).rejects.toMatchObject({ code: 'NODES_EXHAUSTED' }));
  expect(Object.values(looks).reduce((sum, count) => sum + count, 0)).toBeLessThan(30);
  await lease.release();
});

test('a renewal counts the 16,384 live leases without reading them', async () => {
  const lease = await leased({ first: 0, last: layout.nodeMax });
  await fill(layout.nodeMax, Date.now() + 3_600_000);
  const looks = await looksOf(() => lease.renew());
  expect(lease.health()).toMatchObject({ freeNodeCount: 0, lastFailure: undefined });
  expect(looks).toEqual({ zadd: 1, zcard: 2, zcount: 1, zscore: 1, hget: 1, hmget: 1, hset: 2, hlen: 2 });
  await lease.release();
});
