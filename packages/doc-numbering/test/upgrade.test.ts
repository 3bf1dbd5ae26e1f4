import { expect, test } from '@jest/globals';
import { createTestDatabase, race, type TestDatabase, valuesOf } from '@solegate/testkit';
import pg from 'pg';
import { DataSource } from 'typeorm';
import { createNumbering, migrateNumbering, migrations } from '../src/index.js';
import { numberingMigrations } from '../src/typeorm/index.js';
import { assertGapless, rfa, rfaTemplate, withSeries } from './number-office.js';

const names = migrations.map(({ name }) => name);

async function byTypeorm({ url }: TestDatabase): Promise<void> {
  const dataSource = new DataSource({
    type: 'postgres',
    url,
    migrations: [...numberingMigrations].slice(0, 2),
  });
  await dataSource.initialize();
  await dataSource.runMigrations();
  await dataSource.destroy();
}

/** As the README said before there was a call for it. */
async function byHand({ pool }: TestDatabase): Promise<void> {
  for (const { sql } of migrations.slice(0, 2)) await pool.query(sql);
}

/** Twenty numbers as the programs of that time left them. */
const NUMBERS = `
WITH s AS (
  INSERT INTO document_number_series (space, code, dimensions, reset, time_zone, fiscal_start_month, fiscal_year_named_by,
    start_at, date_order)
  VALUES ('P1', 'RFA', '[{"token":"ORG"},{"token":"DISCIPLINE"}]', 'year', 'Asia/Bangkok', 1, 'start', 1, false)
  RETURNING id
),
f AS (
  INSERT INTO document_number_formats (series_id, version, template, overflow, valid_from, created_by)
  SELECT id, 1, '${rfaTemplate}', 'error', '-infinity', 'admin' FROM s
)
INSERT INTO document_number_counters (series_id, dimensions, period, first_number, last_number)
SELECT id, '{"DISCIPLINE":"STR","ORG":"PAT"}', to_char(now() AT TIME ZONE 'Asia/Bangkok', 'YYYY'), 1, 0 FROM s;
INSERT INTO document_numbers (counter_id, sequence, space, number, period, status, format_version, business_date, actor)
SELECT c.id, n, 'P1', 'PAT-RFA-STR-' || c.period || '-' || lpad(n::text, 4, '0'), c.period, 'issued', 1,
  (c.period || '-01-01')::date, 'somchai'
FROM document_number_counters c, generate_series(1, 20) n`;

test.each([
  ['TypeORM', byTypeorm],
  ['running the texts', byHand],
])('a database that was made by %s is taken over with its numbers', async (_, make) => {
  await using database = await createTestDatabase({ migrations: [] });
  await make(database);
  await database.pool.query(NUMBERS);
  const reports = valuesOf(await race(3, () => migrateNumbering(database.pool)));
  const done = {
    applied: reports.flatMap(({ applied }) => applied),
    takenOver: reports.flatMap(({ takenOver }) => takenOver),
  };
  expect(done).toEqual({ applied: names.slice(2), takenOver: names.slice(0, 2) });
  const after = createNumbering({ database: database.pool });
  expect(await after.issue(rfa)).toMatchObject({ sequence: 21 });
  expect(await after.reconcile()).toEqual([]);
  await after.close();
  expect(await assertGapless(database.pool)).toBe(21);
});

test('a new database gets every version once, in a schema of its own if wanted, and a dry run changes nothing', async () => {
  await using database = await createTestDatabase({ migrations: [] });
  expect(await migrateNumbering(database.pool, { isDryRun: true })).toEqual({
    applied: names,
    takenOver: [],
  });
  expect((await database.pool.query("SELECT to_regclass('document_numbers') AS found")).rows).toEqual([
    { found: null },
  ]);
  for (const applied of [names, []]) {
    expect(await migrateNumbering(database.pool, { schema: 'numbers' })).toEqual({ applied, takenOver: [] });
  }
  const pool = new pg.Pool({ connectionString: database.directUrl, options: '-c search_path=numbers' });
  const numbering = createNumbering({ database: pool });
  await withSeries(numbering);
  expect(await numbering.issue(rfa)).toMatchObject({ sequence: 1 });
  await numbering.close();
  await pool.end();
});
