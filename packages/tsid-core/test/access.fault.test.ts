import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { connectRedis } from '@solegate/redis-infra';
import { type RedisTestServer, startRedisServer } from '@solegate/testkit';
import { leaseNode, listNodeLeases, type NodeLeaseEvent } from '../src/node-lease/index.js';

/* A claim that Redis refuses with an error: the error repeats the reply, at once, and says what to do. */

let server: RedisTestServer;
beforeAll(async () => {
  server = await startRedisServer();
});
afterAll(() => server.stop());

/** As the README lists them. */
const PERMISSIONS =
  'resetkeys ~{sys:tsid}:* ~sys:tsid:node:* -@all +ping +info +time +eval +evalsha +client|setname ' +
  '+get +set +del +hget +hmget +hgetall +hset +hdel +hkeys +hlen +object|idletime +zadd +zcard +zcount +zscore +zmscore +zrange +zrangebyscore';

async function refusedAs(
  user: string,
  password = 'right',
): Promise<{ message: string; attemptCount: number }> {
  const url = server.url.replace('redis://', `redis://${user}:${password}@`);
  const redis = connectRedis({ url, purpose: 'background' });
  try {
    return await leaseNode({ redis, trustEmptyStore: true }).then(
      () => ({ message: 'LEASED', attemptCount: 0 }),
      (error) => error,
    );
  } finally {
    redis.disconnect();
  }
}

const setUser = (name: string, rules: string) =>
  server.client().call('ACL', 'SETUSER', name, 'on', '>right', ...rules.split(' '));

test('the permissions of the README suffice to lease, renew, list and release', async () => {
  await setUser('leaser', PERMISSIONS);
  const redis = connectRedis({
    url: server.url.replace('redis://', 'redis://leaser:right@'),
    purpose: 'background',
  });
  const events: NodeLeaseEvent[] = [];
  const lease = await leaseNode({
    redis,
    trustEmptyStore: true,
    automatic: false,
    observer: (event) => events.push(event),
  });
  await lease.renew();
  expect((await listNodeLeases(redis)).leases).toHaveLength(1);
  await lease.release();
  expect(events.map(({ kind }) => kind)).toEqual(expect.arrayContaining(['LEASED', 'RENEWED', 'RELEASED']));
  expect(JSON.stringify(await server.client().call('ACL', 'LOG'))).not.toContain('idletime');
  redis.disconnect();
});

describe('a claim is refused with the reply of Redis', () => {
  test('for another password', async () => {
    await setUser('known', PERMISSIONS);
    expect(await refusedAs('known', 'wrong')).toMatchObject({
      message: expect.stringMatching(/WRONGPASS.*Check the user and password/),
    });
  });

  test.each([
    ['without INFO', PERMISSIONS.replace('+info ', '')],
    ['for the hash-tagged keys only', PERMISSIONS.replace('~sys:tsid:node:* ', '')],
  ])('for a user %s, after one attempt', async (_what, rules) => {
    await setUser('limited', `reset on >right ${rules}`);
    expect(await refusedAs('limited')).toMatchObject({
      message: expect.stringMatching(/Redis replied ".*(?:NOPERM|can't).*permissions listed in the README/),
      attemptCount: 1,
    });
  });

  test('for keys of another type, after one attempt', async () => {
    await server.client().del('{sys:tsid}:meta');
    await server.client().set('{sys:tsid}:meta', 'text');
    expect(await refusedAs('leaser')).toMatchObject({
      message: expect.stringMatching(/WRONGTYPE.*another namespace/),
      attemptCount: 1,
    });
    await server.client().del('{sys:tsid}:meta');
  });

  test('for a replica', async () => {
    await using replica = await startRedisServer();
    await replica.client().replicaof('127.0.0.1', server.port);
    const redis = connectRedis({ url: replica.url, purpose: 'background' });
    await expect(leaseNode({ redis })).rejects.toMatchObject({
      code: 'NODE_LEASE_UNAVAILABLE',
      message: expect.stringMatching(/READONLY.*connect to the master/),
    });
    redis.disconnect();
  });
});
