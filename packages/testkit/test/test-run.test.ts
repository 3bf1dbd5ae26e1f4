import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { afterEach, expect, test } from '@jest/globals';
import { createTestDatabase, createTestRedis, TestServerError } from '../src/index.js';

const given = { ...process.env };
const NAMED = [
  'TEST_DATABASE_URL',
  'TEST_REDIS_URL',
  'SOLEGATE_RUN_DATABASE_URL',
  'SOLEGATE_RUN_REDIS_URL',
  'SOLEGATE_TEST_RUN',
];

afterEach(() => {
  for (const name of NAMED) {
    if (given[name] === undefined) delete process.env[name];
    else process.env[name] = given[name];
  }
});

test('without servers and without a Jest run, the error contains advice', async () => {
  for (const name of NAMED) delete process.env[name];
  await expect(createTestDatabase({ migrations: [] })).rejects.toThrow(TestServerError);
  await expect(createTestRedis()).rejects.toMatchObject({
    code: 'TEST_SERVER',
    service: 'redis',
    message: 'Set TEST_REDIS_URL, or use jestPreset() of @solegate/testkit, which starts servers',
  });
});

test('a server that the Jest run could not start is reported with its reason', async () => {
  const run = createServer((worker) => worker.end('{"error":"PostgreSQL did not start"}')).listen(
    0,
    '127.0.0.1',
  );
  await once(run, 'listening');
  for (const name of NAMED) delete process.env[name];
  process.env.SOLEGATE_TEST_RUN = String((run.address() as AddressInfo).port);
  await expect(createTestDatabase({ migrations: [] })).rejects.toThrow('PostgreSQL did not start');
  run.close();
});
