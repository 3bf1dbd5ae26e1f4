import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createTestDatabase, createTestRedis, type TestDatabase, type TestRedis } from '@solegate/testkit';
import { inThread } from './fleet/in-thread.js';
import { type Exploration, reported } from './model/explore.js';
import { CURRENT_RULES, RULES_OF_1DDD5BF } from './model/lease-rules.js';
import { mutations, postgresMutations } from './model/mutations.js';
import { everyOrder, randomOrders } from './model/orders.js';
import { isPossible, onPostgres } from './model/postgres-replay.js';
import { onRedis } from './model/redis-replay.js';
import { replayAll } from './model/replay.js';
import { rareOrders } from './model/witnesses.js';
import { ALL_ASSUMED, FAILOVERS, LOSSY_FAILOVERS, RESTORES } from './model/world.js';

/** The orders of the two replays that find no difference, and of those that each mutation has to fail. */
const REPLAYED = [...rareOrders, ...everyOrder(2), ...randomOrders(800, 16, 2)];
const FATAL = [...rareOrders, ...randomOrders(3_000, 16, 3)];

const EXPLORER = new URL('./model/explore-thread.ts', import.meta.url);

let redis: TestRedis;
let database: TestDatabase;
beforeAll(async () => {
  redis = await createTestRedis();
  database = await createTestDatabase({ migrations: [] });
});
afterAll(async () => {
  await redis.drop();
  await database.drop();
});

/** Deeper by `npm run explore -- <events> <faults>`. */
test.each([
  ['all faults', { depth: 5, faultMax: 2, assumed: ALL_ASSUMED }],
  ['failovers', { depth: 7, faultMax: 2, faults: FAILOVERS, assumed: ALL_ASSUMED }],
  ['lossy failovers', { depth: 6, faultMax: 2, faults: LOSSY_FAILOVERS, assumed: ALL_ASSUMED }],
  ['restored keys', { depth: 6, faultMax: 1, faults: RESTORES, assumed: ALL_ASSUMED }],
] as const)(
  'no order of events with %s lets two holders own a timestamp of a node',
  async (name, bounds) => {
    const found = await inThread<Exploration>(EXPLORER, { rules: CURRENT_RULES, bounds });
    process.stdout.write(reported(name, found));
    expect(found.counterexample).toBeUndefined();
  },
  600_000,
);

test('a failover and a failback around a clean stop led to equal IDs, under the rules of 1ddd5bf', async () => {
  const bounds = { depth: 5, faultMax: 2, faults: FAILOVERS, assumed: ALL_ASSUMED };
  const found = await inThread<Exploration>(EXPLORER, { rules: RULES_OF_1DDD5BF, bounds });
  process.stdout.write(reported('failovers, rules of 1ddd5bf', found));
  expect(found.counterexample?.map(({ kind }) => kind)).toEqual([
    'release',
    'promote',
    'start a process that waits',
    'resume the frozen master',
    'start a process',
  ]);
});

test('the scripts do what the model says, in every order of two events and in random ones', async () => {
  const { difference, stepCount } = await replayAll(onRedis(redis.client), REPLAYED, CURRENT_RULES);
  process.stdout.write(`replayed on Redis: ${REPLAYED.length} orders, ${stepCount} events, no difference\n`);
  expect(difference).toBeUndefined();
}, 600_000);

test('so do the functions of PostgreSQL', async () => {
  const orders = REPLAYED.filter(isPossible);
  const postgres = onPostgres(database);
  const { difference, stepCount } = await replayAll(postgres.storeOf, orders, CURRENT_RULES);
  await postgres.end();
  process.stdout.write(
    `replayed on PostgreSQL: ${orders.length} orders, ${stepCount} events, no difference\n`,
  );
  expect(difference).toBeUndefined();
}, 600_000);

describe('the replay on PostgreSQL notices when', () => {
  const orders = FATAL.filter(isPossible);
  test.each(postgresMutations)(
    '%s',
    async (_name, mutation) => {
      const postgres = onPostgres(database, mutation);
      const { difference, isMutated } = await replayAll(postgres.storeOf, orders, CURRENT_RULES);
      await postgres.end();
      expect(isMutated).toBe(true);
      expect(difference).toBeDefined();
    },
    600_000,
  );
});

describe('the replay notices when', () => {
  test.each(mutations)(
    '%s',
    async (_name, mutation) => {
      const { difference, isMutated } = await replayAll(
        onRedis(redis.client, mutation),
        FATAL,
        CURRENT_RULES,
      );
      expect(isMutated).toBe(true);
      expect(difference).toBeDefined();
    },
    600_000,
  );
});
