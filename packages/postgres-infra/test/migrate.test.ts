import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { createTestDatabase, race, type TestDatabase, until, valuesOf } from '@solegate/testkit';
import { Pool } from 'pg';
import { DataSource } from 'typeorm';
import { checkSchema, type Migration, migrate } from '../src/index.js';
import { migrationClasses } from '../src/typeorm/index.js';

const tables: Migration = {
  name: '0001-tables',
  sql: 'CREATE TABLE thing (id int PRIMARY KEY)',
  isApplied: "SELECT to_regclass('thing') IS NOT NULL AS applied",
};
const notes: Migration = { name: '0002-notes', sql: 'ALTER TABLE thing ADD note text' };
const contract: Migration = {
  name: '0003-contract',
  sql: 'ALTER TABLE thing DROP note',
  compatibleFrom: '0002-notes',
};

let database: TestDatabase;

beforeEach(async () => {
  database = await createTestDatabase({ migrations: [] });
});
afterEach(() => database.drop());

const things = (migrations: readonly Migration[]) => ({ package: 'things', migrations });
const up = (...migrations: Migration[]) => migrate(database.pool, things(migrations));

describe('a migration', () => {
  test('runs what is missing, once', async () => {
    expect(await up(tables)).toEqual({ applied: ['0001-tables'], takenOver: [] });
    expect(await up(tables, notes)).toEqual({ applied: ['0002-notes'], takenOver: [] });
    expect(await up(tables, notes)).toEqual({ applied: [], takenOver: [] });
  });

  test('runs once, however many processes start at the same time', async () => {
    const reports = valuesOf(await race(8, () => up(tables, notes)));
    expect(reports.flatMap(({ applied }) => applied)).toEqual(['0001-tables', '0002-notes']);
  });

  test.each(['repeatable read', 'serializable'])('runs once where transactions are %s', async (isolation) => {
    const options = `-c default_transaction_isolation=${isolation.replace(' ', '\\ ')}`;
    const pool = new Pool({ connectionString: database.directUrl, options, max: 8 });
    const migrateThings = () => migrate(pool, things([tables, notes]));
    const reports = valuesOf(await race(8, migrateThings));
    await pool.end();
    expect(reports.flatMap(({ applied }) => applied)).toEqual(['0001-tables', '0002-notes']);
  });

  test('that fails leaves nothing behind', async () => {
    const broken: Migration = { name: '0002-broken', sql: 'ALTER TABLE nothing ADD note text' };
    await expect(up(tables, broken)).rejects.toMatchObject({ sqlState: '42P01' });
    expect(await up(tables)).toEqual({ applied: ['0001-tables'], takenOver: [] });
  });

  test('that finds nothing to do needs no right to change anything, also in a schema of its own', async () => {
    await migrate(database.pool, { ...things([tables]), schema: 'own' });
    const client = await database.pool.connect();
    const readOnly = async () => ({
      query: async (statement: { text: string; values: unknown[] }) => {
        const result = await client.query(statement);
        if (statement.text.startsWith('BEGIN')) await client.query('SET TRANSACTION READ ONLY');
        return result;
      },
      release: () => undefined,
    });
    const report = await migrate({ connect: readOnly }, { ...things([tables]), schema: 'own' });
    expect(report).toEqual({ applied: [], takenOver: [] });
    client.release();
  });

  test('locks tables in the given order, gives up those in use, and gets them when they are free', async () => {
    const other: Migration = { name: '0000-other', sql: 'CREATE TABLE other (id int)' };
    await up(other, tables);
    const holder = await database.pool.connect();
    const reader = await database.pool.connect();
    await holder.query('BEGIN; SELECT FROM thing');
    const options = { ...things([other, tables, notes]), lockOrder: ['other', 'missing', 'thing'] };
    const migrating = migrate(database.pool, options);
    await until(async () => {
      const { rows } = await reader.query(
        "SELECT FROM pg_locks WHERE relation = 'other'::regclass AND granted",
      );
      return rows.length > 0;
    });
    // Waits for the migration, which waits for `thing` and gives up before PostgreSQL sees the deadlock.
    await holder.query('SELECT FROM other');
    await holder.query('COMMIT');
    expect((await migrating).applied).toEqual(['0002-notes']);
    holder.release();
    reader.release();
  });

  test('that cannot have its tables in time changes nothing', async () => {
    await up(tables);
    const holder = await database.pool.connect();
    await holder.query('BEGIN; SELECT FROM thing');
    const options = { ...things([tables, notes]), lockOrder: ['thing'], timeoutMs: 1200 };
    await expect(migrate(database.pool, options)).rejects.toMatchObject({ kind: 'BUSY' });
    await holder.query('COMMIT');
    holder.release();
    expect((await up(tables, notes)).applied).toEqual(['0002-notes']);
  });

  // No test runs Citus itself: these are the columns of its two catalogs that are read, in the schema of the test.
  test.each([
    ['pg_dist_partition', '(logicalrelid regclass)', "('other'::regclass)"],
    ['pg_dist_schema', '(schemaid oid)', "('public'::regnamespace)"],
  ])(
    'refuses a schema that %s lists, with the reason, before it changes anything',
    async (catalogue, columns, row) => {
      await database.pool.query(`CREATE TABLE other (id int); CREATE TABLE ${catalogue} ${columns}`);
      const elsewhere =
        catalogue === 'pg_dist_schema' ? "('pg_toast'::regnamespace)" : "('pg_class'::regclass)";
      await database.pool.query(`INSERT INTO ${catalogue} VALUES ${elsewhere}`);
      expect((await up(tables)).applied).toEqual(['0001-tables']);
      await database.pool.query(`INSERT INTO ${catalogue} VALUES ${row}`);
      const refused = up(tables, notes);
      await expect(refused).rejects.toMatchObject({
        code: 'SCHEMA_DISTRIBUTED',
        schema: 'public',
        catalogue,
      });
      await expect(refused).rejects.toThrow(/TRUNCATE.*idempotency keys/s);
      const classes = migrationClasses([notes], {
        prefix: 'Things',
        firstTimestamp: 1_700_000_000_000,
        holds: 'holds it',
      });
      const dataSource = new DataSource({ type: 'postgres', url: database.url, migrations: [...classes] });
      await dataSource.initialize();
      await expect(dataSource.runMigrations()).rejects.toMatchObject({ code: 'SCHEMA_DISTRIBUTED' });
      await dataSource.destroy();
      const { rows } = await database.pool.query('SELECT * FROM thing');
      expect(rows).toEqual([]);
      await database.pool.query(`TRUNCATE ${catalogue}`);
      expect((await up(tables, notes)).applied).toEqual(['0002-notes']);
    },
  );

  test('in a dry run only reports what it would do', async () => {
    const report = await migrate(database.pool, { ...things([tables]), isDryRun: true });
    expect(report.applied).toEqual(['0001-tables']);
    expect((await database.pool.query("SELECT to_regclass('thing') AS thing")).rows).toEqual([
      { thing: null },
    ]);
  });

  test('goes into a schema of its own, whatever the search path', async () => {
    await migrate(database.pool, { ...things([tables]), schema: 'own"schema' });
    const { rows } = await database.pool.query(
      "SELECT table_schema FROM information_schema.tables WHERE table_name = 'thing'",
    );
    expect(rows).toEqual([{ table_schema: 'own"schema' }]);
  });

  test('of several packages in one database are recorded separately', async () => {
    await up(tables);
    const others = { package: 'others', migrations: [{ name: '0001-tables', sql: 'CREATE TABLE other ()' }] };
    expect((await migrate(database.pool, others)).applied).toEqual(['0001-tables']);
  });
});

describe('a database without a record of versions is taken over', () => {
  test('when the texts were run by hand', async () => {
    await database.pool.query(tables.sql);
    await database.pool.query('INSERT INTO thing VALUES (1)');
    expect(await up(tables, notes)).toEqual({ applied: ['0002-notes'], takenOver: ['0001-tables'] });
    expect((await database.pool.query('SELECT id, note FROM thing')).rows).toEqual([{ id: 1, note: null }]);
  });

  test('when TypeORM ran them', async () => {
    const [First] = migrationClasses([tables], {
      prefix: 'Things',
      firstTimestamp: 1_700_000_009_000,
      holds: '',
    });
    const dataSource = await new DataSource({
      type: 'postgres',
      url: database.url,
      migrations: First ? [First] : [],
    }).initialize();
    await dataSource.runMigrations();
    await dataSource.destroy();
    expect(await up(tables, notes)).toEqual({ applied: ['0002-notes'], takenOver: ['0001-tables'] });
  });
});

describe('programs of different versions', () => {
  test('work side by side while the newest schema allows it', async () => {
    await up(tables, notes, contract);
    await checkSchema(database.pool, things([tables, notes]));
    expect(await up(tables, notes)).toEqual({ applied: [], takenOver: [] });
  });

  test('that are too old are refused, with the version that they lack', async () => {
    await up(tables, notes, contract);
    const expected = {
      code: 'SCHEMA_TOO_NEW',
      version: '0003-contract',
      needed: '0002-notes',
      newest: '0001-tables',
    };
    await expect(up(tables)).rejects.toMatchObject(expected);
    await expect(checkSchema(database.pool, things([tables]))).rejects.toMatchObject(expected);
  });

  test('whose released texts differ are refused', async () => {
    await up(tables);
    const changed = { ...tables, sql: 'CREATE TABLE thing (id bigint PRIMARY KEY)' };
    await expect(up(changed)).rejects.toMatchObject({ code: 'MIGRATION_CHANGED', version: '0001-tables' });
  });

  test('may word the comments of a released text differently', async () => {
    await up(tables);
    const reworded = '-- Things.\nCREATE TABLE thing ( -- with a key\n  id int PRIMARY KEY /* the key */\n)';
    expect(await up({ ...tables, sql: reworded })).toEqual({ applied: [], takenOver: [] });
  });

  test('can inspect a database that has not been migrated', async () => {
    await checkSchema(database.pool, things([tables]));
  });
});
