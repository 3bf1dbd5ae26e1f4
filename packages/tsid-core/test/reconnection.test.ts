import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { createTestRedis, type TestRedis, until } from '@solegate/testkit';
import { leaseNode } from '../src/node-lease/index.js';
import { redisLeaseStore } from '../src/node-lease/redis/redis-lease-store.js';

let redis: TestRedis;
beforeEach(async () => {
  redis = await createTestRedis();
});
afterEach(() => redis.drop());

test('a node is renewed when the connection is ready again, perhaps at another master', async () => {
  const connection = redis.client.duplicate();
  const heard: string[] = [];
  const options = { redis: connection, trustEmptyStore: true };
  const lease = await leaseNode({ ...options, observer: ({ kind }) => heard.push(kind) });
  const manual = await leaseNode({
    ...options,
    automatic: false,
    observer: ({ kind }) => heard.push(`manual ${kind}`),
  });
  const released = await leaseNode(options);
  await released.release();
  connection.disconnect(true);
  await until(() => heard.includes('RENEWED'));
  expect(heard).not.toContain('manual renewed');
  await Promise.all([lease.release(), manual.release()]);
  connection.disconnect();
});

test('a renewal that was under way then, perhaps to the master before, is followed by another', async () => {
  const store = redisLeaseStore(redis.client);
  let reconnected = () => {};
  let answer = () => {};
  let sentCount = 0;
  const lease = await leaseNode({
    trustEmptyStore: true,
    windowMs: 3_600_000,
    store: {
      ...store,
      async renew(request) {
        sentCount++;
        if (sentCount === 1) await new Promise<void>((resolve) => (answer = resolve));
        return store.renew(request);
      },
      onReconnection(renew) {
        reconnected = renew;
        return () => {};
      },
    },
  });
  const first = lease.renew();
  reconnected();
  answer();
  await first;
  await until(() => sentCount === 2);
  await lease.release();
});
