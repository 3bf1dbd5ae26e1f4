import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createTestRedis, race, startRedisCluster, type TestRedis } from '@solegate/testkit';
import { compareWithLedger, DrillTeam } from '../drill.js';
import { assertGapless, type Office, openOffice, rfa, withSeries } from '../number-office.js';

/** The guarantees at full size: minutes, not seconds. */
let office: Office;
let redis: TestRedis;
let team: DrillTeam;

beforeAll(async () => {
  [office, redis] = await Promise.all([openOffice(), createTestRedis()]);
  await withSeries(office.numbering, { template: '{ORG}-{TYPE}-{DISCIPLINE}-{YEAR}-{SEQ:8}' });
  team = new DrillTeam(4);
});

afterAll(async () => {
  await team[Symbol.asyncDispose]();
  await office[Symbol.asyncDispose]();
  await redis.drop();
});

test.each([
  ['crowd', 1],
  ['crowd', 100],
  ['always', 1],
  ['always', 100],
  ['never', 1],
  ['never', 100],
] as const)(
  'lock: %s, 1,000 callers in four processes, on %i counters',
  async (lock, counters) => {
    const before = await assertGapless(office.database.pool);
    const result = await team.drill({
      databaseUrl: office.database.url,
      redisUrl: redis.url,
      callers: 250,
      rounds: 40,
      counters,
      lock,
      strike: async () => undefined,
    });
    expect(result.failures).toEqual([]);
    expect(result.told).toHaveLength(40_000);
    await compareWithLedger(office.database.pool, result);
    expect(await assertGapless(office.database.pool)).toBe(before + 40_000);
  },
  120_000,
);

test('10,000 keys, each asked for five times at once in each of four processes, give 10,000 numbers', async () => {
  const before = await assertGapless(office.database.pool);
  const result = await team.drill({
    databaseUrl: office.database.url,
    redisUrl: redis.url,
    callers: 100,
    rounds: 100,
    repeats: 5,
    keyPrefix: () => 'shared',
    strike: async () => undefined,
  });
  expect(result.failures).toEqual([]);
  expect(result.told).toHaveLength(200_000);
  expect(await assertGapless(office.database.pool)).toBe(before + 10_000);
}, 300_000);

test('a counter is created by many at once, a thousand times', async () => {
  const clerks = [office.numbering, await office.another(), await office.another(), await office.another()];
  for (let time = 0; time < 1000; time += 1) {
    const dimensions = { ORG: `NEW${time}`, DISCIPLINE: 'STR' };
    const outcomes = await race(8, (index) =>
      (clerks[index % 4] ?? office.numbering).issue({ ...rfa, dimensions }),
    );
    expect(outcomes.every(({ status }) => status === 'fulfilled')).toBe(true);
  }
  await assertGapless(office.database.pool);
}, 300_000);

test('a Redis Cluster keeps the locks of several number spaces, each in its slot', async () => {
  const cluster = await startRedisCluster({ masters: 3, replicasPerMaster: 0 });
  const spread = await openOffice({ redis: cluster.url, lock: 'always' });
  for (const space of ['P1', 'P2', 'P3']) await withSeries(spread.numbering, { space });
  const other = await spread.another();
  const outcomes = await race(300, (index) =>
    (index % 2 === 0 ? spread.numbering : other).issue({ ...rfa, space: `P${1 + (index % 3)}` }),
  );
  expect(outcomes.every(({ status }) => status === 'fulfilled')).toBe(true);
  const { rows } = await spread.database.pool.query(
    'SELECT DISTINCT guard FROM document_numbers ORDER BY guard',
  );
  expect(rows).toContainEqual({ guard: 'redis+version' });
  expect(await assertGapless(spread.database.pool)).toBe(300);
  await spread[Symbol.asyncDispose]();
  await cluster.stop();
}, 120_000);
