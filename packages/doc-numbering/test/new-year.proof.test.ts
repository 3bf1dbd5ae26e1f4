import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createTestRedis, type TestRedis } from '@solegate/testkit';
import { compareWithLedger, DrillTeam } from './drill.js';
import { assertGapless, type Office, openOffice, withSeries } from './number-office.js';

let office: Office;
let redis: TestRedis;
let team: DrillTeam;

beforeAll(async () => {
  [office, redis] = await Promise.all([openOffice(), createTestRedis()]);
  await withSeries(office.numbering, { template: '{ORG}-{TYPE}-{DISCIPLINE}-{YEAR}-{SEQ:8}' });
  team = new DrillTeam(4, ['Pacific/Honolulu', 'UTC', 'Asia/Bangkok', 'Pacific/Kiritimati']);
});

afterAll(async () => {
  await team[Symbol.asyncDispose]();
  await office[Symbol.asyncDispose]();
  await redis.drop();
});

test('100,000 numbers over New Year in Bangkok, on servers in four time zones', async () => {
  const newYearMs = Date.UTC(2026, 11, 31, 17);
  const result = await team.drill({
    databaseUrl: office.database.url,
    redisUrl: redis.url,
    callers: 100,
    rounds: 250,
    startMs: newYearMs - 1500,
    strike: async () => undefined,
  });
  expect(result.failures).toEqual([]);
  expect(result.answered).toHaveLength(100_000);
  expect(await compareWithLedger(office.database.pool, result)).toEqual({ unanswered: 0 });
  expect(await assertGapless(office.database.pool)).toBe(100_000);
  const { rows } = await office.database.pool.query(`
    SELECT c.period, count(*)::int AS count,
      bool_and(n.period = c.period AND n.business_date::text LIKE c.period || '-%'
        AND n.number LIKE 'O0-RFA-STR-' || c.period || '-%') AS agrees
    FROM document_numbers n JOIN document_number_counters c ON c.id = n.counter_id
    GROUP BY c.period ORDER BY c.period`);
  expect(rows).toEqual([
    { period: '2026', count: expect.any(Number), agrees: true },
    { period: '2027', count: expect.any(Number), agrees: true },
  ]);
});
