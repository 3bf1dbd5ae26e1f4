import { beforeAll, expect, test } from '@jest/globals';
import { createTestRedis, type TestRedis } from '@solegate/testkit';
import { leaseNode, listNodeLeases } from '../src/node-lease/index.js';
import { postgresLeaseStore } from '../src/node-lease/postgres/index.js';

let redis: TestRedis;

/** A closed connection: a call would fail as unavailable. */
beforeAll(async () => {
  redis = await createTestRedis();
  await redis.drop();
});

test('a lease with valid options does call Redis', async () => {
  await expect(leaseNode({ redis: redis.client })).rejects.toMatchObject({ code: 'NODE_LEASE_UNAVAILABLE' });
});

test.each([
  [{ windowMs: 100 }, 'windowMs is 100'],
  [{ windowMs: 900, renewEveryMs: 500 }, 'must hold two renewals'],
  [{ skewMaxMs: 20_000 }, 'must hold two renewals'],
  [{ renewEveryMs: 0 }, 'renewEveryMs is 0'],
  [{ waitMaxMs: -1 }, 'waitMaxMs is -1'],
  [{ holder: 'two\nlines' }, 'holder must be'],
  [{ windowMS: 900 }, /no option windowMS: use .*windowMs/],
  [{ nodes: { first: -1, last: 3 } }, 'nodes.first is -1'],
  [{ nodes: { first: 512, last: 1_024 } }, 'nodes.last is 1024'],
  [{ nodes: { first: 5, last: 4 } }, 'nodes.last is 4: use a whole number from 5 to 1023'],
])('%j are refused before Redis is asked', async (options, message) => {
  const refused = leaseNode({ redis: redis.client, ...options });
  await expect(refused).rejects.toMatchObject({ code: 'INVALID_LEASE_OPTIONS' });
  await expect(refused).rejects.toThrow(message);
});

test('options that do not exist are refused of whatever else asks a store', async () => {
  const refusal = /no option nameSpace: use namespace/;
  await expect(listNodeLeases(redis.client, { nameSpace: 'mine' } as object)).rejects.toThrow(refusal);
  const pool = {} as Parameters<typeof postgresLeaseStore>[0];
  expect(() => postgresLeaseStore(pool, { area: {} } as object)).toThrow(/no option area: use regions/);
  expect(() => postgresLeaseStore(pool, { region: 'west' })).toThrow(
    'region is west, which is none of regions',
  );
});
