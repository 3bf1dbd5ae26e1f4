import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type ClusterTestGroup, startRedisCluster, until } from '@solegate/testkit';

import {
  createLockManager,
  createPubSub,
  inspectRedis,
  openRedis,
  type RedisConnection,
} from '../src/index.js';
import { append } from './append-script.js';

let cluster: ClusterTestGroup;
let connections: RedisConnection[];

beforeAll(async () => {
  cluster = await startRedisCluster({ masters: 3, replicasPerMaster: 1 });
  connections = await Promise.all(
    (['decision', 'background', 'subscriber'] as const).map((purpose) =>
      openRedis({ url: cluster.url, purpose, commandTimeoutMs: 500, openTimeoutMs: 30_000 }),
    ),
  );
});

afterAll(async () => {
  for (const connection of connections ?? []) connection.disconnect();
  await cluster?.stop();
});

function byPurpose(): {
  decision: RedisConnection;
  background: RedisConnection;
  subscriber: RedisConnection;
} {
  const [decision, background, subscriber] = connections as [
    RedisConnection,
    RedisConnection,
    RedisConnection,
  ];
  return { decision, background, subscriber };
}

test('scripts and locks find the master of their key, wherever it is', async () => {
  const { decision } = byPurpose();
  const keys = Array.from({ length: 30 }, (_, index) => `key:${index}`);
  expect(await Promise.all(keys.map((key) => append.run(decision, [key], ['x'])))).toEqual(keys.map(() => 1));
  const locks = createLockManager(decision);
  const outcomes = await Promise.all(keys.map((key) => locks.tryAcquire(`lock:${key}`, { ttlMs: 5000 })));
  expect(outcomes.every((outcome) => outcome.kind === 'HELD')).toBe(true);
});

test('health reports every master', async () => {
  const health = await inspectRedis(byPurpose().decision);
  expect(health).toMatchObject({
    kind: 'UP',
    servers: [{ role: 'master' }, { role: 'master' }, { role: 'master' }],
  });
});

test('messages reach listeners, whichever nodes publisher and subscriber are connected to', async () => {
  const { background, subscriber } = byPurpose();
  const pubSub = createPubSub({ subscriber, publisher: background });
  const subscription = await pubSub.subscribe('news');
  for (let index = 0; index < 10; index += 1) {
    await pubSub.publish('news', String(index));
    expect((await subscription.next()).value).toEqual({ kind: 'MESSAGE', payload: String(index) });
  }
  pubSub.close();
});

test('a node that hangs delays only its own calls, whose outcome is unknown', async () => {
  const { decision } = byPurpose();
  const master = await cluster.masterOf('hanging');
  const otherKey = await keyOfAnother(master);
  master.pause();
  try {
    const hanging = append.run(decision, ['hanging'], ['x']);
    expect(await append.run(decision, [otherKey], ['x'])).toBe(1);
    await expect(hanging).rejects.toMatchObject({ code: 'REDIS_OUTCOME_UNKNOWN' });
  } finally {
    master.resume();
  }
  await until(async () => (await append.run(decision, ['hanging'], ['x'])) > 0);
});

async function keyOfAnother(master: { readonly port: number }): Promise<string> {
  for (let index = 0; ; index += 1) {
    if ((await cluster.masterOf(`other:${index}`)).port !== master.port) return `other:${index}`;
  }
}

test('after a master dies, its keys are served again, nothing ran twice, and listeners get a gap', async () => {
  const { decision, background, subscriber } = byPurpose();
  const pubSub = createPubSub({ subscriber, publisher: background });
  const subscription = await pubSub.subscribe('news');
  const counted = { applied: 0, unknown: 0 };
  const key = 'counted';
  const call = async (): Promise<boolean> => {
    try {
      await append.run(decision, [key], ['x']);
      counted.applied += 1;
      return true;
    } catch (error) {
      if ((error as { code: unknown }).code === 'REDIS_OUTCOME_UNKNOWN') counted.unknown += 1;
      return false;
    }
  };
  await call();
  const killing = cluster.killMasterOf(key);
  const pause = () => new Promise((resolve) => setTimeout(resolve, 1));
  for (let isKilled = false; !isKilled; await pause()) {
    isKilled = await Promise.race([killing.then(() => true), call().then(() => false)]);
  }
  await until(call);
  const ranCount = await until(() => background.llen(key));
  expect(ranCount).toBeLessThanOrEqual(counted.applied + counted.unknown);

  const subscriberPort =
    'options' in subscriber && 'port' in subscriber.options ? subscriber.options.port : 0;
  await cluster.servers.find((server) => server.port === subscriberPort)?.kill();
  expect((await subscription.next()).value).toEqual({ kind: 'GAP' });
  await until(() => pubSub.publish('news', 'back').then(() => true));
  expect((await subscription.next()).value).toEqual({ kind: 'MESSAGE', payload: 'back' });
  pubSub.close();
});
