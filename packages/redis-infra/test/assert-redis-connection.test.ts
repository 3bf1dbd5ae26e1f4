import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createTestRedis, type TestRedis } from '@solegate/testkit';
import { Redis } from 'ioredis';
import {
  assertRedisConnection,
  connectRedis,
  createLockManager,
  createPubSub,
  inspectRedis,
  type RedisConnection,
} from '../src/index.js';

let redis: TestRedis;

beforeAll(async () => {
  redis = await createTestRedis();
});

/** What the client of the package `redis` looks like. */
const nodeRedis = { evalSha: () => undefined, isOpen: true, sendCommand: () => undefined };

const WRONG: readonly (readonly [name: string, value: unknown, text: RegExp])[] = [
  ['a client of node-redis', nodeRedis, /is a client of node-redis; pass connectRedis\(\{ url, purpose \}\)/],
  ['undefined', undefined, /is undefined; pass connectRedis/],
  ['a URL', 'redis://user:secret@host', /is a string; pass connectRedis/],
  ['an object around it', { decision: {} }, /is an object with decision; pass connectRedis/],
];

test.each(WRONG)('%s is refused by name, and no password is shown', (_, value, text) => {
  expect(() => assertRedisConnection(value)).toThrow(text);
  expect(() => assertRedisConnection(value)).not.toThrow(/secret/);
});

test.each(WRONG)('no function takes %s', async (_, value, text) => {
  const wrong = value as RedisConnection;
  expect(() => createLockManager(wrong)).toThrow(text);
  expect(() => createPubSub({ subscriber: wrong, publisher: wrong })).toThrow(text);
  await expect(inspectRedis(wrong)).rejects.toThrow(text);
});

test('connections of connectRedis and of ioredis itself are taken', () => {
  for (const connection of [connectRedis({ url: redis.url, purpose: 'decision' }), new Redis(redis.url)]) {
    expect(() => assertRedisConnection(connection)).not.toThrow();
    connection.disconnect();
  }
});

afterAll(() => redis[Symbol.asyncDispose]());
