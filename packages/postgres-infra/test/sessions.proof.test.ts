import { setTimeout } from 'node:timers/promises';
import { PGlite } from '@electric-sql/pglite';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createTestDatabase, type TestDatabase } from '@solegate/testkit';
import { drizzle } from 'drizzle-orm/node-postgres';
import { bigint, pgTable } from 'drizzle-orm/pg-core';
import { drizzle as drizzleOverPostgresJs } from 'drizzle-orm/postgres-js';
import knexOf from 'knex';
import { CamelCasePlugin, Kysely, PostgresDialect } from 'kysely';
import pg from 'pg';
import postgres from 'postgres';
import { DataSource } from 'typeorm';
import {
  BoundedDatabase,
  Deadline,
  migrate,
  poolOf,
  type SqlDatabase,
  type SqlStatement,
  type SqlTransaction,
  sessionOf,
} from '../src/index.js';

let stores: TestDatabase;
let pool: pg.Pool;
let sql: postgres.Sql;
let kysely: Kysely<unknown>;
let knex: knexOf.Knex;
let dataSource: DataSource;
let lite: PGlite;

beforeAll(async () => {
  stores = await createTestDatabase({ migrations: [] });
  const { url } = stores;
  pool = new pg.Pool({ connectionString: url, max: 4 });
  sql = postgres(url, { max: 2, onnotice: () => undefined });
  kysely = new Kysely({ dialect: new PostgresDialect({ pool }), plugins: [new CamelCasePlugin()] });
  knex = knexOf({ client: 'pg', connection: url, pool: { min: 0, max: 2 } });
  dataSource = await new DataSource({ type: 'postgres', url }).initialize();
  lite = await PGlite.create();
  await pool.query('CREATE TABLE thing (id bigint PRIMARY KEY, made_at timestamptz)');
});
afterAll(async () => {
  await Promise.all([sql.end({ timeout: 1 }), knex.destroy(), dataSource.destroy(), kysely.destroy()]);
  await lite.close();
  await stores.drop();
});

/** Runs work in a transaction of a library, with what the library passes for it. */
type Begin = (work: (transaction: SqlTransaction) => Promise<void>) => Promise<unknown>;

const TRANSACTIONS: readonly (readonly [library: string, begin: Begin])[] = [
  [
    'pg',
    async (work) => {
      const client = await pool.connect();
      try {
        await client.query('BEGIN');
        await work(client);
        await client.query('COMMIT');
      } catch (error) {
        await client.query('ROLLBACK');
        throw error;
      } finally {
        client.release();
      }
    },
  ],
  ['Drizzle', (work) => drizzle({ client: pool }).transaction(work)],
  ['Drizzle over postgres.js', (work) => drizzleOverPostgresJs({ client: sql }).transaction(work)],
  ['Kysely', (work) => kysely.transaction().execute(work)],
  ['Knex', (work) => knex.transaction(work)],
  ['a nested transaction of Knex', (work) => knex.transaction((outer) => outer.transaction(work))],
  ['TypeORM', (work) => dataSource.transaction(work)],
  ['postgres.js', (work) => sql.begin(work)],
];

test.each<readonly [string, Begin]>([...TRANSACTIONS, ['PGlite', (work) => lite.transaction(work)]])(
  'a semicolon changes nothing in the transaction of %s',
  async (_, begin) => {
    await begin(async (transaction) => {
      const run = (text: string) => sessionOf(transaction).query({ text, values: [] });
      expect(await run('SELECT 7 AS n;')).toMatchObject({ rows: [{ n: 7 }], rowCount: 1 });
      expect(await run("SELECT ';' AS n UNION SELECT '' ORDER BY n")).toMatchObject({
        rows: [{ n: '' }, { n: ';' }],
        rowCount: 2,
      });
      await run('CREATE TEMPORARY TABLE piece (id int); INSERT INTO piece VALUES (1)');
      expect(await run('UPDATE piece SET id = 2;')).toMatchObject({ rows: [], rowCount: 1 });
      await run('DROP TABLE piece');
    });
  },
);

describe.each(TRANSACTIONS)('in the transaction of %s', (_, begin) => {
  test('statements get their values, return rows as pg does, and roll back with it', async () => {
    const made = new Date('2026-01-02T03:04:05.678Z');
    const work = begin(async (transaction) => {
      const session = sessionOf(transaction);
      const insert = { text: 'INSERT INTO thing VALUES ($1, $2)', values: [7, made] };
      expect(await session.query(insert)).toMatchObject({ rowCount: 1 });
      const { rows, rowCount } = await session.query({
        text: `SELECT id AS big_id, made_at, $1::bigint AS twice, $1::bigint + 1 AS again, $2::text[] AS texts, ($6::int[])[2] IS NULL AS is_hole,
          $3::text AS missing, $4::boolean AS yes, '{"a":1}'::json AS json, $5::jsonb AS jsonb, ARRAY[7::bigint] AS ids FROM thing WHERE '?' <> ':x'`,
        values: ['9007199254740993', ['a "b"', 'c,\\d'], undefined, true, '{"b":[2]}', [1, null]],
      });
      const row = {
        big_id: '7',
        made_at: made,
        twice: '9007199254740993',
        again: '9007199254740994',
        texts: ['a "b"', 'c,\\d'],
        is_hole: true,
        missing: null,
        yes: true,
        json: { a: 1 },
        jsonb: { b: [2] },
        ids: ['7'],
      };
      expect(rows).toEqual([row]);
      expect(rowCount).toBe(1);
      throw new Error('the app changes its mind');
    });
    await expect(work).rejects.toThrow('changes its mind');
    expect((await pool.query('SELECT FROM thing')).rowCount).toBe(0);
  });

  test('each verb returns rows and a count', async () => {
    await begin(async (transaction) => {
      const session = sessionOf(transaction);
      const run = (text: string) => session.query({ text, values: [] });
      const two = 'INSERT INTO thing VALUES (1), (2) RETURNING id';
      expect(await run(two)).toMatchObject({ rows: [{ id: '1' }, { id: '2' }], rowCount: 2 });
      expect(await run('UPDATE thing SET made_at = now()')).toMatchObject({ rows: [], rowCount: 2 });
      expect(await run('DELETE FROM thing WHERE id = 9')).toMatchObject({ rows: [], rowCount: 0 });
      expect(await run('DELETE FROM thing')).toMatchObject({ rows: [], rowCount: 2 });
    });
  });

  test('a refused statement names the state and the constraint', async () => {
    const database = new BoundedDatabase({ pool });
    const work = begin(async (transaction) => {
      const session = database.lent(sessionOf(transaction), Deadline.after(5000));
      const insert = { text: 'INSERT INTO thing VALUES ($1, now()), ($1, now())', values: [1] };
      await session.query(insert);
    });
    await expect(work).rejects.toMatchObject({
      kind: 'CONFLICT',
      sqlState: '23505',
      constraint: 'thing_pkey',
    });
  });
});

test.each<[string, () => unknown, RegExp]>([
  [
    'undefined',
    () => undefined,
    /is undefined; pass a transaction of Prisma, Drizzle, .* query\(\{ text, values/,
  ],
  ['nothing', () => ({}), /an object without properties; pass/],
  ['another object', () => ({ a: 1, b: 2 }), /an object with a, b; pass/],
  ['a URL', () => 'postgres://user:secret@host', /is a string; pass/],
  ['a pool of pg', () => pool, /pg, but no open transaction; write const client = await pool.connect\(\)/],
  ['Drizzle', () => drizzle({ client: pool }), /Drizzle, .* write db.transaction\(\(tx\)/],
  ['Kysely', () => kysely, /Kysely, .* write db.transaction\(\).execute\(\(tx\)/],
  ['Knex', () => knex, /Knex, .* write knex.transaction\(\(tx\)/],
  ['a DataSource', () => dataSource, /TypeORM, .* write dataSource.transaction\(/],
  ['a manager', () => dataSource.manager, /TypeORM, .* write dataSource.transaction\(/],
  ['a QueryRunner', () => dataSource.createQueryRunner(), /TypeORM, .* write dataSource.transaction\(/],
  ['postgres.js', () => sql, /postgres\.js, .* write sql.begin\(\(tx\)/],
  [
    'Prisma',
    () => ({ $queryRawUnsafe: () => [], $connect: () => undefined }),
    /Prisma, .* prisma.\$transaction/,
  ],
])('as a session, %s is refused with the line to write', (_, source, text) => {
  expect(() => sessionOf(source())).toThrow(text);
  expect(() => sessionOf(source())).not.toThrow(/secret/);
});

test("a session of our own transaction serves a library's own statements", async () => {
  const things = pgTable('thing', { id: bigint({ mode: 'number' }) });
  const database = new BoundedDatabase({ pool });
  const kept = await database.transaction(
    Deadline.after(5000),
    async (session) => {
      await session.query('INSERT INTO thing VALUES ($1)', [31]);
      await session.query({ text: 'INSERT INTO thing VALUES ($1)' } as SqlStatement, [32]);
      const orm = drizzle({ client: session as object as pg.PoolClient });
      await orm.insert(things).values({ id: 33 });
      return orm.select().from(things);
    },
    { keeps: () => false },
  );
  expect(kept).toEqual([{ id: 31 }, { id: 32 }, { id: 33 }]);
});

test('the compiler refuses what is no transaction', () => {
  const issueIn: (transaction: SqlTransaction) => void = () => undefined;
  // @ts-expect-error: each statement would have a connection of its own
  issueIn(pool);
  // @ts-expect-error: no transaction
  issueIn(kysely);
  // @ts-expect-error: no transaction
  issueIn(drizzle({ client: pool }));
  // @ts-expect-error: no transaction
  issueIn(knex);
  // @ts-expect-error: no transaction
  issueIn(dataSource);
  // @ts-expect-error: no transaction
  issueIn(sql);
  issueIn(new pg.Client());
});

describe.each<[string, () => SqlDatabase]>([
  ['pg', () => pool],
  ['TypeORM', () => dataSource],
  ['Drizzle', () => drizzle({ client: pool })],
  ['Knex', () => knex],
])('the connections of %s', (library, source) => {
  test('run transactions and migrations, and no later caller finds an abandoned transaction', async () => {
    const database = new BoundedDatabase({ pool: poolOf(source()), connectionMax: 2 });
    const slow = { text: 'SELECT pg_sleep(0.4)', values: [] };
    const late = database.transaction(Deadline.after(200), (session) => session.query(slow));
    await expect(late).rejects.toMatchObject({ name: 'PostgresFailure' });
    const text =
      'SELECT now() = statement_timestamp() OR $1 AS is_fresh, pg_current_xact_id_if_assigned() AS xid';
    const reads = [1, 2, 3].map(() =>
      database.changing(Deadline.after(5000)).query({ text, values: [true] }),
    );
    for (const { rows } of await Promise.all(reads)) expect(rows).toEqual([{ is_fresh: true, xid: null }]);
    const sqlText = `CREATE TABLE of_${library.replaceAll(/\W/g, '_')} (id int); SELECT 1`;
    const report = await migrate(source(), { package: library, migrations: [{ name: '1', sql: sqlText }] });
    expect(report.applied).toEqual(['1']);
  });

  test.each(['during a statement', 'between two'])(
    'may end %s: the next callers get others',
    async (when) => {
      const database = new BoundedDatabase({ pool: poolOf(source()), connectionMax: 2 });
      const deadline = Deadline.after(30_000);
      const end = { text: 'SELECT pg_terminate_backend($1, 5000)', values: [0] };
      const lost = database.transaction(deadline, async (session) => {
        const { rows } = await session.query('SELECT pg_backend_pid() AS pid');
        const { pid } = rows[0] as { pid: number };
        if (when === 'during a statement') return session.query({ ...end, values: [pid] });
        await pool.query(end.text, [pid]);
        // The driver must have noticed, or this would be during a statement.
        await setTimeout(100);
        return session.query('SELECT 1');
      });
      await expect(lost).rejects.toMatchObject({ name: 'PostgresFailure' });
      const reads = [1, 2, 3, 4].map(() =>
        database.changing(deadline).query({ text: 'SELECT 7 AS n', values: [] }),
      );
      for (const { rows } of await Promise.all(reads)) expect(rows).toEqual([{ n: 7 }]);
    },
  );
});

test.each<[string, () => unknown, RegExp]>([
  ['a URL', () => 'postgres://user:secret@host', /is a string; pass new Pool\(\{ connectionString \}\)/],
  ['nothing', () => undefined, /is undefined; pass a Pool of pg/],
  ['an object', () => ({}), /without properties; pass a Pool of pg/],
  ['a client', () => new pg.Client(), /pg without connections; pass new Pool/],
  ['Kysely', () => kysely, /Kysely without connections; pass the Pool that was given to PostgresDialect/],
  ['postgres.js', () => sql, /postgres\.js without connections; pass a pg Pool on the same database/],
  [
    'Drizzle over postgres.js',
    () => drizzleOverPostgresJs({ client: sql }),
    /Drizzle without connections; pass .* with a Pool of pg, or PGlite/,
  ],
  ['Prisma', () => ({ $queryRawUnsafe: () => [] }), /Prisma without connections; pass a pg Pool/],
  ['a DataSource too early', () => new DataSource({ type: 'postgres' }), /await dataSource.initialize\(\)/],
])('as a database, %s is refused with what to pass', (_, source, text) => {
  expect(() => poolOf(source())).toThrow(text);
  expect(() => poolOf(source())).not.toThrow(/secret/);
});
