import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { createTestRedis, race, startRedisCluster, type TestRedis } from '@solegate/testkit';
import { compareWithLedger, type DrillOptions, DrillTeam } from '../drill.js';
import { assertGapless, type Office, openOffice, rfa, withSeries } from '../number-office.js';
import { CALLERS, KEYS, LOCKS, NUMBERS, PROCESSES, TIMEOUT_MS } from './drill-size.js';

/** The guarantees at full size; these tests take minutes. */
let office: Office;
let redis: TestRedis;

// Each drill has its own database, so that the final check covers only its own numbers.
beforeEach(async () => {
  [office, redis] = await Promise.all([openOffice(), createTestRedis()]);
  await withSeries(office.numbering, { template: '{ORG}-{TYPE}-{DISCIPLINE}-{YEAR}-{SEQ:8}' });
});

afterEach(async () => {
  await office[Symbol.asyncDispose]();
  await redis.drop();
});

/** Expects that no call fails, no number is returned twice, and the ledger is exactly what was returned. */
async function run(team: DrillTeam, options: Omit<DrillOptions, 'databaseUrl' | 'strike'>) {
  const { url: databaseUrl } = office.database;
  const strike = async () => undefined;
  const timeoutMs = TIMEOUT_MS;
  const result = await team.drill({ databaseUrl, redisUrl: redis.url, timeoutMs, strike, ...options });
  expect(result.failures).toEqual([]);
  return { result, drawnCount: await assertGapless(office.database.pool) };
}

describe.each(PROCESSES)('%i process(es)', (processCount) => {
  let team: DrillTeam;

  beforeAll(() => {
    team = new DrillTeam(processCount);
  });

  afterAll(() => team[Symbol.asyncDispose]());

  describe.each(LOCKS)('lock: %s', (lock) => {
    test.each(CALLERS.flatMap((callerCount) => [1, 100].map((counters) => [callerCount, counters] as const)))(
      '%i callers on %i counter(s)',
      async (callerCount, counters) => {
        const callers = Math.ceil(callerCount / processCount);
        const rounds = Math.ceil(NUMBERS / callers / processCount);
        const { result, drawnCount } = await run(team, { callers, rounds, counters, lock });
        expect(result.answered).toHaveLength(callers * rounds * processCount);
        expect(drawnCount).toBe(result.answered.length);
        await compareWithLedger(office.database.pool, result);
      },
      TIMEOUT_MS,
    );
  });
});

describe.each(LOCKS)('four processes, lock: %s', (lock) => {
  test(
    `${KEYS} keys, each asked for five times at once in each, give ${KEYS} numbers`,
    async () => {
      await using team = new DrillTeam(4);
      const callers = Math.min(100, KEYS);
      const rounds = Math.ceil(KEYS / callers);
      const keyPrefix = () => `shared by ${lock}`;
      const { result, drawnCount } = await run(team, { callers, rounds, repeats: 5, keyPrefix, lock });
      expect(result.answered).toHaveLength(callers * rounds * 20);
      expect(drawnCount).toBe(callers * rounds);
    },
    TIMEOUT_MS,
  );

  test(
    'the year turns in Bangkok, on servers in four time zones',
    async () => {
      const zones = ['Pacific/Honolulu', 'UTC', 'Asia/Bangkok', 'Pacific/Kiritimati'];
      await using team = new DrillTeam(4, zones);
      const startMs = Date.UTC(2026, 11, 31, 17) - 1500;
      const rounds = Math.ceil(NUMBERS / 400);
      const { result, drawnCount } = await run(team, { callers: 100, rounds, startMs, lock });
      expect(drawnCount).toBe(result.answered.length);
      const { rows } = await office.database.pool.query(`
      SELECT count(*)::int AS strays FROM document_numbers n JOIN document_number_counters c ON c.id = n.counter_id
      WHERE n.period <> c.period OR n.business_date::text NOT LIKE c.period || '-%'`);
      expect(rows).toEqual([{ strays: 0 }]);
    },
    TIMEOUT_MS,
  );
});

test(
  'a counter is created by many at once, a thousand times',
  async () => {
    const clerks = [office.numbering, await office.another(), await office.another(), await office.another()];
    for (let time = 0; time < 1000; time += 1) {
      const dimensions = { ORG: `NEW${time}`, DISCIPLINE: 'STR' };
      const outcomes = await race(8, (index) =>
        (clerks[index % 4] ?? office.numbering).issue({ ...rfa, dimensions }),
      );
      expect(outcomes.every(({ status }) => status === 'fulfilled')).toBe(true);
    }
    await assertGapless(office.database.pool);
  },
  TIMEOUT_MS,
);

test('a Redis Cluster holds the locks of several number spaces, each in its own slot', async () => {
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
});
