import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createTestRedis, type TestRedis } from '@solegate/testkit';
import { inThread } from './fleet/in-thread.js';
import { type Exploration, FIRST, leadsToEqualIds, reported } from './model/explore.js';
import { CURRENT_RULES } from './model/lease-rules.js';
import { randomOrders } from './model/orders.js';
import { onRedis } from './model/redis-replay.js';
import { replayAll } from './model/replay.js';
import {
  correctedClock,
  jumpedClock,
  restoredIdle,
  returnedReplica,
  revivedWindow,
  witnesses,
} from './model/witnesses.js';
import { ALL_ASSUMED, FAILOVERS } from './model/world.js';

const EXPLORER = new URL('./model/explore-thread.ts', import.meta.url);

let redis: TestRedis;
beforeAll(async () => {
  redis = await createTestRedis();
});
afterAll(() => redis.drop());

test('every order of events with a failover and a failback leaves each timestamp of a node to one holder', async () => {
  const bounds = { depth: 5, faultMax: 2, faults: FAILOVERS, assumed: ALL_ASSUMED };
  const found = await inThread<Exploration>(EXPLORER, { rules: CURRENT_RULES, bounds });
  process.stdout.write(reported('failovers', found));
  expect(found.counterexample).toBeUndefined();
});

test.each(witnesses)('without the assumption %s, one order leads to equal IDs', (assumption, order) => {
  expect(leadsToEqualIds(order, CURRENT_RULES, ALL_ASSUMED)).toBe(false);
  expect(leadsToEqualIds(order, CURRENT_RULES, { ...ALL_ASSUMED, [assumption]: false })).toBe(true);
});

test.each([
  ['a quarantine does not end because the clock of Redis is corrected', correctedClock, { reopens: false }],
  [
    'a window that has ended is not revived by a master whose clock is behind',
    revivedWindow,
    { revives: true },
  ],
  [
    'a window does not outlast a quarantine because Redis was ahead',
    jumpedClock,
    { boundsExtensions: false },
  ],
  [
    'a master that was a replica meanwhile does not count as the one before',
    returnedReplica,
    { noticesPromotions: false },
  ],
  ['keys that were restored are not those of an idle fleet', restoredIdle, { trustsCopies: true }],
])('%s', async (_, order, earlierRule) => {
  expect(leadsToEqualIds(order, { ...CURRENT_RULES, ...earlierRule }, ALL_ASSUMED)).toBe(true);
  expect(leadsToEqualIds(order, CURRENT_RULES, ALL_ASSUMED)).toBe(false);
  const { difference } = await replayAll(onRedis(redis.client), [[FIRST, ...order]], CURRENT_RULES);
  expect(difference).toBeUndefined();
});

test('the scripts do what the model says, in random orders of events', async () => {
  const { difference } = await replayAll(onRedis(redis.client), randomOrders(100, 12, 1), CURRENT_RULES);
  expect(difference).toBeUndefined();
});
