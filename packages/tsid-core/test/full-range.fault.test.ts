import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { connectRedis, type RedisConnection } from '@solegate/redis-infra';
import { type RedisTestServer, startRedisServer } from '@solegate/testkit';
import { defineLayout } from '../src/index.js';
import { leaseNode } from '../src/node-lease/index.js';

/* Redis serves no one else while a script runs, and counts its commands and their time itself. */

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

/** How often a call uses which command of sorted sets and hashes, and how long its scripts took, as Redis states it. */
async function measured(play: () => Promise<unknown>) {
  await redis.config('RESETSTAT');
  await play();
  const stats = await redis.info('commandstats');
  const figures = [...stats.matchAll(/cmdstat_(\w+):calls=(\d+),usec=(\d+)/g)];
  const looks = figures.filter(([, name]) => /^[zh](?!ello)/.test(name ?? ''));
  const scripts = figures.filter(([, name]) => name?.startsWith('eval'));
  return {
    calls: Object.fromEntries(looks.map(([, name, callCount]) => [name, Number(callCount)])),
    micros: Math.max(...scripts.map(([, , , usec]) => Number(usec))),
  };
}

/** The least that can be done with each node once. */
const READ_ALL = `local slots = redis.call('ZRANGEBYSCORE', KEYS[1], '-inf', '+inf', 'WITHSCORES')
local sum = 0
for index = 2, #slots, 2 do sum = sum + tonumber(slots[index]) end
return sum`;

test('a claim in a full range reads the 16,384 nodes that were used in pages, and does little with each', async () => {
  const range = { first: 0, last: 0 };
  const lease = await leased(range);
  await fill(0, 1);
  const claims: number[] = [];
  const readings: number[] = [];
  // The least of several: the times of others include what else the machine did meanwhile.
  for (let play = 0; play < 10; play += 1) {
    const claim = await measured(() =>
      expect(leased(range)).rejects.toMatchObject({ code: 'NODES_EXHAUSTED' }),
    );
    expect(claim.calls).toEqual({
      zrangebyscore: 8,
      zcount: 1,
      zcard: 1,
      hlen: 1,
      hget: 1,
      hset: 1,
      hmget: 1,
    });
    claims.push(claim.micros);
    readings.push((await measured(() => redis.eval(READ_ALL, 1, '{sys:tsid}:slots'))).micros);
  }
  process.stdout.write(
    `In a full range: a claim ${Math.min(...claims)} us, reading all ${Math.min(...readings)} us.\n`,
  );
  expect(Math.min(...claims)).toBeLessThan(1.3 * Math.min(...readings));
  await lease.release();
});

test('a renewal counts the 16,384 live leases without reading them', async () => {
  const lease = await leased({ first: 0, last: layout.nodeMax });
  await fill(layout.nodeMax, Date.now() + 3_600_000);
  const { calls } = await measured(() => lease.renew());
  expect(lease.health()).toMatchObject({ freeNodeCount: 0, lastFailure: undefined });
  expect(calls).toEqual({ zadd: 1, zcard: 2, zcount: 1, zscore: 1, hget: 1, hmget: 1, hset: 2, hlen: 2 });
  await lease.release();
});
