import { expect, test } from '@jest/globals';
import { createTestDatabase, race, type TestDatabase, valuesOf } from '@solegate/testkit';
import pg from 'pg';
import { DataSource } from 'typeorm';
import { createNumbering, migrateNumbering, migrations } from '../src/index.js';
import { numberingMigrations } from '../src/typeorm/index.js';
import { rfa, withSeries } from './number-office.js';

const names = migrations.map(({ name }) => name);

async function byTypeorm({ url }: TestDatabase): Promise<void> {
  const dataSource = new DataSource({ type: 'postgres', url, migrations: [...numberingMigrations] });
  await dataSource.initialize();
  await dataSource.runMigrations();
  await dataSource.destroy();
}

async function byHand({ pool }: TestDatabase): Promise<void> {
  for (const { sql } of migrations) await pool.query(sql);
}

test.each([
  ['TypeORM', byTypeorm],
  ['running the texts', byHand],
])('a database that was made by %s is taken over', async (_, make) => {
  await using database = await createTestDatabase({ migrations: [] });
  await make(database);
  const reports = valuesOf(await race(3, () => migrateNumbering(database.pool)));
  expect(reports.flatMap(({ applied }) => applied)).toEqual([]);
  expect(reports.flatMap(({ takenOver }) => takenOver)).toEqual(names);
  const numbering = createNumbering({ database: database.pool });
  await withSeries(numbering);
  expect(await numbering.issue(rfa)).toMatchObject({ sequence: 1 });
  await numbering.close();
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
