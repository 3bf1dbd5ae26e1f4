import { expect, test } from '@jest/globals';
import { compareWithLedger, DrillTeam } from '../drill.js';
import { migrateEightTimes } from '../next-migrations.js';
import { assertGapless, openOffice, withSeries } from '../number-office.js';
import { LOCKS, TIMEOUT_MS } from './drill-size.js';

/** How long the report beside the first migration keeps its snapshot, and with it the tables that it has read. */
const REPORT_MS = 60_000;
/** A caller that waits for longer fails. */
const WAIT_MAX_MS = 2000;

test.each(LOCKS.flatMap((lock) => [false, true].map((keyed) => ({ lock, keyed }))))(
  'eight migrations under 24 callers in four processes, the first beside a report of a minute: $lock, keys: $keyed',
  async ({ lock, keyed }) => {
    await using team = new DrillTeam(4);
    await using office = await openOffice({ redis: true });
    await withSeries(office.numbering, { template: '{ORG}-{TYPE}-{DISCIPLINE}-{YEAR}-{SEQ:8}' });
    const { pool, url: databaseUrl } = office.database;
    const result = await team.drill({
      databaseUrl,
      redisUrl: office.redisUrl,
      lock,
      callers: 6,
      counters: 7,
      requestTimeoutMs: WAIT_MAX_MS,
      timeoutMs: TIMEOUT_MS,
      ...(keyed ? { keyPrefix: (process: number) => `p${process}` } : {}),
      strike: async () => {
        const report = await pool.connect();
        await report.query('BEGIN ISOLATION LEVEL REPEATABLE READ; SELECT count(*) FROM document_numbers');
        const reporting = new Promise((resolve) => setTimeout(resolve, REPORT_MS)).then(async () => {
          const { rows } = await report.query('SELECT count(*) FROM document_number_counters');
          await report.query('COMMIT');
          report.release();
          return rows;
        });
        await migrateEightTimes(pool);
        expect(await reporting).toHaveLength(1);
      },
    });
    process.stdout.write(`${result.answered.length} numbers, the slowest in ${result.slowestMs} ms\n`);
    expect(result.failures).toEqual([]);
    const { rows } = await pool.query(
      'SELECT deadlocks::int FROM pg_stat_database WHERE datname = current_database()',
    );
    expect(rows).toEqual([{ deadlocks: 0 }]);
    expect(await compareWithLedger(pool, result)).toEqual({ unanswered: 0 });
    await assertGapless(pool);
    expect(await office.numbering.reconcile()).toEqual([]);
  },
  TIMEOUT_MS,
);
