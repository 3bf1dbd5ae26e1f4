import { afterAll, beforeAll, expect, test } from '@jest/globals';
import {
  createTestRedis,
  manualClock,
  race,
  startFaultProxy,
  type TestRedis,
  until,
} from '@solegate/testkit';

import {
  connectRedis,
  createLockManager,
  type HeldLock,
  type RedisConnection,
  RedisFailure,
} from '../src/index.js';
import type { LockManager } from '../src/lock-manager.js';

let redis: TestRedis;
let connection: RedisConnection;
let locks: LockManager;

beforeAll(async () => {
  redis = await createTestRedis();
  connection = await connected(redis.url);
  locks = createLockManager(connection);
});

afterAll(async () => {
  connection.disconnect();
  await redis.drop();
});

async function connected(url: string): Promise<RedisConnection> {
  const fresh = connectRedis({ url, purpose: 'decision', commandTimeoutMs: 5000 });
  await until(() => fresh.status === 'ready');
  return fresh;
}

async function held(manager: LockManager, resource: string, ttlMs = 60_000): Promise<HeldLock> {
  const outcome = await manager.tryAcquire(resource, { ttlMs });
  if (outcome.kind !== 'HELD') throw new Error(`${resource} is ${outcome.kind}`);
  return outcome.lock;
}

test('grants a free lock, and reports busy to all others', async () => {
  const lock = await held(locks, 'lock:one');
  expect(lock.resource).toBe('lock:one');
  expect(await locks.tryAcquire('lock:one', { ttlMs: 60_000 })).toEqual({ kind: 'BUSY' });
});

test('of a hundred contenders, one holds the lock, the others get busy, and none gets an error', async () => {
  const outcomes = await race(100, () => locks.tryAcquire('lock:race', { ttlMs: 60_000 }));
  const kinds = outcomes.map((outcome) => (outcome.status === 'fulfilled' ? outcome.value.kind : 'failed'));
  expect(kinds.filter((kind) => kind === 'HELD')).toHaveLength(1);
  expect(kinds.filter((kind) => kind === 'BUSY')).toHaveLength(99);
});

test('a released lock is free immediately', async () => {
  const lock = await held(locks, 'lock:released');
  expect(await lock.release()).toEqual({ kind: 'RELEASED' });
  expect(lock.isTrusted).toBe(false);
  await held(locks, 'lock:released');
});

test('a late release does not touch the next holder', async () => {
  const first = await held(locks, 'lock:late');
  await redis.client.del('lock:late');
  const second = await held(locks, 'lock:late');
  expect(await first.release()).toEqual({ kind: 'LOST' });
  expect(await second.release()).toEqual({ kind: 'RELEASED' });
});

test('the trusted time ends before the lock expires, counted from before the attempt', async () => {
  const clock = manualClock(1000);
  const manager = createLockManager(connection, { now: () => clock.now() });
  const acquiring = manager.tryAcquire('lock:trust', { ttlMs: 10_000 });
  clock.advance(4000);
  const outcome = await acquiring;
  if (outcome.kind !== 'HELD') throw new Error('busy');
  clock.set(1000 + 10_000 - 103);
  expect(outcome.lock.isTrusted).toBe(true);
  clock.advance(1);
  expect(outcome.lock.isTrusted).toBe(false);
});

test('a lock expires by itself', async () => {
  await held(locks, 'lock:brief', 10);
  expect(await until(async () => (await locks.tryAcquire('lock:brief', { ttlMs: 50 })).kind === 'HELD')).toBe(
    true,
  );
});

test.each([0, 9, -1, 1.5, Number.NaN])('refuses a lifetime of %p ms before it calls Redis', async (ttlMs) => {
  await expect(locks.tryAcquire('lock:bad', { ttlMs })).rejects.toThrow(RangeError);
  expect(await redis.client.exists('lock:bad')).toBe(0);
});

test('an unreachable Redis is unavailable, never busy', async () => {
  const away = connectRedis({ url: 'redis://127.0.0.1:1', purpose: 'decision' });
  const failures: RedisFailure[] = [];
  const manager = createLockManager(away, { onServerFailure: (failure) => failures.push(failure) });
  await expect(manager.tryAcquire('lock:away', { ttlMs: 1000 })).rejects.toMatchObject({
    code: 'REDIS_UNAVAILABLE',
  });
  expect(failures.every((failure) => failure instanceof RedisFailure)).toBe(true);
  expect(failures.length).toBeGreaterThan(0);
  away.disconnect();
});

test('a lost reply is unknown, never busy', async () => {
  await using proxy = await startFaultProxy(redis.url);
  const behind = await connected(proxy.url);
  await held(createLockManager(behind), 'lock:warm');
  proxy.set('cutAfterReply', { count: 1 });
  await expect(createLockManager(behind).tryAcquire('lock:cut', { ttlMs: 60_000 })).rejects.toMatchObject({
    code: 'REDIS_OUTCOME_UNKNOWN',
  });
  behind.disconnect();
});

test('release never throws, and reports unknown', async () => {
  await using proxy = await startFaultProxy(redis.url);
  const behind = await connected(proxy.url);
  const lock = await held(createLockManager(behind), 'lock:unreleased');
  await proxy.close();
  expect(await lock.release()).toMatchObject({ kind: 'UNKNOWN', failure: { code: expect.any(String) } });
  behind.disconnect();
});
