import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { createTestRedis, type TestRedis } from '@solegate/testkit';
import { defineLayout } from '../src/index.js';
import {
  leaseNode,
  type NodeLease,
  type NodeLeaseEvent,
  type NodeLeaseOptions,
} from '../src/node-lease/index.js';
import { weakenedRedis } from './fleet/weakened-redis.js';

const FOUR_NODES = defineLayout({ timeBits: 42, nodeBits: 2, sequenceBits: 20, epoch: 0 });

let redis: TestRedis;
const leases: NodeLease[] = [];
beforeEach(async () => {
  redis = await createTestRedis();
});
afterEach(async () => {
  await Promise.all(leases.splice(0).map((lease) => lease.release()));
  await redis.drop();
});

async function leased(options: Partial<NodeLeaseOptions> = {}): Promise<NodeLease> {
  const lease = await leaseNode({ redis: redis.client, trustEmptyStore: true, automatic: false, ...options });
  leases.push(lease);
  return lease;
}

describe('the visible key', () => {
  test('shows the holder for as long as the window lasts, and is deleted on release', async () => {
    const lease = await leased({ holder: 'host-7:4711' });
    expect(await redis.client.get('sys:tsid:node:1023')).toContain('host-7:4711');
    const ttlMs = await redis.client.pttl('sys:tsid:node:1023');
    expect(ttlMs).toBeGreaterThan(25_000);
    expect(ttlMs).toBeLessThanOrEqual(30_000);
    await lease.renew();
    expect(await redis.client.exists('sys:tsid:node:1023')).toBe(1);
    await lease.release();
    expect(await redis.client.exists('sys:tsid:node:1023')).toBe(0);
  });

  test('keeps us off the nodes of an allocator that knows nothing but SET NX, and it off ours', async () => {
    const foreign = (node: number) =>
      redis.client.set(`sys:tsid:node:${node}`, 'foreign', 'PX', 60_000, 'NX');
    await foreign(0);
    await foreign(2);
    const nodes = [await leased({ layout: FOUR_NODES }), await leased({ layout: FOUR_NODES })].map(
      ({ node }) => node,
    );
    expect(nodes).toEqual([3, 1]);
    expect(await foreign(1)).toBeNull();
    await expect(leased({ layout: FOUR_NODES })).rejects.toMatchObject({
      code: 'NODES_EXHAUSTED',
      liveCount: 2,
    });
    await redis.client.del('sys:tsid:node:2');
    expect((await leased({ layout: FOUR_NODES })).node).toBe(2);
  });

  test('matters: without it both would have the node', async () => {
    await redis.client.set('sys:tsid:node:1023', 'foreign', 'PX', 60_000, 'NX');
    const weakened = weakenedRedis(redis.client, ["'NX', 'PXAT'", "'PXAT'"]);
    expect((await leased({ redis: weakened.redis })).node).toBe(1023);
    weakened.check();
  });

  test('that was deleted is restored by the next renewal', async () => {
    const lease = await leased();
    const shown = await redis.client.get('sys:tsid:node:1023');
    await redis.client.del('sys:tsid:node:1023');
    await lease.renew();
    expect(lease.node).toBe(1023);
    expect(await redis.client.get('sys:tsid:node:1023')).toBe(shown);
  });

  test('that was taken by another allocator ends the lease at the next renewal', async () => {
    const events: NodeLeaseEvent[] = [];
    const lease = await leased({ observer: (event) => events.push(event) });
    await redis.client.set('sys:tsid:node:1023', 'foreign', 'PX', 60_000);
    await lease.renew();
    const lost = events.find(({ kind }) => kind === 'LOST');
    expect(lost).toMatchObject({
      node: 1023,
      detail: 'Redis reports that its visible key is held by foreign.',
    });
    await lease.renew();
    expect(lease.node).toBe(1022);
  });

  test('is not written in Cluster, where it would be in another slot', async () => {
    const asCluster = new Proxy(redis.client, {
      get(target, property) {
        const value = property === 'isCluster' ? true : Reflect.get(target, property, target);
        return typeof value === 'function' ? value.bind(target) : value;
      },
    });
    const lease = await leased({ redis: asCluster });
    await lease.renew();
    const keys = ['grants', 'meta', 'slots'].map((key) => `{sys:tsid}:${key}`);
    expect((await redis.client.keys('*')).sort()).toEqual(keys);
  });
});
