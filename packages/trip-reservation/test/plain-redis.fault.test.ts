import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import {
  type FaultProxy,
  type RedisTestServer,
  startFaultProxy,
  startRedisServer,
  until,
} from '@solegate/testkit';
import { Redis } from 'ioredis';
import { freshId, Stores } from './stores.js';

let stores: Stores;
let server: RedisTestServer;

beforeAll(async () => {
  stores = await Stores.open();
  server = await startRedisServer({ persistence: 'none' });
});

afterAll(async () => {
  await stores[Symbol.asyncDispose]();
  await server.stop();
});

/** `new Redis()` with all defaults of ioredis: it queues, resends and waits forever. */
function plainRedis(url: string): Redis {
  const redis = new Redis(url);
  redis.on('error', () => {});
  return redis;
}

async function acceptOne(redis: Redis): Promise<string> {
  const trips = stores.withoutRedis({ redis });
  const { id: tripId } = await stores.openTrip();
  return (await trips.acceptTrip({ tripId, driverId: freshId(), offerEpoch: 1 })).kind;
}

describe('with a plain ioredis connection, which waits without end, an accept is answered', () => {
  test('when nothing listens on the port', async () => {
    const redis = plainRedis('redis://127.0.0.1:1');
    expect(await acceptOne(redis)).toBe('ACCEPTED');
    redis.disconnect();
  });

  test('when Redis dies under it', async () => {
    const redis = plainRedis(server.url);
    await until(() => redis.status === 'ready');
    await server.kill();
    try {
      expect(await acceptOne(redis)).toBe('ACCEPTED');
    } finally {
      redis.disconnect();
      await server.restart();
    }
  });

  test('when Redis is paused', async () => {
    const redis = plainRedis(server.url);
    await until(() => redis.status === 'ready');
    server.pause();
    try {
      expect(await acceptOne(redis)).toBe('ACCEPTED');
    } finally {
      server.resume();
      redis.disconnect();
    }
  });

  test.each(['from the start', 'after it was used'])('when Redis is a black hole %s', async (since) => {
    await using proxy: FaultProxy = await startFaultProxy(server.url);
    if (since === 'from the start') proxy.set('blackHole');
    const redis = plainRedis(proxy.url);
    if (since !== 'from the start') {
      await until(() => redis.status === 'ready');
      expect(await acceptOne(redis)).toBe('ACCEPTED');
      proxy.set('blackHole');
    }
    expect(await acceptOne(redis)).toBe('ACCEPTED');
    redis.disconnect();
  });
});

test('a command that reaches Redis after its caller gave up acquires no hold', async () => {
  await using proxy = await startFaultProxy(server.url);
  const redis = plainRedis(proxy.url);
  await until(() => redis.status === 'ready');
  const gateTimeoutMs = 300;
  const trips = stores.withoutRedis({ redis, gateTimeoutMs });
  // Until a reply was seen, Redis's clock is unknown, and a command has no deadline. Replies arrive in order. Twice, since
  // the first call might spend all of its time at the gate on the namespace.
  let askedAt = 0;
  for (const _call of ['reads the namespace', 'reads the clock']) {
    askedAt = performance.now();
    await trips.acceptTrip({ tripId: (await stores.openTrip()).id, driverId: freshId(), offerEpoch: 1 });
    await redis.ping();
  }
  const replyMs = performance.now() - askedAt;
  proxy.set('blackHole');
  // No driver is eligible, so no decision is written to the gate.
  const { id: tripId } = await stores.openTrip({ offeredTo: [freshId()] });
  expect(await trips.acceptTrip({ tripId, driverId: freshId(), offerEpoch: 1 })).toMatchObject({
    kind: 'NOT_OFFERED',
  });
  const watcher = plainRedis(server.url);
  // The deadline is in Redis's clock, which is known to within the duration of a reply.
  await pause(gateTimeoutMs + replyMs + 100);
  proxy.set('pass');
  // Replies arrive in order: the first shows that the command has run, the second that its reply made nobody send it again.
  await redis.ping();
  await redis.ping();
  expect(await watcher.exists(stores.gateKey(tripId))).toBe(0);
  redis.disconnect();
  watcher.disconnect();
});
