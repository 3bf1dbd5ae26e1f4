import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { Client } from 'pg';
import {
  createTestDatabase,
  forkTypeScript,
  race,
  type TestDatabase,
  TestMigrationError,
  until,
  valuesOf,
} from '../src/index.js';

const migrations = [
  { name: '0001-trips', sql: 'CREATE TABLE trip (id int PRIMARY KEY); INSERT INTO trip VALUES (1)' },
  { name: '0002-drivers', sql: 'CREATE TABLE driver (id int PRIMARY KEY REFERENCES trip)' },
];

let database: TestDatabase;

beforeAll(async () => {
  database = await createTestDatabase({ migrations });
});

afterAll(() => database.drop());

async function isThere(url: string): Promise<boolean> {
  const name = new URL(url).pathname.slice(1);
  const { rowCount } = await database.pool.query('SELECT FROM pg_database WHERE datname = $1', [name]);
  return rowCount === 1;
}

/** Each use has a different text, so each gets a different template. A role can be created once per server. */
function migrationThatRunsOnce(): { sql: string; role: string } {
  const role = `probe_${randomUUID().replaceAll('-', '')}`;
  return { sql: `CREATE ROLE ${role}; CREATE TABLE probe ()`, role };
}

test('a database contains what the migrations created, in order', async () => {
  expect((await database.pool.query('SELECT id FROM trip')).rows).toEqual([{ id: 1 }]);
  expect((await database.pool.query('INSERT INTO driver VALUES (1)')).rowCount).toBe(1);
});

test("databases do not see each other's writes", async () => {
  await using other = await createTestDatabase({ migrations });
  await other.pool.query('INSERT INTO trip VALUES (2)');
  expect((await database.pool.query('SELECT id FROM trip WHERE id = 2')).rowCount).toBe(0);
});

describe('the template', () => {
  test('is created once, however many callers and processes request it simultaneously', async () => {
    const { sql, role } = migrationThatRunsOnce();
    const children = [1, 2].map(() =>
      forkTypeScript(new URL('./fixtures/hold-databases.ts', import.meta.url), ['postgres', '6', sql]),
    );
    const [here, ...there] = await Promise.all([
      race(6, () => createTestDatabase({ migrations: [{ name: '0001', sql }] })).then(valuesOf),
      ...children.map((child) => child.nextLine() as Promise<string[]>),
    ]);
    const urls = [...here.map(({ url }) => url), ...there.flat()];
    expect(new Set(urls).size).toBe(18);
    for (const { pool } of here) expect((await pool.query('SELECT FROM probe')).rowCount).toBe(0);

    for (const child of children) child.send('drop');
    await Promise.all([...here.map((clone) => clone.drop()), ...children.map(({ exited }) => exited)]);
    await database.pool.query(`DROP ROLE ${role}`);
  });

  test('would be created by several callers if there were no lock', async () => {
    const name = `solegate_unlocked_${randomUUID().replaceAll('-', '')}`;
    const outcomes = await race(4, async (_, barrier) => {
      const client = new Client({ connectionString: database.url });
      await client.connect();
      try {
        const { rowCount } = await client.query('SELECT FROM pg_database WHERE datname = $1', [name]);
        await barrier();
        if (rowCount === 0) await client.query(`CREATE DATABASE ${name}`);
      } finally {
        await client.end();
      }
    });
    expect(outcomes.filter(({ status }) => status === 'rejected')).toHaveLength(3);
    await database.pool.query(`DROP DATABASE ${name}`);
  });

  test('is not created if a migration fails, and the error names the migration', async () => {
    const name = `broken_${randomUUID()}`;
    const bad = { migrations: [...migrations, { name, sql: `SELECT no_such_column -- ${name}` }] };
    for (const _attempt of ['first', 'second']) {
      const failure = createTestDatabase(bad);
      await expect(failure).rejects.toThrow(TestMigrationError);
      await expect(failure).rejects.toMatchObject({
        code: 'TEST_MIGRATION',
        migration: name,
        message: expect.stringContaining('no_such_column'),
        cause: expect.objectContaining({ code: '42703' }),
      });
    }
  });
});

describe('drop', () => {
  test('removes the database, and can be repeated', async () => {
    const gone = await createTestDatabase({ migrations });
    await gone.pool.query('SELECT');
    expect(await isThere(gone.url)).toBe(true);
    await gone.drop();
    await gone.drop();
    expect(await isThere(gone.url)).toBe(false);
  });

  test('reports every connection left open, by name and last query, and removes the database', async () => {
    const leaky = await createTestDatabase({ migrations });
    const unreleased = await leaky.pool.connect();
    await unreleased.query('SELECT 42 AS forgotten');
    const own = new Client({ connectionString: leaky.url, application_name: 'forgotten worker' });
    own.on('error', () => {});
    await own.connect();
    await expect(leaky.drop()).rejects.toMatchObject({
      code: 'CONNECTION_LEAK',
      connections: [
        expect.stringContaining('SELECT 42 AS forgotten'),
        expect.stringContaining('forgotten worker'),
      ],
      message: expect.stringContaining('2 connection(s)'),
    });
    expect(await isThere(leaky.url)).toBe(false);
    unreleased.release(true);
  });

  test('works after the test has ended the pool itself', async () => {
    const ended = await createTestDatabase({ migrations });
    await ended.pool.end();
    await ended.drop();
    expect(await isThere(ended.url)).toBe(false);
  });
});

test('the databases of a killed process are removed by a later caller, those of running processes are not', async () => {
  await using child = forkTypeScript(new URL('./fixtures/hold-databases.ts', import.meta.url), [
    'postgres',
    '2',
  ]);
  const urls = (await child.nextLine()) as string[];
  await using between = await createTestDatabase({ migrations });
  expect(await Promise.all([...urls, between.url].map(isThere))).toEqual([true, true, true]);

  await child.kill();
  // Its sessions end once PostgreSQL notices.
  await until(async () => {
    await using after = await createTestDatabase({ migrations });
    expect(await Promise.all([...urls, between.url, after.url].map(isThere))).toEqual([
      false,
      false,
      true,
      true,
    ]);
    return true;
  });
});

test('lost connections cause no uncaught errors, and the pool reconnects', async () => {
  const client = await database.pool.connect();
  await Promise.all([database.pool.query('SELECT'), database.pool.query('SELECT')]);
  const name = new URL(database.url).pathname.slice(1);
  await using administrator = await createTestDatabase({ migrations: [] });
  await administrator.pool.query(
    'SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = $1',
    [name],
  );
  await expect(client.query('SELECT')).rejects.toThrow();
  client.release(true);
  expect(await until(() => database.pool.query('SELECT 1 AS alive'))).toMatchObject({ rows: [{ alive: 1 }] });
});
