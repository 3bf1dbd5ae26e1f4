import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createTestRedis, type FaultProxy, startFaultProxy, type TestRedis, until } from '@solegate/testkit';
import { Redis } from 'ioredis';

import {
  connectRedis,
  createLockManager,
  createPubSub,
  inspectRedis,
  loadScript,
  openRedis,
  type RedisConnection,
  type RedisPurpose,
} from '../src/index.js';
import { appendText } from './lua/append.js';

/** A call that has not ended by then never does; many times any timeout here, for a busy machine. */
const endlessMs = 10_000;

const timeoutMs = { decision: 60, background: 200, subscriber: 200 } as const;

const script = loadScript({ name: 'append', text: appendText, keyCount: 1, decode: String });

const callKinds: Record<string, (connection: RedisConnection) => Promise<unknown>> = {
  'a read': (connection) => connection.get('k'),
  'a write': (connection) => connection.set('k', 'v', 'PX', 1000),
  'a blocking read': (connection) => connection.blpop('empty', 0),
  'a pipeline': (connection) => failed(connection.pipeline().get('a').incr('b').exec()),
  'a transaction': (connection) => failed(connection.multi().incr('a').exec()),
  'a script': (connection) => script.run(connection, ['k'], [1]),
  'a lock': (connection) => createLockManager(connection).tryAcquire('l', { ttlMs: 1000 }),
  'a message': (connection) => publish(connection),
  'an inspection': (connection) => inspect(connection),
};

/** A pipeline resolves even if commands fail: their errors are in its result. */
async function failed(replies: Promise<[Error | null, unknown][] | null>): Promise<void> {
  for (const [error] of (await replies) ?? []) if (error) throw error;
}

async function publish(connection: RedisConnection): Promise<void> {
  const pubSub = createPubSub({ subscriber: connection, publisher: connection });
  try {
    await pubSub.publish('c', 'p');
  } finally {
    pubSub.close();
  }
}

async function inspect(connection: RedisConnection): Promise<void> {
  const health = await inspectRedis(connection);
  if (health.kind === 'DOWN') throw health.failure;
}

let redis: TestRedis;
let proxy: FaultProxy;

beforeAll(async () => {
  redis = await createTestRedis();
  proxy = await startFaultProxy(redis.url);
});

afterAll(async () => {
  await proxy.close();
  await redis.drop();
});

async function open(purpose: RedisPurpose): Promise<RedisConnection> {
  proxy.set('pass');
  return openRedis({ url: proxy.url, purpose, commandTimeoutMs: timeoutMs[purpose] });
}

/** Runs every kind of call at once. */
async function expectAllToFail(connection: RedisConnection): Promise<void> {
  const ends = await Promise.all(
    Object.entries(callKinds).map(async ([kind, call]) => {
      const late = new Promise((resolve) => setTimeout(resolve, endlessMs, 'never ended').unref());
      const ended = call(connection).then(
        () => 'succeeded',
        () => 'failed',
      );
      return [kind, await Promise.race([ended, late])];
    }),
  );
  expect(ends).toEqual(Object.keys(callKinds).map((kind) => [kind, 'failed']));
}

describe.each(['decision', 'background'] as const)('on a %s connection every call ends', (purpose) => {
  test('when an open connection goes silent', async () => {
    const connection = await open(purpose);
    proxy.set('blackHole');
    await expectAllToFail(connection);
    connection.disconnect();
  });

  test('when the server is silent before the connection is made', async () => {
    proxy.set('blackHole');
    const connection = connectRedis({ url: proxy.url, purpose, commandTimeoutMs: timeoutMs[purpose] });
    await expectAllToFail(connection);
    connection.disconnect();
  });

  test('when nothing listens', async () => {
    const url = 'redis://127.0.0.1:1';
    const connection = connectRedis({ url, purpose, commandTimeoutMs: timeoutMs[purpose] });
    await expectAllToFail(connection);
    connection.disconnect();
  });

  test('when the open connection is reset', async () => {
    const connection = await open(purpose);
    proxy.set('reset');
    await expectAllToFail(connection);
    connection.disconnect();
  });

  test('when answers come too late', async () => {
    const connection = await open(purpose);
    proxy.set({ delayMs: 3000 });
    await expectAllToFail(connection);
    connection.disconnect();
  });

  test('when no sentinel and no node of a cluster can be reached', async () => {
    for (const url of ['redis+sentinel://127.0.0.1:1/m/0', 'redis+cluster://127.0.0.1:1,127.0.0.1:2']) {
      const connection = connectRedis({ url, purpose, commandTimeoutMs: timeoutMs[purpose] });
      await expectAllToFail(connection);
      connection.disconnect();
    }
  });
});

test('with the defaults of ioredis, a call to a silent server does not end', async () => {
  proxy.set('pass');
  const plain = new Redis(proxy.url);
  await plain.ping();
  proxy.set('blackHole');
  const call = plain.get('k').catch(() => 'failed');
  const late = new Promise((resolve) => setTimeout(resolve, 10 * timeoutMs.background, 'late'));
  expect(await Promise.race([call, late])).toBe('late');
  plain.disconnect();
});

test('a subscription call ends when the server is silent, and when nothing listens', async () => {
  const connections = [
    await open('subscriber'),
    connectRedis({ url: 'redis://127.0.0.1:1', purpose: 'subscriber', commandTimeoutMs: 200 }),
  ];
  proxy.set('blackHole');
  for (const subscriber of connections) {
    const pubSub = createPubSub({ subscriber, publisher: redis.client });
    await expect(pubSub.subscribe('c')).rejects.toMatchObject({ code: expect.stringMatching(/^REDIS_/) });
    pubSub.close();
    subscriber.disconnect();
  }
});

test('a silent connection is replaced, and calls succeed again', async () => {
  const connection = await open('decision');
  proxy.set('blackHole', { clientPort: localPortOf(connection) });
  await until(async () => (await connection.get('k').catch(() => 'failed')) === null);
  connection.disconnect();
});

function localPortOf(connection: RedisConnection): number {
  const localPort = 'stream' in connection ? connection.stream.localPort : undefined;
  if (localPort === undefined) throw new Error('not connected');
  return localPort;
}
