import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createTestDatabase, createTestRedis, type TestDatabase, type TestRedis } from '@solegate/testkit';
import { pino } from 'pino';
import { budgetFault, readConnectionBudget } from '../src/operations/connection-budget.js';
import { asRuntimeRole } from './gateway-fixture.js';
import { startInProcess } from './in-process-gateway.js';

let database: TestDatabase;
let redis: TestRedis;

beforeAll(async () => {
  [database, redis] = await Promise.all([createTestDatabase({ migrations: [] }), createTestRedis()]);
});

afterAll(async () => {
  await Promise.all([database?.drop(), redis?.drop()]);
});

test('a fleet that fits the connections has no fault; one more process gets a message with advice', () => {
  const budget = { poolMax: 10, extraCount: 0, availableCount: 297 };
  expect(budgetFault({ ...budget, processCount: 29 })).toBeUndefined();
  expect(budgetFault({ ...budget, processCount: 30 })).toMatch(
    /has 297 .* 30 processes .* DATABASE_POOL_MAX 10 can open 300\. Lower DATABASE_POOL_MAX to 9,/,
  );
});

test('the advice leaves room for the connection that leases the node, and is not given if it would not help', () => {
  const budget = { processCount: 10, poolMax: 10, extraCount: 1, availableCount: 97 };
  expect(budgetFault(budget)).toMatch(
    /10 processes .* DATABASE_POOL_MAX 10 and 1 for node IDs can open 110\. Lower DATABASE_POOL_MAX to 8,/,
  );
  expect(budgetFault({ ...budget, poolMax: 8 })).toBeUndefined();
  expect(budgetFault({ ...budget, availableCount: 29 })).toMatch(/can open 110\. Run fewer processes,/);
});

test('reserved connections are subtracted, and a connection limit of the database applies', async () => {
  const wanted = { processCount: 1, poolMax: 10, extraCount: 0 };
  const { rows } = await database.pool.query(
    `SELECT current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int AS all`,
  );
  expect((await readConnectionBudget(database.pool, wanted)).availableCount).toBe(rows[0].all);
  await database.pool.query(
    `ALTER DATABASE ${new URL(database.directUrl).pathname.slice(1)} CONNECTION LIMIT 17`,
  );
  expect((await readConnectionBudget(database.pool, wanted)).availableCount).toBe(17);
});

test('a process that exceeds the budget counts all processes with a node, warns and serves', async () => {
  const warnings: string[] = [];
  const logger = pino(
    { level: 'warn' },
    { write: (line: string) => void warnings.push(JSON.parse(line).msg) },
  );
  const options = {
    databaseUrl: await asRuntimeRole(database.url),
    redisUrl: redis.url,
    environment: { DATABASE_POOL_MAX: '9' },
    logger,
  };
  const first = await startInProcess(options);
  expect(warnings.filter((text) => text.includes('DATABASE_POOL_MAX'))).toEqual([]);
  const second = await startInProcess(options);
  expect(warnings).toContainEqual(
    expect.stringMatching(/has 17 connections.* 2 processes .* can open 18\. .* to 8,/),
  );
  await Promise.all([first.stop(), second.stop()]);
});
