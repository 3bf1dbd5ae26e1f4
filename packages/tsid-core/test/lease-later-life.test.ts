import { describe, expect, test } from '@jest/globals';
import {
  at,
  first,
  GRANTS,
  last,
  leased,
  lifeNow,
  lost,
  META,
  notRenewed,
  openQuarantine,
  QUARANTINE_MS,
  redis,
  refusal,
  remember,
  SKEW_MS,
  SLOTS,
  START_MS,
  WINDOW_MS,
} from './fleet/frozen-fleet.js';

/* Decisions of Redis, to the millisecond: its clock and those of the processes move only when a test moves them. */

describe('in a later life of Redis a holder', () => {
  test('reports a window that is newer than what is remembered, whoever had the node before', async () => {
    const lease = await first();
    await remember({ token: 'x', claim: 'y', holder: 'before', ceilingMs: START_MS + WINDOW_MS - 1 });
    await redis.client.set('sys:tsid:node:1023', 'before#y');
    await openQuarantine();
    await lease.renew();
    expect(last()).toMatchObject({ kind: 'RENEWED' });
    expect(await redis.client.get('sys:tsid:node:1023')).toBe('holder#token-1');
    expect(await redis.client.hget(GRANTS, '1023')).toBe(
      `token-2 token-1 ${START_MS} ${await lifeNow()} holder`,
    );
  });

  test.each([0, 1])('does not report one that is as old or older (by %d ms)', async (ms) => {
    const lease = await first();
    await remember({ token: 'x', ceilingMs: START_MS + WINDOW_MS + ms });
    await openQuarantine();
    await lease.renew();
    expect(last()).toMatchObject(lost('the token is not the last one'));
  });

  test('reports one that is as old with its own token', async () => {
    const lease = await first();
    await remember({ ceilingMs: START_MS + WINDOW_MS });
    await openQuarantine();
    await lease.renew();
    expect(last()).toMatchObject({ kind: 'RENEWED' });
  });

  test('reports one of which only the ceiling is remembered, unless that is a later one', async () => {
    const lease = await first();
    await redis.client.hdel(GRANTS, '1023');
    await lease.renew();
    expect(last()).toMatchObject({ kind: 'RENEWED' });
    await redis.client.hdel(GRANTS, '1023');
    await redis.client.zadd(SLOTS, START_MS + WINDOW_MS + 1, '1023');
    await lease.renew();
    expect(last()).toMatchObject(lost('it was granted again later'));
  });

  test('reports one of which nothing is remembered', async () => {
    const lease = await first();
    await redis.client.del(SLOTS, GRANTS);
    await lease.renew();
    expect(last()).toMatchObject({ kind: 'RENEWED' });
    expect(await redis.client.zscore(SLOTS, '1023')).toBe(String(START_MS + WINDOW_MS));
  });

  test('reports in time: before the quarantine is over', async () => {
    const lease = await first();
    await remember({ ceilingMs: START_MS + 1 });
    await redis.client.hset(META, 'safeAfter', START_MS + 10_000);
    await at(10_000);
    await lease.renew();
    expect(last()).toMatchObject(lost('it was not reported in time'));
    const other = await leased({ holder: 'other' });
    await redis.client.hset(GRANTS, '1022', `token-1 token-1 ${START_MS} earlier.1 other`);
    await redis.client.hset(META, 'safeAfter', START_MS + 10_001);
    await other.renew();
    expect(last()).toMatchObject({ kind: 'RENEWED' });
  });

  test('reports only a window that cannot have ended by any other clock yet', async () => {
    const lease = await first();
    await remember({ ceilingMs: START_MS + 1 });
    await openQuarantine();
    await at(WINDOW_MS - SKEW_MS);
    await lease.renew();
    expect(last()).toMatchObject(notRenewed('too little of the window is left to report it: 5000 ms'));
    await at(WINDOW_MS - SKEW_MS - 1);
    await lease.renew();
    expect(last()).toMatchObject({ kind: 'RENEWED' });
  });
});

test('a quarantine, from its start, is as long as the longest that a holder reports', async () => {
  const [one, longer] = [await first(), await leased({ quarantineMs: 70_000 })];
  await redis.client.del(META);
  await one.renew();
  const safeAfter = () => redis.client.hget(META, 'safeAfter');
  expect(await safeAfter()).toBe(String(START_MS + QUARANTINE_MS));
  await at(1_000);
  await one.renew();
  expect(await safeAfter()).toBe(String(START_MS + QUARANTINE_MS));
  await at(2_000);
  await longer.renew();
  expect(await safeAfter()).toBe(String(START_MS + 70_000));
  await one.renew();
  expect(await safeAfter()).toBe(String(START_MS + 70_000));
});

test('a quarantine of unknown length, from its start, is as long as the first reporting holder states', async () => {
  const one = await first({ windowMs: 3_000 });
  await redis.client.flushdb();
  await at(0);
  expect(await refusal({ windowMs: 3_000 })).toMatchObject({ reason: 'EMPTY', leftMs: QUARANTINE_MS });
  await at(1_000);
  await one.renew();
  expect(last()).toMatchObject({ kind: 'RENEWED' });
  expect(await refusal({ windowMs: 3_000 })).toMatchObject({ reason: 'ENTRIES_LOST', leftMs: 2_500 });
  await redis.client.flushdb();
  await at(3_000 + 1_000);
  expect(await refusal({ windowMs: 3_000 })).toMatchObject({ reason: 'EMPTY', leftMs: QUARANTINE_MS });
  await one.renew();
  expect(last()).toMatchObject({ kind: 'LOST', reason: 'ENDED' });
  await one.renew();
  expect(last()).toMatchObject({ kind: 'QUARANTINED', reason: 'ENTRIES_LOST', leftMs: 3_500 });
});
