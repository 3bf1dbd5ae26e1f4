import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { createTestRedis, type TestRedis } from '@solegate/testkit';
import { createTsidGenerator, defineLayout } from '../src/index.js';
import {
  leaseNode,
  type NodeLease,
  type NodeLeaseEvent,
  type NodeLeaseOptions,
} from '../src/node-lease/index.js';
import { weakenedRedis } from './fleet/weakened-redis.js';

/* What a fleet agrees on, what counts as lost data in Redis, and who then waits how long. */

const META = '{sys:tsid}:meta';
const SLOTS = '{sys:tsid}:slots';

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
  const lease = await leaseNode({ redis: redis.client, automatic: false, waitMaxMs: 0, ...options });
  leases.push(lease);
  return lease;
}

const first = (options: Partial<NodeLeaseOptions> = {}) => leased({ trustEmptyStore: true, ...options });

/** The error of a process that was not granted a node. */
async function refusal(options: Partial<NodeLeaseOptions> = {}): Promise<Record<string, unknown>> {
  return leased(options).then(
    ({ node }) => ({ code: 'GRANTED', node }),
    ({ code, reason, leftMs, field, message }) => ({ code, reason, leftMs, field, message }),
  );
}

/** Only the quarantine of an empty Redis can still be ended by `trustEmptyStore` once it is open. */
const quarantined = (reason: string) => ({
  code: 'NODE_LEASE_QUARANTINED',
  reason,
  message:
    reason === 'EMPTY'
      ? expect.stringContaining('or set trustEmptyStore')
      : expect.not.stringContaining('trustEmptyStore'),
});
/** At most this long, minus the duration of the test. */
const about = (ms: number) => ({
  asymmetricMatch: (leftMs: unknown) => Number(leftMs) > ms - 2_000 && Number(leftMs) <= ms,
  toString: () => `about ${ms}`,
});

describe('a rejected starter changes nothing for the fleet', () => {
  test.each([
    ['its clock', { now: () => Date.now() + 3_600_000, windowMs: 60_000 }, 'CLOCK_DIFFERENCE'],
    ['the quarantine of an empty Redis', { windowMs: 60_000 }, 'NODE_LEASE_QUARANTINED'],
  ])('for %s', async (_why, options, code) => {
    expect(await refusal(options)).toMatchObject({ code });
    expect(await redis.client.hmget(META, 'layout', 'epochMs', 'allocatorId', 'quarantineMs')).toEqual(
      Array(4).fill(null),
    );
    expect((await first()).node).toBe(1023);
  });

  test('after a wipe, while holders with other settings live: they continue and the others adopt theirs', async () => {
    const holder = await first();
    await redis.client.flushdb();
    expect(await refusal({ windowMs: 60_000 })).toMatchObject(quarantined('EMPTY'));
    await holder.renew();
    expect(holder.health()).toMatchObject({ state: 'HELD', node: 1023, lastFailure: undefined });
    expect(await refusal({ windowMs: 60_000 })).toMatchObject({
      code: 'LEASE_PIN_MISMATCH',
      field: 'quarantineMs',
    });
    expect(await refusal()).toMatchObject(quarantined('ENTRIES_LOST'));
  });
});

describe('a fleet that agreed on something else', () => {
  test('does not take a window away: it is used up, and the difference is published', async () => {
    const events: NodeLeaseEvent[] = [];
    const lease = await first({ observer: (event) => events.push(event) });
    const generator = createTsidGenerator({ lease, namespace: 'agreement' });
    await redis.client.hset(META, 'layout', '41/10/13');
    await lease.renew();
    expect(generator.next()).toBeGreaterThan(0n);
    expect(events).toContainEqual(
      expect.objectContaining({
        kind: 'RENEWAL_FAILED',
        cause: expect.objectContaining({ code: 'LEASE_PIN_MISMATCH' }),
      }),
    );
    expect(lease.health().lastFailure).toContain('layout is 41/10/13');
    generator.close();
  });

  test('learns of a longer quarantine before longer windows are used', async () => {
    const short = await first();
    expect(await refusal({ windowMs: 60_000 })).toMatchObject({
      code: 'LEASE_PIN_MISMATCH',
      field: 'quarantineMs',
    });
    await leased({ quarantineMs: 70_000 });
    const long = await leased({ windowMs: 60_000 });
    expect(long.health().windowLeftMs).toBeGreaterThan(50_000);
    await short.renew();
    await redis.client.flushdb();
    await short.renew();
    expect(await redis.client.hget(META, 'quarantineMs')).toBe('70000');
    expect(await refusal()).toMatchObject({ leftMs: about(70_000) });
  });

  test('is not shortened by a process with short windows, which repeats what it was granted under', async () => {
    await first();
    const short = await leased({ windowMs: 300 });
    await redis.client.flushdb();
    await short.renew();
    expect(await redis.client.hget(META, 'quarantineMs')).toBe('35000');
  });
});

describe('the quarantine of an empty Redis', () => {
  test('lasts as long as that of the default window, however short those of the starter are', async () => {
    expect(await refusal({ windowMs: 300 })).toMatchObject({
      ...quarantined('EMPTY'),
      leftMs: about(35_000),
    });
  });

  test('lasts longer for a starter with longer windows, and for that one only', async () => {
    expect(await refusal({ windowMs: 60_000 })).toMatchObject({ leftMs: about(70_000) });
    expect(await refusal()).toMatchObject({ leftMs: about(35_000) });
  });

  test('lasts as long as the first reporting holder states', async () => {
    const holder = await first({ windowMs: 3_000 });
    await redis.client.flushdb();
    expect(await refusal({ windowMs: 3_000 })).toMatchObject({ leftMs: about(35_000) });
    await holder.renew();
    expect(await refusal({ windowMs: 3_000 })).toMatchObject({ leftMs: about(3_500) });
  });

  test('is ended by a starter that vouches for it, also when another one opened it', async () => {
    expect(await refusal()).toMatchObject(quarantined('EMPTY'));
    expect((await first()).node).toBe(1023);
    expect((await leased()).node).toBe(1022);
  });

  test('does not open when only the agreed settings are lost', async () => {
    await first();
    await redis.client.del(META);
    expect(await refusal({ trustEmptyStore: true })).toMatchObject(quarantined('ENTRIES_LOST'));
  });

  test('is no longer that of an empty Redis once a holder has reported', async () => {
    const holder = await first();
    await redis.client.flushdb();
    await refusal();
    await holder.renew();
    expect(await refusal({ trustEmptyStore: true })).toMatchObject(quarantined('ENTRIES_LOST'));
  });
});

describe('a Redis that was restarted', () => {
  const restarted = () => redis.client.hset(META, 'run', 'another');

  test('opens a quarantine, unless the process that detects it vouches for it', async () => {
    await (await first()).release();
    await restarted();
    expect(await refusal()).toMatchObject({ ...quarantined('RESTARTED'), leftMs: about(35_000) });
    await restarted();
    expect((await first()).node).toBe(1022);
  });

  test('stays closed to a starter that vouches for it too late', async () => {
    await (await first()).release();
    await restarted();
    await refusal();
    expect(await refusal({ trustEmptyStore: true })).toMatchObject(quarantined('RESTARTED'));
  });
});

describe('a Redis that was rolled back to an earlier state', () => {
  test('is detected by a version lower than a holder has seen: the holder keeps its node, others wait', async () => {
    const holder = await first();
    await holder.renew();
    await redis.client.hset(META, 'version', '1');
    await holder.renew();
    expect(holder.node).toBe(1023);
    expect(await refusal({ trustEmptyStore: true })).toMatchObject(quarantined('ROLLED_BACK'));
    await holder.renew();
    expect(holder.health()).toMatchObject({ node: 1023, lastFailure: undefined });
  });

  test('has a version that only grows, whoever renews and whatever was remembered of it', async () => {
    const version = () => redis.client.hget(META, 'version');
    const [busy, idle] = [await first(), await leased()];
    await busy.renew();
    await busy.renew();
    await idle.renew();
    expect(await version()).toBe('5');
    await redis.client.hset(META, 'version', '1');
    await idle.renew();
    expect(await version()).toBe('6');
    await idle.release();
    expect(await version()).toBe('7');
  });

  test('lets a holder report a window that is newer than what is remembered of it', async () => {
    const holder = await first();
    const earlier = await Promise.all(
      [SLOTS, '{sys:tsid}:grants', META].map((key) => redis.client.dumpBuffer(key)),
    );
    await holder.renew();
    await holder.renew();
    const [slots = '', grants = '', meta = ''] = earlier;
    await redis.client.restore(SLOTS, 0, slots, 'REPLACE');
    await redis.client.restore('{sys:tsid}:grants', 0, grants, 'REPLACE');
    await redis.client.restore(META, 0, meta, 'REPLACE');
    await holder.renew();
    await holder.renew();
    expect(holder.health()).toMatchObject({ node: 1023, state: 'HELD', lastFailure: undefined });
  });
});

describe('a silence longer than a quarantine', () => {
  /** As if the last contact had been the grant of a window this long ago. */
  async function silentFor(ms: number): Promise<void> {
    const heardMs = Date.now() - ms;
    await redis.client.hset(META, 'touched', heardMs);
    await redis.client.zadd(SLOTS, heardMs + 30_000, '1023');
  }

  test('while a node was held opens a quarantine, for which no process can vouch', async () => {
    await first();
    await silentFor(35_100);
    expect(await refusal({ trustEmptyStore: true })).toMatchObject({
      ...quarantined('SILENT'),
      leftMs: about(35_000),
    });
  });

  test('that is found by a renewal opens it too', async () => {
    const holder = await first();
    await silentFor(35_100);
    await holder.renew();
    expect(await redis.client.hget(META, 'reason')).toBe('SILENT');
    expect(await refusal()).toMatchObject(quarantined('SILENT'));
  });

  test('is none while it lasts no longer than a quarantine', async () => {
    await first();
    await silentFor(33_000);
    expect(await refusal()).toMatchObject({ code: 'GRANTED' });
  });

  test('after which every node was released opens a short one, for which a process can vouch', async () => {
    await (await first()).release();
    const silent = () => redis.client.hset(META, 'touched', Date.now() - 35_100);
    await silent();
    expect(await refusal()).toMatchObject({ ...quarantined('IDLE'), leftMs: 2_000 });
    expect(await refusal()).toMatchObject(quarantined('IDLE'));
    await redis.client.hset(META, 'safeAfter', 0);
    await silent();
    expect(await refusal({ trustEmptyStore: true })).toMatchObject({ code: 'GRANTED' });
  });

  test('after which somebody has touched the keys may be that of older ones, and opens a full one', async () => {
    await (await first()).release();
    const lastMs = Date.now() - 36_000;
    await redis.client.hset(META, 'touched', lastMs, 'written', lastMs);
    const facts = await redis.client.dumpBuffer(META);
    await redis.client.restore(META, 0, facts as Buffer, 'REPLACE', 'IDLETIME', 36);
    expect(await refusal()).toMatchObject(quarantined('IDLE'));
    await redis.client.restore(META, 0, facts as Buffer, 'REPLACE');
    const restored = { ...quarantined('ROLLED_BACK'), leftMs: about(35_000) };
    expect(await refusal({ trustEmptyStore: true })).toMatchObject(restored);
  });

  test('whose keys Redis has not watched, since it evicts by frequency, opens a full one', async () => {
    await (await first()).release();
    await redis.client.hset(META, 'touched', Date.now() - 36_000);
    const { redis: lfu, check } = weakenedRedis(redis.client, ["'IDLETIME'", "'NONE'"]);
    expect(await refusal({ redis: lfu })).toMatchObject(quarantined('ROLLED_BACK'));
    check();
  });

  test('is over once a claim was refused: waiting for a quarantine leads to no other', async () => {
    await first();
    await redis.client.hset(META, 'run', 'another');
    expect(await refusal()).toMatchObject(quarantined('RESTARTED'));
    await redis.client.hset(META, 'touched', Date.now() - 35_100);
    expect(await refusal()).toMatchObject(quarantined('RESTARTED'));
    await redis.client.hset(META, 'safeAfter', 0);
    expect(await refusal()).toMatchObject({ code: 'GRANTED' });
  });

  test('of an idle fleet ends in a full quarantine once a holder reports from another master', async () => {
    const holder = await first();
    await holder.renew();
    await (await leased()).release();
    await redis.client.hset(META, 'touched', Date.now() - 35_100, 'version', 1);
    await redis.client.hset('{sys:tsid}:grants', '1023', '- token token 1 life holder');
    expect(await refusal({ holder: 'starter' })).toMatchObject(quarantined('IDLE'));
    await holder.renew();
    expect(await refusal()).toMatchObject({ ...quarantined('ROLLED_BACK'), leftMs: about(35_000) });
  });

  test('is measured again from the next renewal on, after a clock of Redis that was ahead', async () => {
    const holder = await first();
    await redis.client.hset(META, 'touched', Date.now() + 3_600_000);
    await holder.renew();
    expect(Number(await redis.client.hget(META, 'touched'))).toBeLessThanOrEqual(Date.now());
  });

  test('is none for a holder whose clock is wrong: then it may be the clock of Redis that jumped', async () => {
    let shiftMs = 0;
    const holder = await first({ now: () => Date.now() + shiftMs });
    await silentFor(35_100);
    shiftMs = 3_600_000;
    await holder.renew();
    expect(await redis.client.hget(META, 'reason')).toBe('EMPTY');
  });
});

test('nodes whose entries were lost are granted again', async () => {
  const layout = defineLayout({ timeBits: 42, nodeBits: 1, sequenceBits: 21, epoch: 0 });
  const both = [await first({ layout }), await leased({ layout })];
  await Promise.all(both.map((lease) => lease.release()));
  await redis.client.del(SLOTS, '{sys:tsid}:grants');
  expect(await refusal({ layout })).toMatchObject(quarantined('ENTRIES_LOST'));
  await redis.client.hset(META, 'safeAfter', 0);
  expect(await refusal({ layout })).toEqual({ code: 'GRANTED', node: 1 });
  expect(await refusal({ layout })).toEqual({ code: 'GRANTED', node: 0 });
});

test('a quarantine is ended by an operator who sets when it is safe', async () => {
  await first();
  await redis.client.hset(META, 'run', 'another');
  expect(await refusal()).toMatchObject(quarantined('RESTARTED'));
  await redis.client.hset(META, 'safeAfter', 0);
  expect(await refusal()).toMatchObject({ code: 'GRANTED' });
});
