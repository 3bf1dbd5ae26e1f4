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

/** What the machine may add to a stated time: a bound for liveness on a busy machine, not a measure of speed. */
const slackMs = 1500;

const timeoutMs = { decision: 60, background: 200, subscriber: 200 } as const;

const script = loadScript({ name: 'append', text: appendText, keyCount: 1, decode: String });

/** How often the command timeout may pass before the call ends, and the call. */
interface CallKind {
  readonly timeoutCount: number;
  readonly call: (connection: RedisConnection) => Promise<unknown>;
}

const callKinds: Record<string, CallKind> = {
  'a read': { timeoutCount: 1, call: (connection) => connection.get('k') },
  'a write': { timeoutCount: 1, call: (connection) => connection.set('k', 'v', 'PX', 1000) },
  'a blocking read': { timeoutCount: 1, call: (connection) => connection.blpop('empty', 0) },
  'a pipeline': {
    timeoutCount: 1,
    call: (connection) => failed(connection.pipeline().get('a').incr('b').exec()),
  },
  'a transaction': { timeoutCount: 1, call: (connection) => failed(connection.multi().incr('a').exec()) },
  'a script': { timeoutCount: 2, call: (connection) => script.run(connection, ['k'], [1]) },
  'a lock': {
    timeoutCount: 4,
    call: (connection) => createLockManager(connection).tryAcquire('l', { ttlMs: 1000 }),
  },
  'a message': { timeoutCount: 1, call: (connection) => publish(connection) },
  'an inspection': { timeoutCount: 3, call: (connection) => inspect(connection) },
};

/** A pipeline resolves with the errors of its commands inside. */
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
  if (health.kind === 'down') throw health.failure;
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

/** Runs every kind of call at once and returns those that did not end in time, or ended well. */
async function expectAllToFailInTime(connection: RedisConnection, purpose: RedisPurpose): Promise<void> {
  const ends = await Promise.all(
    Object.entries(callKinds).map(async ([kind, { timeoutCount, call }]) => {
      const boundMs = timeoutCount * timeoutMs[purpose] + slackMs;
      const late = new Promise((resolve) => setTimeout(resolve, boundMs, 'late').unref());
      const ended = call(connection).then(
        () => 'succeeded',
        () => 'failed',
      );
      return [kind, await Promise.race([ended, late])];
    }),
  );
  expect(ends).toEqual(Object.keys(callKinds).map((kind) => [kind, 'failed']));
}

describe.each(['decision', 'background'] as const)(
  'on a %s connection every call ends in time',
  (purpose) => {
    test('in a black hole that swallows an open connection', async () => {
      const connection = await open(purpose);
      proxy.set('blackHole');
      await expectAllToFailInTime(connection, purpose);
      connection.disconnect();
    });

    test('in a black hole that was there before the connection', async () => {
      proxy.set('blackHole');
      const connection = connectRedis({ url: proxy.url, purpose, commandTimeoutMs: timeoutMs[purpose] });
      await expectAllToFailInTime(connection, purpose);
      connection.disconnect();
    });

    test('when nothing listens', async () => {
      const url = 'redis://127.0.0.1:1';
      const connection = connectRedis({ url, purpose, commandTimeoutMs: timeoutMs[purpose] });
      await expectAllToFailInTime(connection, purpose);
      connection.disconnect();
    });

    test('when the open connection is reset', async () => {
      const connection = await open(purpose);
      proxy.set('reset');
      await expectAllToFailInTime(connection, purpose);
      connection.disconnect();
    });

    test('when answers come too late', async () => {
      const connection = await open(purpose);
      proxy.set({ delayMs: 3000 });
      await expectAllToFailInTime(connection, purpose);
      connection.disconnect();
    });

    test('when no sentinel and no node of a cluster can be reached', async () => {
      for (const url of ['redis+sentinel://127.0.0.1:1/m/0', 'redis+cluster://127.0.0.1:1,127.0.0.1:2']) {
        const connection = connectRedis({ url, purpose, commandTimeoutMs: timeoutMs[purpose] });
        await expectAllToFailInTime(connection, purpose);
        connection.disconnect();
      }
    });
  },
);

test('with the defaults of ioredis a call in a black hole does not end', async () => {
  proxy.set('pass');
  const plain = new Redis(proxy.url);
  await plain.ping();
  proxy.set('blackHole');
  const call = plain.get('k').catch(() => 'failed');
  const late = new Promise((resolve) => setTimeout(resolve, 4 * timeoutMs.background + slackMs, 'late'));
  expect(await Promise.race([call, late])).toBe('late');
  plain.disconnect();
});

test('a subscription ends in time in a black hole, and when nothing listens', async () => {
  const connections = [
    await open('subscriber'),
    connectRedis({ url: 'redis://127.0.0.1:1', purpose: 'subscriber', commandTimeoutMs: 200 }),
  ];
  proxy.set('blackHole');
  for (const subscriber of connections) {
    const pubSub = createPubSub({ subscriber, publisher: redis.client });
    const startedAtMs = performance.now();
    await expect(pubSub.subscribe('c')).rejects.toMatchObject({ code: expect.stringMatching(/^REDIS_/) });
    expect(performance.now() - startedAtMs).toBeLessThan(200 + slackMs);
    pubSub.close();
    subscriber.disconnect();
  }
});

test('a connection in a black hole is replaced, and calls succeed again', async () => {
  const connection = await open('decision');
  proxy.set('blackHole', { clientPort: localPortOf(connection) });
  await until(async () => (await connection.get('k').catch(() => 'failed')) === null, { timeoutMs: 15_000 });
  connection.disconnect();
});

function localPortOf(connection: RedisConnection): number {
  const localPort = 'stream' in connection ? connection.stream.localPort : undefined;
  if (localPort === undefined) throw new Error('not connected');
  return localPort;
}
