import { expect, test } from '@jest/globals';
import { valuesOf } from '@solegate/testkit';
import { migrateEightTimes } from './next-migrations.js';
import { assertGapless, EventLog, openOffice, rfa, withSeries } from './number-office.js';

/** How long the report beside the first migration keeps its tables. */
const REPORT_MS = 8000;

test('tables are migrated under 24 callers and beside a report, and no caller sees a deadlock or gives up', async () => {
  const log = new EventLog();
  // A caller that waited for as long as the report would fail.
  const limits = { observer: log.observer, requestTimeoutMs: REPORT_MS };
  await using office = await openOffice({ ...limits, poolMax: 12 });
  await withSeries(office.numbering, { template: '{ORG}-{TYPE}-{DISCIPLINE}-{YEAR}-{SEQ:6}' });
  const { pool } = office.database;
  await pool.query('CREATE TABLE letters (number text PRIMARY KEY)');
  const numberings = [
    office.numbering,
    await office.another(),
    await office.another(),
    await office.another(),
  ];
  const writers = numberings.map((numbering) =>
    numbering.registerWriter<string>('letters', async (session, items) => {
      const values = [items.map(({ issued }) => issued.number)];
      await session.query({ text: 'INSERT INTO letters SELECT * FROM unnest($1::text[])', values });
    }),
  );
  let isOver = false;
  let issuedCount = 0;
  const callers = Array.from({ length: 24 }, async (_, index) => {
    const numbering = numberings[index % 4] ?? office.numbering;
    const writer = writers[index % 4];
    for (let call = 0; !isOver; call += 1) {
      const request = { ...rfa, dimensions: { ORG: `O${(index + call) % 7}`, DISCIPLINE: 'STR' } };
      if (index % 6 === 0) await numbering.listNumbers({ space: 'P1' }, { first: 20 });
      else if (index % 6 === 1) await writer?.issue(request, 'letter');
      else if (index % 6 === 2) await numbering.issue({ ...request, key: `${index}-${call}` });
      else await numbering.issue(request);
      issuedCount += 1;
    }
  });
  const settled = Promise.allSettled(callers);
  const report = await pool.connect();
  await report.query('BEGIN ISOLATION LEVEL REPEATABLE READ; SELECT count(*) FROM document_numbers');
  const reporting = new Promise((resolve) => setTimeout(resolve, REPORT_MS)).then(async () => {
    await report.query('COMMIT');
    report.release();
  });
  await migrateEightTimes(pool);
  const before = issuedCount;
  await new Promise((resolve) => setTimeout(resolve, 300));
  isOver = true;
  await reporting;
  valuesOf(await settled);
  expect(issuedCount).toBeGreaterThan(before);
  const { rows } = await pool.query(
    'SELECT deadlocks::int FROM pg_stat_database WHERE datname = current_database()',
  );
  expect(rows).toEqual([{ deadlocks: 0 }]);
  expect(await office.numbering.reconcile()).toEqual([]);
  await assertGapless(pool);
});
