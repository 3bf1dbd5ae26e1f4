import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createTestDatabase, type TestDatabase } from '@solegate/testkit';
import pg from 'pg';
import { DataSource } from 'typeorm';
import { createNumbering, type Numbering, type SqlSession } from '../src/index.js';
import {
  CounterEntity,
  EventEntity,
  FormatEntity,
  NumberEntity,
  numberingMigrations,
  SeriesEntity,
  typeormSession,
} from '../src/typeorm/index.js';
import { rfa, withSeries } from './number-office.js';

const entities = [SeriesEntity, FormatEntity, CounterEntity, NumberEntity, EventEntity];
let database: TestDatabase;
let dataSource: DataSource;
let pool: pg.Pool;
let numbering: Numbering;

beforeAll(async () => {
  database = await createTestDatabase({ migrations: [] });
  dataSource = new DataSource({
    type: 'postgres',
    url: database.url,
    entities,
    migrations: [...numberingMigrations],
  });
  await dataSource.initialize();
  await dataSource.runMigrations();
  pool = new pg.Pool({ connectionString: database.url });
  numbering = createNumbering({ database: pool });
  await withSeries(numbering);
});

afterAll(async () => {
  await numbering.close();
  await pool.end();
  await dataSource.destroy();
  await database.drop();
});

test('migrations run once and cannot be reverted by mistake', async () => {
  expect(await dataSource.runMigrations()).toEqual([]);
  await expect(dataSource.undoLastMigration()).rejects.toThrow('drop its tables by hand');
});

test.each(entities.map((entity) => [entity.options.tableName ?? '', entity] as const))(
  'the columns of %s are mapped one by one, each with its type',
  async (table, entity) => {
    const { rows } = await pool.query(
      `SELECT column_name AS name, data_type AS type, is_nullable = 'YES' AS nullable, collation_name AS collation
       FROM information_schema.columns WHERE table_name = $1 ORDER BY column_name`,
      [table],
    );
    const mapped = Object.values(entity.options.columns).map((column) => ({
      name: column?.name,
      type: column?.type === 'timestamptz' ? 'timestamp with time zone' : column?.type,
      nullable: column?.nullable ?? false,
      collation: column?.collation ?? null,
    }));
    expect(mapped.sort((a, b) => ((a.name ?? '') < (b.name ?? '') ? -1 : 1))).toEqual(rows);
  },
);

test('TypeORM would change nothing after the migrations', async () => {
  const { upQueries } = await dataSource.driver.createSchemaBuilder().log();
  expect(upQueries.map(({ query }) => query)).toEqual([]);
});

test('a number is issued inside a TypeORM transaction, and rolls back with it', async () => {
  await expect(
    dataSource.transaction(async (manager) => {
      await numbering.issueIn(typeormSession(manager), rfa);
      throw new Error('the app changes its mind');
    }),
  ).rejects.toThrow('changes its mind');
  const issued = await dataSource.transaction((manager) => numbering.issueIn(typeormSession(manager), rfa));
  expect(issued.sequence).toBe(1);
  const [record] = await dataSource.getRepository(NumberEntity).find();
  expect(record).toMatchObject({ number: issued.number, sequence: '1', status: 'issued', actor: 'somchai' });
});

test('a manager outside a transaction is refused', () => {
  expect(() => typeormSession(dataSource.manager)).toThrow('the manager of a transaction');
});

describe.each([
  [
    'pg',
    async (work: (session: SqlSession) => Promise<void>) => {
      const client = await pool.connect();
      try {
        await work(client);
      } finally {
        client.release();
      }
    },
  ],
  [
    'TypeORM',
    async (work: (session: SqlSession) => Promise<void>) => {
      const runner = dataSource.createQueryRunner();
      try {
        await work(typeormSession(runner));
      } finally {
        await runner.release();
      }
    },
  ],
])('a session of %s', (_, inSession) => {
  const table = `conformance_${_.toLowerCase()}`;

  test('returns rows and a count for each verb', async () => {
    await inSession(async (session) => {
      const run = (text: string, values: unknown[] = []) => session.query({ text, values });
      await run(`CREATE TABLE ${table} (id int, name text)`);
      expect(await run(`INSERT INTO ${table} VALUES ($1, $2), (2, 'b')`, [1, 'a'])).toMatchObject({
        rowCount: 2,
      });
      expect(await run(`SELECT * FROM ${table} ORDER BY id`)).toMatchObject({
        rows: [
          { id: 1, name: 'a' },
          { id: 2, name: 'b' },
        ],
        rowCount: 2,
      });
      expect(await run(`UPDATE ${table} SET name = 'c' WHERE id = 2 RETURNING id`)).toMatchObject({
        rows: [{ id: 2 }],
        rowCount: 1,
      });
      expect(await run(`DELETE FROM ${table} WHERE id = 9`)).toMatchObject({ rows: [], rowCount: 0 });
    });
  });

  test('reports the SQLSTATE and the constraint of an error', async () => {
    await inSession(async (session) => {
      await session.query({
        text: `ALTER TABLE ${table} ADD CONSTRAINT ${table}_key UNIQUE (id)`,
        values: [],
      });
      await expect(
        session.query({ text: `INSERT INTO ${table} VALUES ($1, 'again')`, values: [1] }),
      ).rejects.toMatchObject({ code: '23505', constraint: `${table}_key` });
    });
  });
});
