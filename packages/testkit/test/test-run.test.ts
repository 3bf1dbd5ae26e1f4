import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { afterEach, expect, test } from '@jest/globals';
import { createTestDatabase, createTestRedis, TestServerError } from '../src/index.js';

const given = { ...process.env };

afterEach(() => {
  for (const name of ['TEST_DATABASE_URL', 'TEST_REDIS_URL', 'SOLEGATE_TEST_RUN']) {
    if (given[name] === undefined) delete process.env[name];
    else process.env[name] = given[name];
  }
});

test('without servers and without a Jest run the error says what to do', async () => {
  for (const name of ['TEST_DATABASE_URL', 'TEST_REDIS_URL', 'SOLEGATE_TEST_RUN']) delete process.env[name];
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
  delete process.env.TEST_DATABASE_URL;
  process.env.SOLEGATE_TEST_RUN = String((run.address() as AddressInfo).port);
  await expect(createTestDatabase({ migrations: [] })).rejects.toThrow('PostgreSQL did not start');
  run.close();
});
