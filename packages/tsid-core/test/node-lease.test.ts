import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createTestRedis, type TestRedis } from '@solegate/testkit';
import { createTsidGenerator } from '../src/index.js';
import { leaseNode, listNodeLeases } from '../src/node-lease/index.js';

let redis: TestRedis;
beforeAll(async () => {
  redis = await createTestRedis();
});
afterAll(() => redis.drop());

test('try', async () => {
  const events: unknown[] = [];
  const lease = await leaseNode({
    redis: redis.client,
    trustEmptyRedis: true,
    onEvent: (e) => events.push(e),
    holder: 'me',
  });
  const other = await leaseNode({ redis: redis.client });
  const generator = createTsidGenerator({ lease });
  expect(generator.explain(generator.next()).node).toBe(0);
  expect(other.node).toBe(1);
  await lease.renew();
  await lease.renew();
  expect(await listNodeLeases(redis.client)).toBe(1);
  await lease.release();
  await other.release();
  console.log(events, lease.health());
});
