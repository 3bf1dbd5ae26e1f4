import { afterEach, expect, test } from '@jest/globals';
import { createTestRedis, until } from '@solegate/testkit';

import { connectRedis, createLockManager, type RedisConnection, type RedisFailure } from '../src/index.js';

const ends: (() => unknown)[] = [];

afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
});

/** Logical databases stand in for independent servers: they share no key. */
async function independentServers(count: number): Promise<RedisConnection[]> {
  return await Promise.all(
    Array.from({ length: count }, async () => {
      const redis = await createTestRedis();
      const connection = connectRedis({ url: redis.url, purpose: 'decision', commandTimeoutMs: 5000 });
      ends.push(
        () => redis.drop(),
        () => connection.disconnect(),
      );
      await until(() => connection.status === 'ready');
      return connection;
    }),
  );
}

function absentServer(): RedisConnection {
  const connection = connectRedis({ url: 'redis://127.0.0.1:1', purpose: 'decision' });
  ends.push(() => connection.disconnect());
  return connection;
}

test('a majority of the servers grants the lock, and the failed one is reported', async () => {
  const failures: RedisFailure[] = [];
  const servers = [...(await independentServers(2)), absentServer()];
  const locks = createLockManager(servers, { onServerFailure: (failure) => failures.push(failure) });
  expect(await locks.tryAcquire('lock', { ttlMs: 60_000 })).toMatchObject({ kind: 'HELD' });
  await until(() => failures.length > 0);
  expect(failures[0]).toMatchObject({ code: 'REDIS_UNAVAILABLE' });
});

test('a lock that a majority granted to another is busy, although one server is down', async () => {
  const servers = [...(await independentServers(2)), absentServer()];
  await createLockManager(servers).tryAcquire('lock', { ttlMs: 60_000 });
  expect(await createLockManager(servers).tryAcquire('lock', { ttlMs: 60_000 })).toEqual({ kind: 'BUSY' });
});

test('without a majority nothing is held, and nothing is left on the one server that answered', async () => {
  const [server] = await independentServers(1);
  if (!server) throw new Error('no server');
  const locks = createLockManager([server, absentServer(), absentServer()]);
  await expect(locks.tryAcquire('lock', { ttlMs: 60_000 })).rejects.toMatchObject({
    code: 'REDIS_UNAVAILABLE',
  });
  await until(async () => (await server.exists('lock')) === 0);
});
