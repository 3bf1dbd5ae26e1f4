import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { connectRedis, type RedisConnection } from '@solegate/redis-infra';
import { type RedisTestServer, startFaultProxy, startRedisServer, until } from '@solegate/testkit';
import { explain } from '../src/index.js';
import { leaseNode, type NodeLeaseEvent, nextWhenReady } from '../src/node-lease/index.js';
import {
  type Fleet,
  mintInTurns,
  ONE_NODE,
  renewingMeanwhile,
  SKEW_MS,
  startWhenFree,
  TWO_NODES,
  windowFleet,
} from './fleet/fleet.js';
import { MintLog } from './fleet/mint-log.js';
import { originalFleet } from './fleet/original-fleet.js';
import { weakenedRedis } from './fleet/weakened-redis.js';

let server: RedisTestServer;
const connections: RedisConnection[] = [];

beforeEach(async () => {
  server = await startRedisServer({ args: ['--maxmemory-policy', 'allkeys-random'] });
});

afterEach(async () => {
  for (const connection of connections.splice(0)) connection.disconnect();
  await server.stop();
});

function connect(url = server.url): RedisConnection {
  const connection = connectRedis({ url, purpose: 'background', commandTimeoutMs: 300 });
  connections.push(connection);
  return connection;
}

/** The plain lock's time to live in production, longer than any test. */
const DAY_MS = 86_400_000;
const clean = { duplicates: 0, orderBreaks: 0 };
const verdict = (log: MintLog) => ({ duplicates: log.duplicateCount(), orderBreaks: log.orderBreakCount() });

/** The window lease, and the plain lock as its control. */
const fleets = [
  ['the window lease', (): Fleet => windowFleet(new MintLog(), connect(), { layout: TWO_NODES }), true],
  ['the plain lock', (): Fleet => originalFleet(new MintLog(), connect(), TWO_NODES, DAY_MS), false],
] as const;

describe.each(fleets)('%s', (_name, fleetOf, isSafe) => {
  test('when Redis restarts from a snapshot that is older than a lease', async () => {
    const snapshot = await server.takeSnapshot();
    const fleet = fleetOf();
    const holder = await fleet.start('holder');
    holder.mint(2_000);
    await server.kill();
    await server.restart({ snapshot });
    const newcomer = await renewingMeanwhile(holder, startWhenFree(fleet, 'newcomer'));
    await mintInTurns(holder, newcomer);
    await fleet.stop();
    expect(fleet.log.countOf('newcomer')).toBeGreaterThan(100_000);
    expect(isSafe ? verdict(fleet.log) : fleet.log.duplicateCount() > 0).toEqual(isSafe ? clean : true);
  });

  test('when Redis evicts what it keeps of a lease', async () => {
    const fleet = fleetOf();
    const holder = await fleet.start('holder');
    const client = server.client();
    const leaseKeys = await client.keys('*tsid*');
    await evictOneOf(leaseKeys);
    const newcomer = await renewingMeanwhile(holder, startWhenFree(fleet, 'newcomer'));
    await mintInTurns(holder, newcomer);
    await fleet.stop();
    expect(isSafe ? verdict(fleet.log) : fleet.log.duplicateCount() > 0).toEqual(isSafe ? clean : true);
  });

  /** Fills the memory until Redis has evicted one of the keys, then raises the limit again. */
  async function evictOneOf(keys: readonly string[]): Promise<void> {
    const client = server.client();
    const used = Number(/used_memory:(\d+)/.exec(await client.info('memory'))?.[1]);
    await client.config('SET', 'maxmemory', used + 200_000);
    for (let filler = 0; (await client.exists(...keys)) === keys.length; filler++) {
      await client.set(`filler:${filler}`, 'x'.repeat(1_000));
    }
    await client.config('SET', 'maxmemory', 0);
  }
});

describe('each key may be evicted alone', () => {
  test.each(['slots', 'grants', 'meta'])('%s: no node is granted twice', async (key) => {
    const fleet = windowFleet(new MintLog(), connect(), { layout: TWO_NODES });
    const holder = await fleet.start('holder');
    await server.client().del(`{sys:tsid}:${key}`);
    const newcomer = await renewingMeanwhile(holder, startWhenFree(fleet, 'newcomer'));
    await mintInTurns(holder, newcomer);
    await fleet.stop();
    expect(verdict(fleet.log)).toEqual(clean);
    expect(fleet.log.countOf('newcomer')).toBeGreaterThan(100_000);
  });

  test('without the count of entries the loss of one key goes unseen, and IDs are equal', async () => {
    const guard = 'tonumber(facts[5]) ~= slotCount or tonumber(facts[6]) ~= grantCount';
    const weakened = weakenedRedis(
      server.client(),
      [guard, 'false'],
      ["local start = tonumber(redis.call('HGET', meta, fresh) or last + 1)", 'local start = last + 1'],
    );
    const fleet = windowFleet(new MintLog(), weakened.redis, { layout: TWO_NODES });
    const holder = await fleet.start('holder');
    await server.client().del('{sys:tsid}:slots', 'sys:tsid:node:1');
    const newcomer = await fleet.start('newcomer');
    await mintInTurns(holder, newcomer);
    await fleet.stop();
    weakened.check();
    expect(fleet.log.duplicateCount()).toBeGreaterThan(0);
  });
});

describe('an outage', () => {
  test('shorter than the window does not interrupt minting', async () => {
    await using proxy = await startFaultProxy(server.url);
    const events: NodeLeaseEvent[] = [];
    const fleet = windowFleet(new MintLog(), connect(proxy.url), {
      layout: ONE_NODE,
      windowMs: 3_000,
      automatic: true,
      observer: (event) => events.push(event),
    });
    const holder = await fleet.start('holder');
    proxy.set('reset');
    await holder.mintFor(1_500);
    proxy.set('pass');
    await until(() => events.some(({ kind }) => kind === 'RENEWED'));
    await holder.mintFor(100);
    expect(holder.refusedCount()).toBe(0);
    expect(events.map(({ kind }) => kind)).toEqual(expect.arrayContaining(['RENEWAL_FAILED', 'RENEWED']));
    expect(events.map(({ kind }) => kind)).not.toContain('LOST');
    expect(holder.lease.health()).toMatchObject({
      healthy: true,
      failedRenewalCount: 0,
      lastFailure: undefined,
    });
    await fleet.stop();
    expect(verdict(fleet.log)).toEqual(clean);
  });

  test('longer than the window stops minting at the ceiling; then another node is leased without a restart', async () => {
    await using proxy = await startFaultProxy(server.url);
    const fleet = windowFleet(new MintLog(), connect(), { layout: TWO_NODES });
    const events: NodeLeaseEvent[] = [];
    const cutOff = await fleet.start('cutOff', {
      redis: connect(proxy.url),
      lease: { automatic: true, observer: (event) => events.push(event) },
    });
    const before = cutOff.generator.next();
    const { ceilingMs = 0 } = cutOff.lease.health();
    proxy.set('reset');
    await until(() => {
      cutOff.mint(500);
      return Date.now() > ceilingMs;
    });
    const successor = await fleet.start('successor');
    expect(() => cutOff.generator.next()).toThrow(expect.objectContaining({ code: 'NODE_UNAVAILABLE' }));
    expect(cutOff.lease.health().healthy).toBe(false);
    await mintInTurns(cutOff, successor);
    const waiting = nextWhenReady(cutOff.generator, cutOff.lease, 10_000);
    proxy.set('pass');
    expect(await waiting).toBeGreaterThan(before);
    expect(events.map(({ kind }) => kind)).toEqual(
      expect.arrayContaining(['RENEWAL_FAILED', 'LOST', 'LEASED']),
    );
    await successor.renew();
    await mintInTurns(cutOff, successor);
    await fleet.stop();
    expect(verdict(fleet.log)).toEqual(clean);
    expect(cutOff.refusedCount()).toBeGreaterThan(0);
  });

  test('of the reply alone leaks no node: the claim is repeated and gets the same grant', async () => {
    await using proxy = await startFaultProxy(server.url);
    const redis = connect(proxy.url);
    const first = await leaseNode({ redis, trustEmptyStore: true });
    proxy.set('cutAfterReply', { count: 1, matching: 'claimed-once' });
    let tokenCount = 0;
    const randomToken = () => (tokenCount++ === 0 ? 'claimed-once' : `token-${tokenCount}`);
    const lease = await leaseNode({ redis, randomToken });
    expect(proxy.strikeCount).toBe(1);
    expect(lease.node).toBe(1_022);
    expect(lease.health().freeNodeCount).toBe(1_022);
    await lease.release();
    await first.release();
  });

  test('of the reply to a renewal does not cost the node: the same pair of tokens is sent again', async () => {
    await using proxy = await startFaultProxy(server.url);
    const events: NodeLeaseEvent[] = [];
    const observer = (event: NodeLeaseEvent) => events.push(event);
    const lease = await leaseNode({
      redis: connect(proxy.url),
      trustEmptyStore: true,
      automatic: false,
      observer,
    });
    const { node } = lease;
    const kinds = () => events.map(({ kind }) => kind).filter((kind) => kind !== 'WARNING');
    proxy.set('cutAfterReply', { count: 1, matching: 'sys:tsid' });
    await lease.renew();
    expect(kinds()).toEqual(['LEASED', 'RENEWAL_FAILED']);
    await until(async () => {
      await lease.renew();
      return kinds().at(-1) === 'RENEWED';
    });
    await lease.renew();
    expect(kinds().at(-1)).toBe('RENEWED');
    expect(lease.node).toBe(node);
    await lease.release();
  });

  test('at startup fails within seconds and suggests a remedy', async () => {
    const { port } = server;
    await server.kill();
    const redis = connectRedis({ url: `redis://127.0.0.1:${port}`, purpose: 'decision' });
    connections.push(redis);
    await expect(leaseNode({ redis, trustEmptyStore: true })).rejects.toMatchObject({
      code: 'NODE_LEASE_UNAVAILABLE',
      message: expect.stringContaining('Check its address and that it is running'),
    });
  });
});

test('a restart of Redis that keeps its data costs living holders nothing, and newcomers one quarantine', async () => {
  // On a busy machine, a restart takes seconds, and so does the next renewal; the holder has a window for both.
  const windowMs = 15_000;
  const fleet = windowFleet(new MintLog(), connect(), { layout: TWO_NODES, windowMs });
  const holder = await fleet.start('holder', { lease: { automatic: true } });
  const { node } = holder.lease;
  await server.restart();
  const restartedMs = Date.now();
  const quarantines: number[] = [];
  const newcomer = await startWhenFree(
    fleet,
    'newcomer',
    { lease: { observer: (event) => event.kind === 'QUARANTINED' && quarantines.push(event.leftMs) } },
    90_000,
  );
  expect(quarantines.length).toBeGreaterThan(0);
  expect(Math.max(...quarantines)).toBeLessThanOrEqual(windowMs + SKEW_MS);
  expect(newcomer.lease.health().floorMs).toBeGreaterThanOrEqual(restartedMs + Math.max(...quarantines));
  await mintInTurns(holder, newcomer);
  expect(holder.lease.node).toBe(node);
  expect(holder.refusedCount()).toBe(0);
  expect(explain(newcomer.generator.next(), TWO_NODES).node).not.toBe(node);
  await fleet.stop();
  expect(verdict(fleet.log)).toEqual(clean);
});
