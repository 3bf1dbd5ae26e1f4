import { inspect } from 'node:util';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createTestRedis, startFaultProxy, type TestRedis } from '@solegate/testkit';

import { openRedis, RedisUnavailableError, RedisUrlError } from '../src/index.js';

let redis: TestRedis;

beforeAll(async () => {
  redis = await createTestRedis();
});

afterAll(() => redis.drop());

async function failureOf(url: string, openTimeoutMs = 5000): Promise<unknown> {
  try {
    (await openRedis({ url, purpose: 'decision', openTimeoutMs })).disconnect();
    return undefined;
  } catch (error) {
    return error;
  }
}

test.each(['decision', 'background', 'subscriber'] as const)(
  'opens a %s connection ready to use',
  async (purpose) => {
    const connection = await openRedis({ url: redis.url, purpose, name: 'test-open' });
    expect(connection.status).toBe('ready');
    expect(await connection.ping()).toBe('PONG');
    expect(await connection.client('GETNAME')).toBe('test-open');
    connection.disconnect();
  },
);

test('names host and remedy when nothing listens', async () => {
  const failure = await failureOf('redis://127.0.0.1:1');
  expect(failure).toBeInstanceOf(RedisUnavailableError);
  expect(failure).toMatchObject({
    message:
      'Redis at 127.0.0.1:1 cannot be used: connect ECONNREFUSED 127.0.0.1:1. ' +
      'Start Redis there, or correct the host and port in the URL.',
  });
});

test('names the unknown host', async () => {
  expect(await failureOf('redis://no-such-host.invalid:6379')).toMatchObject({
    message: expect.stringMatching(/no-such-host\.invalid:6379.*Correct the host name/),
  });
});

test('asks to correct a wrong user or password, and repeats neither', async () => {
  const failure = await failureOf(redis.url.replace('redis://', 'redis://nobody:hunter2@'));
  expect(failure).toMatchObject({ message: expect.stringMatching(/WRONGPASS.*the user and password/) });
  expect(inspect(failure, { depth: 9 })).not.toContain('hunter2');
});

test('reports that no sentinel can be reached', async () => {
  expect(await failureOf('redis+sentinel://127.0.0.1:1,127.0.0.1:2/orders/0')).toMatchObject({
    code: 'REDIS_UNAVAILABLE',
    message: expect.stringMatching(/master orders of sentinels 127\.0\.0\.1:1, 127\.0\.0\.1:2/),
  });
});

test('reports that a server is not a cluster', async () => {
  const { host } = new URL(redis.url);
  expect(await failureOf(`redis+cluster://${host}`)).toMatchObject({
    message: expect.stringMatching(/cluster support disabled.*use redis:\/\//),
  });
});

test('reports that nothing replied within the timeout', async () => {
  await using proxy = await startFaultProxy(redis.url);
  proxy.set('blackHole');
  expect(await failureOf(proxy.url, 200)).toMatchObject({
    message: expect.stringMatching(/no answer within 200 ms.*Check that Redis listens/),
  });
});

test('refuses an invalid URL before it connects', async () => {
  await expect(openRedis({ url: 'mysql://h', purpose: 'decision' })).rejects.toBeInstanceOf(RedisUrlError);
});

test('refuses an option that does not exist, before it connects', async () => {
  const options = { url: redis.url, purpose: 'decision', commandTimeoutMS: 9 } as const;
  await expect(openRedis(options)).rejects.toThrow(/no option commandTimeoutMS: use .*commandTimeoutMs/);
});

test.each([0, -5, 60_001, Number.NaN])('refuses a command timeout of %p ms', async (commandTimeoutMs) => {
  await expect(openRedis({ url: redis.url, purpose: 'decision', commandTimeoutMs })).rejects.toThrow(
    RangeError,
  );
});
