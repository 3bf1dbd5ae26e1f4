import { afterEach, describe, expect, test } from '@jest/globals';
import { connectRedis, type RedisConnection } from '@solegate/redis-infra';
import { startRedisCluster, startSentinel, until } from '@solegate/testkit';
import { createTsidGenerator } from '../src/index.js';
import { leaseNode, listNodeLeases } from '../src/node-lease/index.js';
import { mintInTurns, startWhenFree, TWO_NODES, windowFleet } from './fleet/fleet.js';
import { MintLog } from './fleet/mint-log.js';
import { originalFleet } from './fleet/original-fleet.js';

const connections: RedisConnection[] = [];
const disconnectAll = () => {
  for (const connection of connections.splice(0)) connection.disconnect();
};
afterEach(disconnectAll);

function connect(url: string): RedisConnection {
  const connection = connectRedis({ url, purpose: 'background', commandTimeoutMs: 500 });
  connections.push(connection);
  return connection;
}

/** Long enough for a failover of several seconds. */
const LONG = { windowMs: 6_000, skewMaxMs: 300, renewEveryMs: 300 };
/** Long enough for Sentinel's second attempt, ten seconds after one that came too early for the replica. */
const LONGER = { ...LONG, windowMs: 15_000 };
const PATIENCE_MS = 60_000;
/** The plain lock's time to live in production, longer than any test. */
const DAY_MS = 86_400_000;

test('behind Sentinel, when a replica takes over that never received the leases', async () => {
  await using group = await startSentinel({ replicas: 1 });
  const redis = connect(group.url);
  await until(() => redis.ping());
  const master = await group.master();
  const replica = group.servers.find((server) => server !== master);
  // Stopped before the nodes are granted; returns in that state when its master has ended.
  await replica?.kill();
  const settings = { layout: TWO_NODES, ...LONGER, automatic: true, namespace: 'windows' };
  const leased = windowFleet(new MintLog(), redis, settings);
  const locked = originalFleet(new MintLog(), redis, TWO_NODES, DAY_MS);
  const [leasing, locking] = [await until(() => leased.start('holder')), await locked.start('holder')];
  await master.kill();
  await replica?.restart();
  await until(async () => (await group.master()) === replica, { intervalMs: 100 });
  await until(() => redis.ping());
  const newcomers = [
    await startWhenFree(leased, 'newcomer', {}, PATIENCE_MS),
    await startWhenFree(locked, 'newcomer'),
  ] as const;
  await mintInTurns(leasing, newcomers[0]);
  await mintInTurns(locking, newcomers[1]);
  await leased.stop();
  disconnectAll();
  expect({ duplicates: leased.log.duplicateCount(), orderBreaks: leased.log.orderBreakCount() }).toEqual({
    duplicates: 0,
    orderBreaks: 0,
  });
  expect(leased.log.countOf('newcomer')).toBeGreaterThan(100_000);
  expect(locked.log.duplicateCount()).toBeGreaterThan(0);
});

describe('Redis Cluster', () => {
  test('grants, renews, lists and releases without the visible key', async () => {
    await using cluster = await startRedisCluster({ masters: 3, replicasPerMaster: 0 });
    const redis = connect(cluster.url);
    const lease = await until(() =>
      leaseNode({ redis, trustEmptyStore: true, automatic: false, holder: 'clustered' }),
    );
    const generator = createTsidGenerator({ lease, namespace: 'cluster' });
    const before = generator.next();
    await lease.renew();
    expect(generator.next()).toBeGreaterThan(before);
    expect(await listNodeLeases(redis)).toMatchObject({
      leases: [{ node: 1_023, holder: 'clustered' }],
      freeNodeCount: 1_023,
    });
    expect(await redis.exists('sys:tsid:node:1023')).toBe(0);
    await lease.release();
    expect(await listNodeLeases(redis)).toMatchObject({ leases: [], freeNodeCount: 1_024 });
    generator.close();
  });

  test('opens a quarantine on a promoted replica, and keeps the live holder', async () => {
    await using cluster = await startRedisCluster({ masters: 3, replicasPerMaster: 1 });
    const redis = connect(cluster.url);
    const settings = { layout: TWO_NODES, ...LONG, automatic: true };
    const fleet = windowFleet(new MintLog(), redis, settings);
    const holder = await until(() => fleet.start('holder'));
    await cluster.killMasterOf('{sys:tsid}:slots');
    const newcomer = await until(() => fleet.start('newcomer'), { intervalMs: 100 });
    await mintInTurns(holder, newcomer);
    expect(holder.refusedCount()).toBe(0);
    await fleet.stop();
    disconnectAll();
    expect({ duplicates: fleet.log.duplicateCount(), orderBreaks: fleet.log.orderBreakCount() }).toEqual({
      duplicates: 0,
      orderBreaks: 0,
    });
  });
});
