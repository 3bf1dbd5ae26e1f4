import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createTestRedis, type TestRedis, until } from '@solegate/testkit';
import { Redis } from 'ioredis';

import { connectRedis } from '../src/index.js';

let redis: TestRedis;
let connection: Redis;

beforeAll(async () => {
  redis = await createTestRedis();
  const opened = connectRedis({ url: redis.url, purpose: 'decision', commandTimeoutMs: 5000 });
  if (!(opened instanceof Redis)) throw new Error('one server was asked for');
  connection = opened;
  await until(() => connection.status === 'ready');
});

afterAll(async () => {
  connection.disconnect();
  await redis.drop();
});

test('a command to an idle server is sent immediately, those after it in one write', async () => {
  const first = connection.incr('calls');
  expect(connection.stream.writableLength).toBe(0);
  const others = [connection.incr('calls'), connection.incr('calls')];
  expect(connection.stream.writableLength).toBeGreaterThan(0);
  expect(await Promise.all([first, ...others])).toEqual([1, 2, 3]);
  expect(connection.stream.writableLength).toBe(0);
});

test('commands waiting to be written when the connection breaks end like any other', async () => {
  const replies = ['a', 'b', 'c'].map((key) => connection.get(key));
  connection.stream.destroy();
  const ends = await Promise.allSettled(replies);
  expect(ends.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected']);
  await until(() => connection.status === 'ready');
  expect(await Promise.all([connection.get('a'), connection.get('b')])).toEqual([null, null]);
});
