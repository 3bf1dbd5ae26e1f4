import { describe, expect, test } from '@jest/globals';
import { until } from '@solegate/testkit';
import { createTsidGenerator, defineLayout } from '../src/index.js';
import {
  at,
  clock,
  events,
  first,
  GRANTS,
  last,
  leased,
  lifeNow,
  lost,
  META,
  notRenewed,
  QUARANTINE_MS,
  redis,
  refusal,
  remember,
  SLOTS,
  START_MS,
  TWO_NODES,
  WINDOW_MS,
} from './fleet/frozen-fleet.js';

/* Decisions of Redis, to the millisecond: its clock and those of the processes move only when a test moves them. */

describe('a claim', () => {
  test('grants a window from now on, and the next one from its ceiling', async () => {
    const one = await first({ layout: TWO_NODES });
    expect(one.health()).toMatchObject({
      node: 1,
      floorMs: START_MS,
      ceilingMs: START_MS + WINDOW_MS,
      freeNodeCount: 1,
    });
    const other = await leased({ layout: TWO_NODES });
    expect(other.health()).toMatchObject({ node: 0, freeNodeCount: 0 });
    expect(await redis.client.hget(META, 'fresh:0-1')).toBe('0');
    await at(WINDOW_MS - 1);
    await other.renew();
    expect(await refusal({ layout: TWO_NODES })).toEqual({
      code: 'NODES_EXHAUSTED',
      liveCount: 2,
      nextEndsInMs: 1,
    });
    await at(WINDOW_MS);
    const successor = await leased({ layout: TWO_NODES });
    expect(successor.health()).toMatchObject({ node: 1, floorMs: START_MS + WINDOW_MS, freeNodeCount: 0 });
  });

  test('of a range is told when the next window of that range ends', async () => {
    const upper = { layout: TWO_NODES, nodes: { first: 1, last: 1 } };
    await first(upper);
    await leased({ layout: TWO_NODES, nodes: { first: 0, last: 0 }, windowMs: 3_000 });
    expect(await refusal(upper)).toEqual({ code: 'NODES_EXHAUSTED', liveCount: 1, nextEndsInMs: WINDOW_MS });
  });

  test('begins above what was minted ahead of the clock of Redis', async () => {
    const one = await first({
      layout: defineLayout({ ...TWO_NODES, nodeBits: 0, sequenceBits: 22, epoch: TWO_NODES.epochMs }),
    });
    const generator = createTsidGenerator({ lease: one, now: () => clock.now() + 700, namespace: 'ahead' });
    generator.next();
    generator.close();
    await one.release();
    expect(await redis.client.zscore(SLOTS, '0')).toBe(String(START_MS + 701));
    expect(await refusal({ layout: one.layout })).toMatchObject({
      code: 'NODES_EXHAUSTED',
      nextEndsInMs: 701,
    });
    await at(701);
    expect((await leased({ layout: one.layout })).health()).toMatchObject({ floorMs: START_MS + 701 });
  });

  test('is granted when a quarantine is over and not a millisecond sooner', async () => {
    await (await first()).release();
    await redis.client.hset(META, 'run', 'another');
    expect(await refusal()).toMatchObject({ reason: 'RESTARTED', leftMs: QUARANTINE_MS });
    await at(QUARANTINE_MS - 1);
    expect(await refusal()).toMatchObject({ reason: 'RESTARTED', leftMs: 1 });
    await at(QUARANTINE_MS);
    expect(await refusal()).toMatchObject({ code: 'GRANTED' });
  });

  test('waits longer in an empty Redis only if its own windows are longer', async () => {
    expect(await refusal({ windowMs: 60_000 })).toMatchObject({ leftMs: 70_000 });
    await at(QUARANTINE_MS - 1);
    expect(await refusal({ windowMs: 600 })).toMatchObject({ leftMs: 1 });
    await at(QUARANTINE_MS);
    expect(await refusal({ windowMs: 60_000 })).toMatchObject({ leftMs: 35_000 });
    expect(await refusal({ windowMs: 600 })).toMatchObject({ code: 'GRANTED' });
  });

  test('takes clocks that differ by the skew and not by a millisecond more', async () => {
    await first({ now: () => clock.now() + 5_000 });
    await expect(leased({ now: () => clock.now() + 5_001 })).rejects.toMatchObject({
      code: 'CLOCK_DIFFERENCE',
      differenceMs: 5_001,
    });
    await expect(leased({ now: () => clock.now() - 5_001 })).rejects.toMatchObject({
      differenceMs: -5_001,
    });
  });

  test('is made again as often as it arrives late, and not when only the clock is behind', async () => {
    let claimCount = 0;
    const send = redis.client.sendCommand.bind(redis.client);
    redis.client.sendCommand = (command, ...rest) => {
      if (command.name.startsWith('eval')) claimCount += 1;
      return send(command, ...rest);
    };
    // As if each of three claims had arrived ten seconds after the clock was read: before it, for it, after its reply.
    let readCount = 0;
    const lateThrice = () => clock.now() - (readCount++ % 3 !== 2 && claimCount < 3 ? 10_000 : 0);
    expect((await first({ now: lateThrice })).health()).toMatchObject({ node: 1023, clockDifferenceMs: 0 });
    expect(claimCount).toBe(4);
    await expect(leased({ now: () => clock.now() - 10_000 })).rejects.toMatchObject({
      code: 'CLOCK_DIFFERENCE',
      differenceMs: -10_000,
    });
    expect(claimCount).toBe(5);
  });

  test('by a clock that stalls below the floor is released', async () => {
    await expect(
      first({ now: () => clock.now() - 40, windowMs: 300, renewEveryMs: 100, skewMaxMs: 50 }),
    ).rejects.toMatchObject({ code: 'CLOCK_DIFFERENCE', differenceMs: -40 });
    expect(await redis.client.hget(GRANTS, '1023')).toMatch(/^- /);
  });

  test('by a clock that is behind waits until it reaches the floor', async () => {
    const beganMs = performance.now();
    const behind = () => clock.now() - 40 + Math.floor(performance.now() - beganMs);
    const lease = await first({ now: behind, windowMs: 300, renewEveryMs: 100, skewMaxMs: 50 });
    expect(behind()).toBeGreaterThanOrEqual(lease.health().floorMs ?? Number.NaN);
    expect(lease.node).toBe(1023);
  });

  test('checks a quarantine every second, since another process may end it sooner', async () => {
    let node: number | undefined;
    const waiting = leased({ waitMaxMs: 40_000 }).then((lease) => {
      node = lease.node;
    });
    await until(() => last()?.kind === 'QUARANTINED');
    await redis.client.hset(META, 'safeAfter', 0);
    await until(() => node === 1_023);
    await waiting;
  });

  test('reports how often an unreachable Redis was called', async () => {
    const away = redis.client.duplicate({ lazyConnect: true });
    away.disconnect();
    const claim = leased({ redis: away });
    await expect(claim).rejects.toMatchObject({ code: 'NODE_LEASE_UNAVAILABLE' });
    const { attemptCount } = (await claim.catch((error: unknown) => error)) as { attemptCount: number };
    expect(attemptCount).toBeGreaterThan(1);
  });

  test('waits for a quarantine that is as long as it may wait, and not a millisecond longer', async () => {
    const short = { windowMs: 600, skewMaxMs: 100 };
    await (await first(short)).release();
    await redis.client.hset(META, 'run', 'another');
    expect(await refusal({ ...short, waitMaxMs: 699 })).toMatchObject({ reason: 'RESTARTED', leftMs: 700 });
    const waiting = leased({ ...short, waitMaxMs: 700 });
    await until(() => last()?.kind === 'QUARANTINED');
    await at(700);
    expect((await waiting).node).toBe(1022);
  });

  test('may bring windows as long as the fleet waits, and not a millisecond longer', async () => {
    await first();
    expect(await refusal({ windowMs: 30_001, skewMaxMs: 5_000 })).toMatchObject({
      code: 'LEASE_PIN_MISMATCH',
    });
    expect(await refusal({ windowMs: 30_001, skewMaxMs: 4_999 })).toMatchObject({ code: 'GRANTED' });
  });

  test('finds a silence of more than a quarantine, whoever held the node, unless it was released', async () => {
    await first();
    const released = await leased();
    await at(10_000);
    await released.release();
    await at(QUARANTINE_MS);
    expect(await refusal()).toMatchObject({ code: 'GRANTED' });
    await redis.client.hset(META, 'touched', START_MS);
    await redis.client.zrem(SLOTS, '1021');
    await redis.client.hdel(GRANTS, '1021');
    await redis.client.hset(META, 'slotCount', 2, 'grantCount', 2);
    await at(QUARANTINE_MS + 1);
    expect(await refusal()).toMatchObject({ reason: 'SILENT', leftMs: QUARANTINE_MS });
  });

  test('that is sent again after its answer was lost gets the same grant, while that lasts', async () => {
    const lease = await first();
    const sent: unknown[][] = [];
    const original = redis.client.sendCommand.bind(redis.client);
    redis.client.sendCommand = (command, ...rest) => {
      if (command.name === 'eval') sent.push(command.args);
      return original(command, ...rest);
    };
    const another = await leased({ randomToken: () => 'again' });
    redis.client.sendCommand = original;
    const claim = sent[0]?.map(String) ?? [];
    const repeated = claim.with(7, '1');
    const answer = async (sent: readonly string[]): Promise<unknown> =>
      JSON.parse(String(await redis.client.call('eval', ...sent)));
    const same = { node: 1022, floorMs: START_MS, ceilingMs: START_MS + WINDOW_MS };
    expect(await answer(repeated)).toMatchObject({ kind: 'granted', ...same });
    expect([lease.node, another.node]).toEqual([1023, 1022]);
    await at(WINDOW_MS);
    const later = repeated.with(-1, String(START_MS + WINDOW_MS));
    expect(await answer(later)).toMatchObject({ kind: 'granted', node: 1021 });
  });
});

describe('a renewal', () => {
  test('that finds the window over leads to another node, however long a caller waits for it', async () => {
    const lease = await first();
    await at(WINDOW_MS);
    const waiting = expect(lease.ready(Number.POSITIVE_INFINITY)).resolves.toBeUndefined();
    await lease.renew();
    await lease.renew();
    await waiting;
  });

  test('counts the live leases of a range once a second at most', async () => {
    const nodes = { first: 2, last: 3 };
    const one = await first({ nodes });
    const other = await leased({ nodes });
    await other.release();
    for (const [ms, freeNodeCount] of [
      [0, 0],
      [999, 0],
      [1_000, 1],
    ] as const) {
      await at(ms);
      await one.renew();
      expect(one.health()).toMatchObject({ nodeCount: 2, freeNodeCount });
    }
  });

  test('extends the window from now on, and never shortens it', async () => {
    const lease = await first();
    await at(10_000);
    await lease.renew();
    expect(lease.health()).toMatchObject({ floorMs: START_MS, ceilingMs: START_MS + 40_000 });
    await at(9_000);
    await lease.renew();
    expect(lease.health().ceilingMs).toBe(START_MS + 40_000);
  });

  test('is accepted with the next token too: the answer to the last one may have been lost', async () => {
    const lease = await first();
    await remember({ token: 'token-2', life: (await lifeNow()) ?? '' });
    await at(1);
    await lease.renew();
    expect(last()).toMatchObject({ kind: 'RENEWED', ceilingMs: START_MS + 1 + WINDOW_MS });
    expect(await redis.client.hget(GRANTS, '1023')).toMatch(/^token-2 token-1 /);
  });

  test('reports how long it took, and how far the last ID is ahead of the clock', async () => {
    const lease = await first();
    const generator = createTsidGenerator({ lease, now: () => clock.now() + 700, namespace: 'run ahead' });
    expect(lease.health().runAheadMs).toBe(0);
    generator.next();
    expect(lease.health().runAheadMs).toBe(700);
    await at(1_000);
    expect(lease.health().runAheadMs).toBe(0);
    const askedMs = performance.now();
    await lease.renew();
    expect(lease.health().renewLatencyMs).toBeGreaterThan(0);
    expect(lease.health().renewLatencyMs).toBeLessThanOrEqual(performance.now() - askedMs);
    generator.close();
  });

  test('restores what the fleet agrees on if Redis lost it', async () => {
    const lease = await first({ quarantineMs: 40_000, allocatorId: 'database-a' });
    await redis.client.del(META);
    await lease.renew();
    expect(await redis.client.hmget(META, 'layout', 'epochMs', 'allocatorId', 'quarantineMs')).toEqual([
      '42/10/12',
      String(lease.layout.epochMs),
      'database-a',
      '40000',
    ]);
  });

  test('that finds no node looks at the quarantine again within a second, by itself', async () => {
    const lease = await first({ automatic: true });
    await at(WINDOW_MS);
    await lease.renew();
    await redis.client.hset(META, 'run', 'another');
    await lease.renew();
    const looks = () => events.filter(({ kind }) => kind === 'QUARANTINED').length;
    await until(() => looks() >= 2);
  });

  test('is not sent once the window has ended by its own clock: a store that is behind would revive it', async () => {
    let aheadMs = 0;
    const lease = await first({ now: () => clock.now() + aheadMs });
    await at(WINDOW_MS - 1);
    aheadMs = 1;
    await lease.renew();
    expect(last()).toMatchObject({ kind: 'LOST', reason: 'ENDED' });
    expect(await redis.client.zscore(SLOTS, '1023')).toBe(String(START_MS + WINDOW_MS));
  });

  test('extends the window no further than its own clock does while that of Redis is wrong', async () => {
    let behindMs = 0;
    const lease = await first({ now: () => clock.now() - behindMs });
    const ceilingAt = async (redisMs: number, ownMs: number) => {
      await at(redisMs);
      behindMs = redisMs - ownMs;
      await lease.renew();
      return (lease.health().ceilingMs ?? 0) - START_MS - WINDOW_MS;
    };
    expect(await ceilingAt(21_000, 1_000)).toBe(1_000);
    expect(await ceilingAt(7_000, 2_000)).toBe(7_000);
    expect(await ceilingAt(10_000, 20_000)).toBe(10_000);
  });

  test('with any other token ends the lease', async () => {
    const lease = await first();
    await remember({ token: 'other', life: (await lifeNow()) ?? '' });
    await lease.renew();
    expect(last()).toMatchObject(lost('the token is not the last one'));
  });

  test('at the ceiling that Redis remembers is refused, and right below it is not', async () => {
    const lease = await first();
    await at(10_000);
    await redis.client.zadd(SLOTS, START_MS + 10_001, '1023');
    await lease.renew();
    expect(last()).toMatchObject({ kind: 'RENEWED' });
    await redis.client.zadd(SLOTS, START_MS + 9_993, '1023');
    await lease.renew();
    expect(last()).toMatchObject(notRenewed('the window ended 7 ms ago'));
    await redis.client.zadd(SLOTS, START_MS + 10_000, '1023');
    await lease.renew();
    expect(last()).toMatchObject(notRenewed('the window ended 0 ms ago'));
    expect(lease.node).toBe(1023);
  });

  test('after the window has ended by its own clock too claims another node', async () => {
    const lease = await first();
    await at(WINDOW_MS);
    await lease.renew();
    expect(last()).toMatchObject({ kind: 'LOST', reason: 'ENDED' });
    await lease.renew();
    expect(lease.health()).toMatchObject({ node: 1022, floorMs: START_MS + WINDOW_MS });
  });
});

describe('a release', () => {
  test('is accepted with the next token too, and with no other', async () => {
    const lease = await first();
    await remember({ token: 'token-2', life: (await lifeNow()) ?? '' });
    await lease.release();
    expect(await redis.client.zscore(SLOTS, '1023')).toBe(String(START_MS));
    expect(await redis.client.hget(GRANTS, '1023')).toMatch(/^- token-1 /);
    expect(await redis.client.exists('sys:tsid:node:1023')).toBe(0);
  });

  test('never moves the ceiling up, nor below the floor', async () => {
    const lease = await first();
    const generator = createTsidGenerator({ lease, now: () => clock.now() + 900, namespace: 'release' });
    generator.next();
    await redis.client.zadd(SLOTS, START_MS + 500, '1023');
    generator.close();
    await lease.release();
    expect(await redis.client.zscore(SLOTS, '1023')).toBe(String(START_MS + 500));
  });
});

test('generators that follow one another on a lease mint apart, whatever their namespaces', async () => {
  const lease = await first();
  const options = { lease, now: clock.now, randomStart: false, overflow: { borrowMaxMs: 1_000 } };
  const one = createTsidGenerator({ ...options, namespace: 'one' });
  const ids = one.fill(new BigUint64Array(10_000));
  one.close();
  const other = createTsidGenerator({ ...options, namespace: 'other' });
  const id = other.next();
  expect(id).toBeGreaterThan(ids.at(-1) as bigint);
  other.close();
  await lease.release();
  expect(await redis.client.zscore(SLOTS, '1023')).toBe(String(other.explain(id).timeMs + 1));
});
