import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type PostgresTestServer, startPostgresServer } from '@solegate/testkit';
import { compareWithLedger, DrillTeam } from './drill.js';
import { assertGapless, type Office, openOffice, withSeries } from './number-office.js';

/** Sixteen processes seal documents of five counters in one chain, while processes and PostgreSQL are killed. */
let postgres: PostgresTestServer;
let office: Office;
let team: DrillTeam;

beforeAll(async () => {
  team = new DrillTeam(16);
  postgres = await startPostgresServer();
  office = await openOffice({ serverUrl: postgres.url });
  await office.database.pool.query('CREATE TABLE letters (number text PRIMARY KEY, seal text NOT NULL)');
  await withSeries(office.numbering, { template: '{ORG}-{TYPE}-{DISCIPLINE}-{YEAR}-{SEQ:8}' });
});

afterAll(async () => {
  await team?.[Symbol.asyncDispose]();
  await office?.[Symbol.asyncDispose]();
  await postgres?.stop();
});

const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

test('16 processes with 25 callers each, kill -9 of four of them and of PostgreSQL: no fork and no hole', async () => {
  const result = await team.drill({
    databaseUrl: office.database.url,
    lock: 'crowd',
    callers: 25,
    counters: 5,
    chain: 'issuer',
    timeoutMs: 300_000,
    strike: async (clerks) => {
      await pause(2000);
      await Promise.all(clerks.slice(0, 4).map((clerk) => clerk.kill()));
      await pause(2000);
      await postgres.kill();
      await postgres.restart();
      await pause(3000);
    },
  });
  const { pool } = office.database;
  expect(result.answered.length).toBeGreaterThan(500);
  await compareWithLedger(pool, result);
  const numberCount = await assertGapless(pool);
  const report = await office.numbering.verifyChain('issuer');
  expect(report).toMatchObject({ verifiedCount: numberCount, breaks: [], end: { position: numberCount } });
  // Each number has its document, with the seal that the chain has.
  const { rows } = await pool.query(`
    SELECT count(*)::int AS count FROM document_number_seals s
    JOIN document_numbers n ON n.counter_id = s.counter_id AND n.sequence = s.sequence
    JOIN letters l ON l.number = n.number AND l.seal = s.seal`);
  expect(rows).toEqual([{ count: numberCount }]);
  // One person who owns the tables changes one name, with the triggers off.
  await pool.query(`BEGIN; SET LOCAL session_replication_role = replica;
    UPDATE document_numbers SET actor = 'nobody' WHERE (counter_id, sequence) =
      (SELECT counter_id, sequence FROM document_number_seals WHERE position = 100); COMMIT`);
  const { breaks } = await office.numbering.verifyChain('issuer');
  expect(breaks).toEqual([expect.objectContaining({ kind: 'SEAL', position: 100 })]);
}, 600_000);
