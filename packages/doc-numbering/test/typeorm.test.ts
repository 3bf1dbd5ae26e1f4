import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createTestDatabase, type TestDatabase } from '@solegate/testkit';
import pg from 'pg';
import { DataSource } from 'typeorm';
import { createNumbering, type Numbering } from '../src/index.js';
import {
  CounterEntity,
  EventEntity,
  FormatEntity,
  NumberEntity,
  numberingMigrations,
  SeriesEntity,
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
      type: column?.array
        ? 'ARRAY'
        : column?.type === 'timestamptz'
          ? 'timestamp with time zone'
          : column?.type,
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
      await numbering.issueIn(manager, rfa);
      throw new Error('the app changes its mind');
    }),
  ).rejects.toThrow('changes its mind');
  const issued = await dataSource.transaction((manager) => numbering.issueIn(manager, rfa));
  expect(issued.sequence).toBe(1);
  const [record] = await dataSource.getRepository(NumberEntity).find();
  expect(record).toMatchObject({ number: issued.number, sequence: '1', status: 'issued', actor: 'somchai' });
});

test('a manager outside a transaction is refused', async () => {
  const refused = numbering.issueIn(dataSource.manager, rfa);
  await expect(refused).rejects.toMatchObject({ code: 'INVALID_REQUEST', field: 'session' });
});
