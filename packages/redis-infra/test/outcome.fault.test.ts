import { once } from 'node:events';
import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import {
  createTestRedis,
  type FaultProxy,
  startFaultProxy,
  startRedisServer,
  type TestRedis,
  until,
} from '@solegate/testkit';
import { Redis } from 'ioredis';

import { connectRedis, openRedis, type RedisConnection, type RedisPurpose } from '../src/index.js';
import { append } from './append-script.js';

let redis: TestRedis;
let proxy: FaultProxy;
let connection: RedisConnection | undefined;

beforeAll(async () => {
  redis = await createTestRedis();
  proxy = await startFaultProxy(redis.url);
});

afterEach(() => {
  connection?.disconnect();
  proxy.set('pass');
});

afterAll(async () => {
  await proxy.close();
  await redis.drop();
});

async function open(purpose: RedisPurpose, commandTimeoutMs: number): Promise<RedisConnection> {
  connection = await openRedis({ url: proxy.url, purpose, commandTimeoutMs });
  await append.run(connection, ['warm'], [0]);
  return connection;
}

async function codeOf(call: Promise<unknown>): Promise<unknown> {
  return await call.then(
    () => 'applied',
    (error: { code?: unknown }) => error.code,
  );
}

test.each(['decision', 'background'] as const)(
  'on a %s connection a call whose answer was lost is unknown, ran once, and is not sent again',
  async (purpose) => {
    const link = await open(purpose, 500);
    const key = `lost-${purpose}`;
    proxy.set('cutAfterReply', { count: 1, matching: key });
    expect(await codeOf(append.run(link, [key], [1]))).toBe('REDIS_OUTCOME_UNKNOWN');
    await until(async () => (await codeOf(append.run(link, ['other'], [1]))) === 'applied');
    expect(await redis.client.llen(key)).toBe(1);
  },
);

test('with the defaults of ioredis the same call runs twice', async () => {
  const link = new Redis(proxy.url);
  await link.ping();
  proxy.set('cutAfterReply', { count: 1, matching: 'twice' });
  expect(await link.incr('twice')).toBe(2);
  link.disconnect();
});

test('a call that could not connect is unavailable and did not run', async () => {
  const link = await open('decision', 500);
  await proxy.close();
  await until(() => link.status !== 'ready');
  expect(await codeOf(append.run(link, ['closed'], [1]))).toBe('REDIS_UNAVAILABLE');
  expect(await redis.client.exists('closed')).toBe(0);
  link.disconnect();
  proxy = await startFaultProxy(redis.url);
});

test('a background call waits for Redis to come back, and then runs once', async () => {
  proxy.set('reset');
  connection = connectRedis({ url: proxy.url, purpose: 'background', commandTimeoutMs: 10_000 });
  const running = append.run(connection, ['patient'], [1]);
  await until(() => connection?.status === 'reconnecting');
  proxy.set('pass');
  expect(await running).toBe(1);
});

test('a background call that times out in the queue is unavailable, and is not sent after recovery', async () => {
  proxy.set('reset');
  connection = connectRedis({ url: proxy.url, purpose: 'background', commandTimeoutMs: 100 });
  const codes = await Promise.all(
    Array.from({ length: 100 }, (_, index) => codeOf(append.run(link(), ['vain'], [index]))),
  );
  expect(new Set(codes)).toEqual(new Set(['REDIS_UNAVAILABLE']));
  proxy.set('pass');
  await untilApplied('after');
  expect(await redis.client.exists('vain')).toBe(0);
});

function link(): RedisConnection {
  if (!connection) throw new Error('not connected');
  return connection;
}

test('a demoted master is unavailable, and the connection looks for the new master', async () => {
  await using server = await startRedisServer();
  connection = await openRedis({ url: server.url, purpose: 'decision', commandTimeoutMs: 5000 });
  const closed = once(connection, 'close');
  await server.client().replicaof('127.0.0.1', 1);
  expect(await codeOf(append.run(connection, ['demoted'], [1]))).toBe('REDIS_UNAVAILABLE');
  await closed;
});

test('an event loop that stalls for longer than the timeout does not make its calls unknown', async () => {
  connection = await openRedis({ url: redis.url, purpose: 'decision', commandTimeoutMs: 60 });
  const stalled = connection;
  await untilTimersComeNext();
  const running = append.run(stalled, ['stalled'], [1]);
  stall(300);
  expect(await running).toBe(1);
});

test('with the command timeout of ioredis, the same stall looks like a silent Redis', async () => {
  const plain = new Redis(redis.url, { commandTimeout: 60 });
  await until(() => plain.status === 'ready');
  await untilTimersComeNext();
  const running = plain.llen('stalled');
  stall(300);
  plain.disconnect();
  await expect(running).rejects.toThrow('Command timed out');
});

/** After this, the event loop runs its timers before it reads its sockets. */
function untilTimersComeNext(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

/** The command is written before the stall; after it, the answer is waiting in the socket. */
function stall(ms: number): void {
  const endsAtMs = performance.now() + ms;
  while (performance.now() < endsAtMs);
}

async function untilApplied(key: string): Promise<void> {
  await until(async () => (await codeOf(append.run(link(), [key], [1]))) === 'applied');
}

test('across many faults: successful calls ran, unavailable ones did not, and only unknown ones can be either', async () => {
  const codes = new Map<unknown, number>();
  const faults = [
    'cutAfterReply',
    'pass',
    'cutBeforeReply',
    'pass',
    'reset',
    'pass',
    'blackHole',
    'pass',
  ] as const;
  connection = connectRedis({ url: proxy.url, purpose: 'decision', commandTimeoutMs: 60 });
  for (const fault of faults) {
    proxy.set(fault);
    if (fault === 'pass') await untilApplied('between');
    for (let round = 0; round < 20; round += 1) {
      const calls = Array.from({ length: 5 }, (_, index) => codeOf(append.run(link(), ['many'], [index])));
      for (const code of await Promise.all(calls)) codes.set(code, (codes.get(code) ?? 0) + 1);
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
  }
  proxy.set('pass');
  await untilApplied('settled');
  const ranCount = await redis.client.llen('many');
  const appliedCount = codes.get('applied') ?? 0;
  const unknownCount = codes.get('REDIS_OUTCOME_UNKNOWN') ?? 0;
  expect(codes.size).toBe(3);
  expect(ranCount).toBeGreaterThanOrEqual(appliedCount);
  expect(ranCount).toBeLessThanOrEqual(appliedCount + unknownCount);
});
