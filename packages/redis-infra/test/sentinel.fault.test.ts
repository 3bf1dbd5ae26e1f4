import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type SentinelTestGroup, startSentinel, until } from '@solegate/testkit';

import {
  createLockManager,
  createPubSub,
  inspectRedis,
  openRedis,
  type RedisConnection,
} from '../src/index.js';
import { append } from './append-script.js';

let group: SentinelTestGroup;
let connections: RedisConnection[];

beforeAll(async () => {
  group = await startSentinel({ replicas: 1, sentinels: 3 });
  connections = await Promise.all(
    (['decision', 'background', 'subscriber'] as const).map((purpose) =>
      openRedis({ url: group.url, purpose, commandTimeoutMs: 500 }),
    ),
  );
});

afterAll(async () => {
  for (const connection of connections ?? []) connection.disconnect();
  await group?.stop();
});

async function runIdOf(connection: RedisConnection): Promise<string | undefined> {
  const health = await inspectRedis(connection);
  return health.kind === 'UP' && health.servers[0]?.role === 'master' ? health.servers[0].runId : undefined;
}

test('after the master dies, connections of all purposes reach its successor, scripts and locks work, and listeners get a gap', async () => {
  const [decision, background, subscriber] = connections as [
    RedisConnection,
    RedisConnection,
    RedisConnection,
  ];
  const pubSub = createPubSub({ subscriber, publisher: background });
  const subscription = await pubSub.subscribe('news');
  expect(await append.run(decision, ['calls'], ['before'])).toBe(1);
  const firstRunId = await runIdOf(decision);
  expect(firstRunId).toBeDefined();

  await group.killMaster();
  const codes = new Set<unknown>();
  await until(async () => {
    try {
      await append.run(decision, ['after'], ['x']);
      return true;
    } catch (error) {
      codes.add((error as { code: unknown }).code);
      return false;
    }
  });
  expect([...codes].every((code) => code === 'REDIS_UNAVAILABLE' || code === 'REDIS_OUTCOME_UNKNOWN')).toBe(
    true,
  );
  const secondRunId = await until(() => runIdOf(decision));
  expect(secondRunId).not.toBe(firstRunId);
  expect(await createLockManager(decision).tryAcquire('lock', { ttlMs: 5000 })).toMatchObject({
    kind: 'HELD',
  });

  expect((await subscription.next()).value).toEqual({ kind: 'GAP' });
  await until(() => pubSub.publish('news', 'back').then(() => true));
  expect((await subscription.next()).value).toMatchObject({ kind: 'MESSAGE', payload: 'back' });
  pubSub.close();
});

test('follows a planned failover without losing a call silently', async () => {
  const [decision] = connections as [RedisConnection];
  const killed = await Promise.all(
    group.servers.map(async (server) => [server, await isAlive(server.url)] as const),
  );
  for (const [server, alive] of killed) if (!alive) await group.rejoin(server);
  await group.failover();
  await until(async () => (await append.run(decision, ['orderly'], ['x'])) > 0);
  expect(await runIdOf(decision)).toBeDefined();
});

async function isAlive(url: string): Promise<boolean> {
  try {
    (await openRedis({ url, purpose: 'background' })).disconnect();
    return true;
  } catch {
    return false;
  }
}
