import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';
import { createTestRedis, type TestRedis, until } from '@solegate/testkit';

import { connectRedis, loadScript, type RedisConnection, RedisScriptError } from '../src/index.js';
import { appendText } from './lua/append.js';
import { breakHalfwayText } from './lua/break-halfway.js';

let redis: TestRedis;
let connection: RedisConnection;

beforeAll(async () => {
  redis = await createTestRedis();
  connection = connectRedis({ url: redis.url, purpose: 'decision', commandTimeoutMs: 5000 });
  await until(() => connection.status === 'ready');
});

afterAll(async () => {
  connection.disconnect();
  await redis.drop();
});

const loadAppend = (text: string) =>
  loadScript({
    name: 'append',
    text,
    keyCount: 1,
    decode: (reply) => {
      const [callCount, last] = reply as [number, string];
      return { callCount, last };
    },
  });
const append = loadAppend(appendText);

/** A script that no server knows. SCRIPT FLUSH would take those of every other test as well. */
const loadUnknown = () => loadAppend(`${appendText}-- ${randomUUID()}`);

test('gives the decoded reply', async () => {
  expect(await append.run(connection, ['calls'], [7])).toEqual({ callCount: 1, last: '7' });
});

test('sends its text once to a server that does not know it, and runs once', async () => {
  const unknown = loadUnknown();
  const sent = jest.spyOn(connection, 'eval');
  expect(await unknown.run(connection, ['unknown'], ['a'])).toEqual({ callCount: 1, last: 'a' });
  expect(await unknown.run(connection, ['unknown'], ['b'])).toEqual({ callCount: 2, last: 'b' });
  expect(sent).toHaveBeenCalledTimes(1);
  sent.mockRestore();
});

test('concurrent calls each run once on a server that does not know the script', async () => {
  const unknown = loadUnknown();
  const replies = await Promise.all(
    Array.from({ length: 50 }, (_, index) => unknown.run(connection, ['crowd'], [index])),
  );
  expect(replies.map((reply) => reply.callCount).sort((a, b) => a - b)).toEqual(
    Array.from({ length: 50 }, (_, index) => index + 1),
  );
});

test('a script that fails in Redis is a script error, and its earlier writes remain', async () => {
  const breakHalfway = loadScript({
    name: 'break-halfway',
    text: breakHalfwayText,
    keyCount: 1,
    decode: String,
  });
  await expect(breakHalfway.run(connection, ['half'], ['v'])).rejects.toBeInstanceOf(RedisScriptError);
  expect(await redis.client.get('half')).toBe('v');
});

test('refuses the wrong number of keys before it calls Redis', async () => {
  await expect(append.run(connection, [], [1])).rejects.toThrow('Script append takes 1 keys, not 0.');
  await expect(append.run(connection, ['a', 'b'], [1])).rejects.toThrow(TypeError);
  expect(await redis.client.exists('a', 'b')).toBe(0);
});

test('a reply that `decode` rejects is a bug of the program, not a failure of Redis', async () => {
  const strict = loadScript({
    name: 'append',
    text: appendText,
    keyCount: 1,
    decode: () => {
      throw new TypeError('not what was agreed');
    },
  });
  await expect(strict.run(connection, ['strict'], [1])).rejects.toThrow(TypeError);
});
