import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { type RedisTestServer, startRedisServer } from '@solegate/testkit';
import { leaseNode } from '../src/node-lease/index.js';
import { weakenedRedis } from './fleet/weakened-redis.js';

/* With the recommended policy, noeviction, a full Redis rejects every write. */

let server: RedisTestServer;
beforeEach(async () => {
  server = await startRedisServer({ args: ['--maxmemory-policy', 'noeviction'] });
});
afterEach(() => server.stop());

const fill = () => server.client().config('SET', 'maxmemory', 1);

test('nodes are granted, renewed and released in a full Redis', async () => {
  const redis = server.client();
  const held = await leaseNode({ redis, trustEmptyStore: true, automatic: false });
  await fill();
  await expect(redis.set('other', 'write')).rejects.toThrow('OOM');
  await held.renew();
  expect(held.health()).toMatchObject({ state: 'HELD', failedRenewalCount: 0 });
  const starter = await leaseNode({ redis, automatic: false });
  expect(starter.node).toBe(1022);
  await starter.release();
  expect(starter.health().freeNodeCount).toBe(1_022);
  await held.release();
  expect(await redis.zscore('{sys:tsid}:slots', '1023')).toBeDefined();
});

test('where Redis is too old to support that, the error reports that it is full', async () => {
  const { redis, check } = weakenedRedis(server.client(), ['flags=allow-oom', 'flags=unheard-of']);
  await fill();
  await expect(leaseNode({ redis, trustEmptyStore: true })).rejects.toMatchObject({
    code: 'NODE_LEASE_UNAVAILABLE',
    message: expect.stringContaining('Redis is full and refuses writes: raise its maxmemory.'),
  });
  check();
});
