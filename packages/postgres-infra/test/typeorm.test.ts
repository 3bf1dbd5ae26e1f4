import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createTestDatabase, type TestDatabase } from '@solegate/testkit';
import { DataSource } from 'typeorm';
import { sessionOf } from '../src/index.js';
import { migrationClasses } from '../src/typeorm/index.js';

let database: TestDatabase;
let dataSource: DataSource;

beforeAll(async () => {
  database = await createTestDatabase({ migrations: [] });
  const sql = 'CREATE TABLE thing (id int)';
  const options = { prefix: 'Things', firstTimestamp: 1_700_000_009_000, holds: 'holds all things' };
  const migrations = [...migrationClasses([{ name: '0001-thing', sql }], options)];
  dataSource = await new DataSource({ type: 'postgres', url: database.url, migrations }).initialize();
});
afterAll(async () => {
  await dataSource.destroy();
  await database.drop();
});

test('migrations run once and are not rolled back', async () => {
  expect((await dataSource.runMigrations()).map(({ name }) => name)).toEqual([
    'Things0001thing1700000009001',
  ]);
  expect(await dataSource.runMigrations()).toEqual([]);
  await expect(dataSource.undoLastMigration()).rejects.toThrow('holds all things');
});

test("a session runs in the caller's transaction", async () => {
  await dataSource.transaction(async (manager) => {
    const session = sessionOf(manager);
    const insert = await session.query({ text: 'INSERT INTO thing VALUES ($1), ($2)', values: [1, 2] });
    expect(insert).toEqual({ rows: [], rowCount: 2 });
    const read = await session.query({ text: 'SELECT id FROM thing ORDER BY id', values: [] });
    expect(read.rows).toEqual([{ id: 1 }, { id: 2 }]);
  });
});
