import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createTestDatabase, type TestDatabase } from '@solegate/testkit';
import { CURRENT_RULES } from './model/lease-rules.js';
import { randomOrders } from './model/orders.js';
import { isPossible, onPostgres } from './model/postgres-replay.js';
import { replayAll } from './model/replay.js';
import { rareOrders } from './model/witnesses.js';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase({ migrations: [] });
});
afterAll(() => database.drop());

test('the functions do what the model says, in random orders of events', async () => {
  const postgres = onPostgres(database);
  const orders = [...rareOrders, ...randomOrders(100, 12, 1)].filter(isPossible);
  const { difference } = await replayAll(postgres.storeOf, orders, CURRENT_RULES);
  await postgres.end();
  expect(difference).toBeUndefined();
});
