import { expect, test } from '@jest/globals';
import { createTestRedis, startRedisServer } from '@solegate/testkit';

import { connectRedis, inspectRedis, openRedis, type RedisServerHealth } from '../src/index.js';

async function healthOf(url: string): Promise<RedisServerHealth> {
  const connection = await openRedis({ url, purpose: 'background', commandTimeoutMs: 5000 });
  try {
    const health = await inspectRedis(connection);
    if (health.kind === 'DOWN' || !health.servers[0]) throw new Error('Redis is down');
    return health.servers[0];
  } finally {
    connection.disconnect();
  }
}

test('reports round trip, role, run ID, memory and persistence', async () => {
  await using redis = await createTestRedis();
  const connection = await openRedis({ url: redis.url, purpose: 'decision', commandTimeoutMs: 5000 });
  const health = await inspectRedis(connection);
  connection.disconnect();
  expect(health).toMatchObject({
    kind: 'UP',
    roundTripMs: expect.any(Number),
    servers: [
      {
        role: 'master',
        runId: expect.stringMatching(/^[0-9a-f]{40}$/),
        version: expect.stringMatching(/^\d+\.\d+/),
        memoryPolicy: 'noeviction',
      },
    ],
  });
});

test('reports down with the failure when Redis is unreachable, and never rejects', async () => {
  const connection = connectRedis({ url: 'redis://127.0.0.1:1', purpose: 'decision' });
  expect(await inspectRedis(connection)).toMatchObject({
    kind: 'DOWN',
    failure: { code: 'REDIS_UNAVAILABLE' },
  });
  connection.disconnect();
});

test('a restart changes the run ID', async () => {
  await using server = await startRedisServer();
  const before = await healthOf(server.url);
  await server.restart();
  expect((await healthOf(server.url)).runId).not.toBe(before.runId);
});

test('an append-only server that evicts nothing gives no warning', async () => {
  await using server = await startRedisServer({
    persistence: 'aof',
    args: ['--maxmemory', '64mb', '--maxmemory-policy', 'noeviction'],
  });
  expect(await healthOf(server.url)).toMatchObject({
    persistence: 'aof',
    memoryMaxBytes: 64 * 1024 * 1024,
    warnings: [],
  });
});

test('warns when keys could be evicted and when a restart would forget everything', async () => {
  await using server = await startRedisServer({
    persistence: 'none',
    args: ['--maxmemory', '64mb', '--maxmemory-policy', 'allkeys-lru'],
  });
  expect(await healthOf(server.url)).toMatchObject({
    persistence: 'none',
    memoryPolicy: 'allkeys-lru',
    warnings: ['KEYS_MAY_BE_EVICTED', 'NOT_PERSISTENT'],
  });
});

test('the persistence of a server that hides its configuration is unknown', async () => {
  await using server = await startRedisServer({ persistence: 'none' });
  const admin = server.client();
  await admin.acl('SETUSER', 'app', 'on', '>pw', '+@all', '-config', '~*', '&*');
  const url = server.url.replace('redis://', 'redis://app:pw@');
  expect(await healthOf(url)).toMatchObject({ persistence: 'unknown', warnings: [] });
});

test('warns on a replica, which refuses writes', async () => {
  await using master = await startRedisServer();
  await using replica = await startRedisServer({ args: ['--replicaof', `127.0.0.1 ${master.port}`] });
  expect(await healthOf(replica.url)).toMatchObject({
    role: 'replica',
    warnings: expect.arrayContaining(['REPLICA']),
  });
});

test('warns when the last save failed', async () => {
  const { describeServer } = await import('../src/inspect-redis.js');
  const info = ['role:master', 'rdb_last_bgsave_status:err', 'maxmemory:0', 'maxmemory_policy:noeviction'];
  expect(describeServer(info.join('\r\n'), '3600 1').warnings).toEqual(['LAST_SAVE_FAILED']);
});

test('for a user without permission for INFO, Redis is up but not inspected', async () => {
  await using server = await startRedisServer({ persistence: 'none' });
  const admin = await openRedis({ url: server.url, purpose: 'background' });
  await admin.call('ACL', 'SETUSER', 'app', 'on', '>secret', '~*', '&*', '+@all', '-info');
  admin.disconnect();
  const url = server.url.replace('redis://', 'redis://app:secret@');
  const connection = connectRedis({ url, purpose: 'background' });
  const health = await inspectRedis(connection);
  connection.disconnect();
  expect(health).toEqual({
    kind: 'UP',
    roundTripMs: expect.any(Number),
    servers: [],
    isInspected: false,
  });
});
