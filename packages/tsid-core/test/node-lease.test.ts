import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { createTestRedis, manualClock, race, type TestRedis, until, valuesOf } from '@solegate/testkit';
import { createTsidGenerator, defineLayout, TSID_41_10_13, TSID_42_10_12 } from '../src/index.js';
import {
  leaseNode,
  listNodeLeases,
  type NodeLease,
  type NodeLeaseEvent,
  type NodeLeaseOptions,
  nextWhenReady,
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

/** As after a restart of Redis with its data: another run ID. */
async function restarted(): Promise<void> {
  await redis.client.hset('{sys:tsid}:meta', 'run', 'another');
}

/** Counts the commands that this connection sends during the work. */
async function commandCount(work: () => Promise<unknown>): Promise<number> {
  const sent: unknown[] = [];
  const original = redis.client.sendCommand.bind(redis.client);
  redis.client.sendCommand = (command, ...rest) => {
    sent.push(command.name);
    return original(command, ...rest);
  };
  await work();
  redis.client.sendCommand = original;
  return sent.filter((name) => name === 'evalsha' || name === 'eval' || name === 'set').length;
}

describe('claiming', () => {
  test('1,000 concurrent starters get 1,000 nodes', async () => {
    const claimed = valuesOf(await race(1_000, () => leased()));
    expect(new Set(claimed.map(({ node }) => node)).size).toBe(1_000);
    expect(await listNodeLeases(redis.client)).toMatchObject({ freeNodeCount: 24 });
  });

  test.each([0, 512, 1_000, 1_023])('with %d of 1,024 taken is one round trip', async (takenCount) => {
    await Promise.all(Array.from({ length: takenCount }, () => leased()));
    if (takenCount === 0) await (await leased()).release();
    let last: NodeLease | undefined;
    const count = await commandCount(async () => {
      last = await leased();
    });
    expect(count).toBe(1);
    expect(last?.health().freeNodeCount).toBe(1_023 - takenCount);
  });

  test('takes nodes never used first, from the last down, then the one whose window ended longest ago', async () => {
    const held = [1, 2, 3, 4].map(() => leased({ layout: FOUR_NODES }));
    const [first, second, third, fourth] = await Promise.all(held);
    expect([first, second, third, fourth].map((lease) => lease?.node)).toEqual([3, 2, 1, 0]);
    await third?.release();
    const generator = createTsidGenerator({ lease: first as NodeLease, namespace: 'longest ago' });
    await until(() => generator.explain(generator.next()).timeMs > Date.now() - 1);
    generator.close();
    await first?.release();
    await until(async () => (await listNodeLeases(redis.client)).freeNodeCount === 2);
    expect((await leased({ layout: FOUR_NODES })).node).toBe(1);
    expect((await leased({ layout: FOUR_NODES })).node).toBe(3);
  });

  test('fails when all are taken, and names how many live and when the next ends', async () => {
    await Promise.all([1, 2, 3, 4].map(() => leased({ layout: FOUR_NODES, windowMs: 20_000 })));
    const claim = leased({ layout: FOUR_NODES, windowMs: 20_000 });
    await expect(claim).rejects.toMatchObject({ code: 'NODES_EXHAUSTED', liveCount: 4 });
    await expect(claim).rejects.toThrow(
      /^All nodes are taken: 4 leases are live, the next window ends in (?:1\d{4}|20000) ms/,
    );
  });

  test('stays in its range of nodes, new or used, and is refused when those are taken', async () => {
    const upper = { layout: FOUR_NODES, nodes: { first: 2, last: 3 }, windowMs: 20_000 };
    const lower = { ...upper, nodes: { first: 0, last: 1 } };
    const [three, two] = [await leased(upper), await leased(upper)];
    expect([three.node, two.node]).toEqual([3, 2]);
    expect([three, two].map((lease) => lease.health().freeNodeCount)).toEqual([1, 0]);
    await three.renew();
    expect(three.health()).toMatchObject({ nodeCount: 2, freeNodeCount: 0 });
    await expect(leased(upper)).rejects.toMatchObject({ code: 'NODES_EXHAUSTED', liveCount: 2 });
    const one = await leased(lower);
    expect(one.health().freeNodeCount).toBe(1);
    await three.release();
    await one.release();
    // Free nodes: 0 was never used, 1 and 3 were. None is granted outside its range.
    expect((await leased(upper)).node).toBe(3);
    expect((await leased(lower)).node).toBe(0);
    await until(async () => (await listNodeLeases(redis.client)).freeNodeCount === 1);
    expect((await leased(lower)).node).toBe(1);
    await two.release();
    await until(async () => (await listNodeLeases(redis.client)).freeNodeCount === 1);
    await expect(leased(lower)).rejects.toMatchObject({ code: 'NODES_EXHAUSTED' });
  });

  test('waits out a quarantine, and refuses when that is longer than it may wait', async () => {
    const waits: number[] = [];
    const observer = (event: NodeLeaseEvent) => event.kind === 'QUARANTINED' && waits.push(event.leftMs);
    const window = { windowMs: 600, skewMaxMs: 100, trustEmptyStore: false };
    await (await leased({ ...window, trustEmptyStore: true })).release();
    await restarted();
    await expect(leased({ ...window, waitMaxMs: 10 })).rejects.toMatchObject({
      code: 'NODE_LEASE_QUARANTINED',
      reason: 'RESTARTED',
    });
    const lease = await leased({ ...window, observer });
    expect(lease.node).toBe(1022);
    expect(waits[0]).toBeLessThanOrEqual(700);
  });
});

describe('what a fleet shares', () => {
  const other = defineLayout({ timeBits: 42, nodeBits: 10, sequenceBits: 12, epoch: 1 });
  test.each([
    ['layout', { layout: TSID_41_10_13 }, '42/10/12', '41/10/13'],
    ['epochMs', { layout: other }, String(TSID_42_10_12.epochMs), '1'],
    ['quarantineMs', { windowMs: 30_001, skewMaxMs: 5_000 }, '35000', '35001'],
    ['allocatorId', { allocatorId: 'database-b' }, 'database-a', 'database-b'],
  ] as const)('is pinned: another %s is refused at the start', async (field, options, pinned, requested) => {
    await leased({ allocatorId: 'database-a' });
    await expect(leased(options)).rejects.toMatchObject({
      code: 'LEASE_PIN_MISMATCH',
      field,
      pinned,
      requested,
    });
  });

  test('has an allocator of its own from the first grant on', async () => {
    const first = await leased();
    const second = await leased();
    expect(second.allocatorId).toBe(first.allocatorId);
    expect((await listNodeLeases(redis.client)).allocatorId).toBe(first.allocatorId);
  });

  test('is listed: who holds a node since when, and who held it last', async () => {
    const kept = await leased({ holder: 'kept' });
    const given = await leased({ holder: 'given back' });
    const { node } = given;
    await given.release();
    await until(async () => (await listNodeLeases(redis.client)).ended.length === 1);
    const { leases: live, ended, nowMs } = await listNodeLeases(redis.client);
    expect(live).toEqual([expect.objectContaining({ node: kept.node, holder: 'kept' })]);
    expect(live[0]?.floorMs).toBeLessThanOrEqual(nowMs);
    expect(ended).toEqual([expect.objectContaining({ node, holder: 'given back' })]);
    const [last] = ended;
    expect(last?.floorMs).toBeGreaterThanOrEqual(live[0]?.floorMs ?? 0);
    expect(last?.ceilingMs).toBeLessThanOrEqual(nowMs);
  });

  test('is one namespace: another one has its own nodes and pins', async () => {
    await leased();
    const apart = await leased({ namespace: 'other', layout: TSID_41_10_13 });
    expect(apart.node).toBe(1023);
    expect(await listNodeLeases(redis.client, { namespace: 'other' })).toMatchObject({
      leases: [{ node: 1023 }],
    });
  });
});

describe('renewing', () => {
  /** The next renewal of a copy of this process (a restored or cloned machine), and how to send it. */
  async function renewalOfCopy(
    connection = redis.client,
  ): Promise<{ lease: NodeLease; send(): Promise<unknown> }> {
    const lease = await leased({ redis: connection, holder: 'cloned' });
    let sent: unknown[] = [];
    const original = redis.client.sendCommand.bind(redis.client);
    redis.client.sendCommand = (command, ...rest) => {
      if (command.name === 'eval' || command.name === 'evalsha') sent = [command.name, ...command.args];
      return original(command, ...rest);
    };
    await lease.renew();
    redis.client.sendCommand = original;
    const [name, script, keyCount, slots, grants, meta, node, token, , ...others] = sent.map(String);
    const copied = [
      script,
      keyCount,
      slots,
      grants,
      meta,
      node,
      token,
      'token-of-the-copy',
      ...others,
    ] as string[];
    return { lease, send: async () => String(await redis.client.call(name as string, ...copied)) };
  }

  test('rotates the token: of two copies of one process, one is lost at its next renewal', async () => {
    const { lease, send } = await renewalOfCopy();
    expect(await send()).toContain('the token is not the last one');
    await lease.renew();
    expect(lease.node).toBe(1023);
  });

  test('without rotation both copies would renew forever', async () => {
    const guard = 'table.concat({ nextToken, claim, floor, life, holder }';
    const weakened = weakenedRedis(redis.client, [
      guard,
      'table.concat({ token, claim, floor, life, holder }',
    ]);
    const { send } = await renewalOfCopy(weakened.redis as typeof redis.client);
    weakened.check();
    expect(await send()).toContain('"renewed"');
  });

  test('moves the ceiling and nothing else', async () => {
    const lease = await leased();
    const before = lease.health();
    await lease.renew();
    const after = lease.health();
    expect(after).toMatchObject({ state: 'HELD', healthy: true, node: before.node, floorMs: before.floorMs });
    expect(after.ceilingMs).toBeGreaterThanOrEqual(before.ceilingMs ?? Number.NaN);
    expect(after.renewLatencyMs).toBeGreaterThan(0);
  });

  test('happens by itself every third of a window', async () => {
    const events: NodeLeaseEvent[] = [];
    const lease = await leased({ windowMs: 900, automatic: true, observer: (event) => events.push(event) });
    await until(() => events.filter(({ kind }) => kind === 'RENEWED').length >= 4);
    expect(lease.node).toBe(1023);
  });

  test('after the loss of a node takes another one, above everything minted, with a smaller node or not', async () => {
    const blocker = await leased();
    const lease = await leased();
    const generator = createTsidGenerator({ lease, namespace: 'move' });
    const before = generator.next();
    await redis.client.hset('{sys:tsid}:grants', '1022', 'stolen stolen 0 x y');
    await blocker.release();
    await lease.renew();
    expect(() => generator.next()).toThrow(
      expect.objectContaining({ code: 'NODE_UNAVAILABLE', reason: 'LOST' }),
    );
    const waiting = nextWhenReady(generator, lease);
    await until(async () => {
      await lease.renew();
      return lease.node !== undefined;
    });
    const after = await waiting;
    expect(after).toBeGreaterThan(before);
    expect(lease.node).not.toBe(1022);
    generator.close();
  });
});

describe('releasing', () => {
  test('stops the generator immediately and permanently, and is idempotent', async () => {
    const lease = await leased();
    const generator = createTsidGenerator({ lease, namespace: 'release' });
    generator.next();
    const released = Promise.all([lease.release(), lease.release()]);
    expect(() => generator.next()).toThrow(expect.objectContaining({ reason: 'RELEASED' }));
    await released;
    await expect(nextWhenReady(generator, lease, 100)).rejects.toMatchObject({ reason: 'RELEASED' });
    await lease.renew();
    expect(lease.health()).toMatchObject({ state: 'RELEASED', healthy: false, windowLeftMs: 0 });
    generator.close();
  });

  test('frees the node right above the last ID, also when the generator was closed before', async () => {
    const lease = await leased({ layout: FOUR_NODES });
    const generator = createTsidGenerator({ lease, namespace: 'above' });
    const { timeMs } = generator.explain(generator.next());
    generator.close();
    await lease.release();
    expect(await redis.client.zscore('{sys:tsid}:slots', '3')).toBe(String(timeMs + 1));
  });

  test('without having minted gives the whole window back', async () => {
    const lease = await leased();
    const { floorMs } = lease.health();
    await lease.release();
    expect(await redis.client.zscore('{sys:tsid}:slots', '1023')).toBe(String(floorMs));
  });

  test.each([['{sys:tsid}:slots'], ['{sys:tsid}:slots', '{sys:tsid}:grants', '{sys:tsid}:meta']])(
    'of a node that Redis has forgotten ends quietly (without %s)',
    async (...keys) => {
      const events: NodeLeaseEvent[] = [];
      const lease = await leased({ observer: (event) => events.push(event) });
      await redis.client.del(...keys);
      await lease.release();
      expect(events.at(-1)).toMatchObject({ kind: 'RELEASED', node: 1023 });
    },
  );

  test('that comes late affects no other holder', async () => {
    const lease = await leased({ layout: FOUR_NODES });
    await redis.client.hset('{sys:tsid}:grants', '3', 'next next 0 x somebody');
    const before = await redis.client.zscore('{sys:tsid}:slots', '3');
    await lease.release();
    expect(await redis.client.zscore('{sys:tsid}:slots', '3')).toBe(before);
  });
});

describe('clocks', () => {
  test.each([-6_000, 6_000, -3_600_000, 3_600_000])('%d ms away from Redis are refused', async (ms) => {
    const claim = leased({ now: () => Date.now() + ms });
    await expect(claim).rejects.toMatchObject({ code: 'CLOCK_DIFFERENCE', limitMs: 5_000 });
    // No node was granted: if the clock of Redis is wrong, it would be blocked until the clock is corrected.
    expect(await redis.client.zcard('{sys:tsid}:slots')).toBe(0);
  });

  test('that stall below the floor are refused instead of waited for', async () => {
    const clock = manualClock(Date.now() - 200);
    await expect(leased({ now: clock.now, windowMs: 3_000 })).rejects.toMatchObject({
      code: 'CLOCK_DIFFERENCE',
    });
  });

  test('slightly behind reach the floor before the lease is handed over', async () => {
    const clock = () => Date.now() - 120;
    const lease = await leased({ now: clock });
    expect(clock()).toBeGreaterThanOrEqual(lease.health().floorMs ?? Number.NaN);
    expect(lease.health().clockDifferenceMs).toBeLessThan(0);
  });
});

describe('the list for operators', () => {
  test('names holders, seconds left and free nodes', async () => {
    await leased({ holder: 'b', layout: FOUR_NODES });
    await leased({ holder: 'a (spare)', layout: FOUR_NODES });
    const list = await listNodeLeases(redis.client);
    expect(list).toMatchObject({ nodeCount: 4, freeNodeCount: 2, quarantineLeftMs: 0 });
    expect(list.leases.map(({ node, holder }) => [node, holder])).toEqual([
      [2, 'a (spare)'],
      [3, 'b'],
    ]);
    for (const { secondsLeft, ceilingMs } of list.leases) {
      expect(secondsLeft).toBeCloseTo((ceilingMs - list.nowMs) / 1_000, 5);
      expect(secondsLeft).toBeGreaterThan(20);
    }
  });

  test('of a fleet that Redis does not know is empty', async () => {
    expect(await listNodeLeases(redis.client, { namespace: 'nobody', nodeBits: 4 })).toMatchObject({
      leases: [],
      nodeCount: 16,
      freeNodeCount: 16,
      allocatorId: undefined,
    });
  });
});

describe('one lease', () => {
  test('feeds one generator', async () => {
    const lease = await leased();
    const generator = createTsidGenerator({ lease, namespace: 'one' });
    const another = () => createTsidGenerator({ lease, namespace: 'two' });
    expect(another).toThrow(expect.objectContaining({ code: 'NODE_IN_USE' }));
    generator.close();
  });

  test('bounds what its generator may borrow, and must have its layout', async () => {
    const lease = await leased();
    const borrowing = () => createTsidGenerator({ lease, overflow: { borrowMaxMs: 5_001 } });
    expect(borrowing).toThrow('but the lease allows 5000 ms');
    expect(() => createTsidGenerator({ lease, layout: TSID_41_10_13 })).toThrow(
      'was leased for the layout 42/10/12',
    );
  });

  test('calls its listeners until they leave', async () => {
    const lease = await leased();
    const heard: string[] = [];
    const leave = lease.subscribe(({ kind }) => heard.push(kind));
    await lease.renew();
    leave();
    await lease.renew();
    expect(heard).toEqual(['RENEWED']);
  });

  test('ends with await using', async () => {
    {
      await using lease = await leaseNode({ redis: redis.client, trustEmptyStore: true });
      expect(lease.health().state).toBe('HELD');
    }
    expect((await listNodeLeases(redis.client)).leases).toEqual([]);
  });
});
