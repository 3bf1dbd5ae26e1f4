import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createTestDatabase, type TestDatabase } from '@solegate/testkit';
import { DataSource, EntitySchema, In } from 'typeorm';
import { createTsidGenerator, explain } from '../src/index.js';
import { generateTsidKeys, tsidColumn, tsidPrimaryColumn, tsidTransformer } from '../src/typeorm/index.js';

interface Author {
  id: bigint;
  name: string;
}

interface Book {
  id: bigint;
  title: string;
  replaces: bigint | null;
  author: Author | null;
}

const AuthorSchema = new EntitySchema<Author>({
  name: 'author',
  columns: { id: tsidPrimaryColumn(), name: { type: 'text' } },
});

const BookSchema = new EntitySchema<Book>({
  name: 'book',
  columns: {
    id: tsidPrimaryColumn(),
    title: { type: 'text' },
    replaces: tsidColumn({ nullable: true }),
  },
  relations: { author: { type: 'many-to-one', target: 'author', nullable: true, cascade: true } },
});

let database: TestDatabase;
let dataSource: DataSource;
const generator = createTsidGenerator({
  node: 17,
  namespace: 'typeorm test',
  overflow: { borrowMaxMs: 1_000 },
});

beforeAll(async () => {
  database = await createTestDatabase({ migrations: [] });
  const entities = [AuthorSchema, BookSchema];
  dataSource = new DataSource({ type: 'postgres', url: database.url, entities, synchronize: true });
  await dataSource.initialize();
  generateTsidKeys(dataSource, generator);
});

afterAll(async () => {
  await dataSource.destroy();
  await database.drop();
  generator.close();
});

describe('a key made by the generator', () => {
  test('is set by save and read back as the same bigint', async () => {
    const books = dataSource.getRepository(BookSchema);
    const saved = await books.save(books.create({ title: 'Dune' }));
    expect(explain(saved.id).node).toBe(17);
    expect(await books.findOneByOrFail({ id: saved.id })).toEqual({
      id: saved.id,
      title: 'Dune',
      replaces: null,
    });
  });

  test('is set by insert, one for each row', async () => {
    const books = dataSource.getRepository(BookSchema);
    const rows = [{ title: 'a' }, { title: 'b' }, { title: 'c' }];
    const { identifiers } = await books.insert(rows);
    const ids = identifiers.map(({ id }) => id as bigint);
    expect(new Set(ids).size).toBe(3);
    expect(await books.countBy({ id: In(ids) })).toBe(3);
  });

  test('is set for entities saved by cascade, and the foreign key is the same bigint', async () => {
    const books = dataSource.getRepository(BookSchema);
    const { id } = await books.save(books.create({ title: 'Emma', author: { name: 'Austen' } }));
    const found = await books.findOneOrFail({ where: { id }, relations: { author: true } });
    expect(found.author?.name).toBe('Austen');
    expect(typeof found.author?.id).toBe('bigint');
  });

  test('leaves a key that the caller chose', async () => {
    const books = dataSource.getRepository(BookSchema);
    const id = generator.next();
    expect((await books.save({ id, title: 'Ulysses' })).id).toBe(id);
  });
});

describe('a TSID column', () => {
  test('updates in place instead of inserting again', async () => {
    const books = dataSource.getRepository(BookSchema);
    const book = await books.save(books.create({ title: 'first' }));
    const before = await books.count();
    await books.save({ ...book, title: 'second' });
    expect(await books.count()).toBe(before);
    expect((await books.findOneByOrFail({ id: book.id })).title).toBe('second');
  });

  test.each([0n, 1n, 2n ** 53n + 1n, 2n ** 63n - 1n, 2n ** 63n, 2n ** 64n - 1n])(
    'keeps %s exactly',
    async (value) => {
      const books = dataSource.getRepository(BookSchema);
      const { id } = await books.save(books.create({ title: 'edge', replaces: value }));
      expect((await books.findOneByOrFail({ id })).replaces).toBe(value);
    },
  );

  test('refuses anything but an unsigned 64-bit number before storing it', async () => {
    const books = dataSource.getRepository(BookSchema);
    const before = await books.count();
    for (const replaces of [-1n, 2n ** 64n]) {
      await expect(books.save(books.create({ title: 'wrong', replaces }))).rejects.toMatchObject({
        code: 'TSID_OUT_OF_RANGE',
      });
    }
    expect(await books.count()).toBe(before);
  });

  test('makes a BIGINT column, which the schema builder finds unchanged', async () => {
    const pending = await dataSource.driver.createSchemaBuilder().log();
    expect(pending.upQueries).toEqual([]);
    const { rows } = await database.pool.query(
      `SELECT data_type FROM information_schema.columns WHERE table_name = 'book' AND column_name = 'id'`,
    );
    expect(rows).toEqual([{ data_type: 'bigint' }]);
  });
});

test('a number that a driver rounded is refused, a small one is not', () => {
  expect(tsidTransformer.from(7)).toBe(7n);
  expect(() => tsidTransformer.from(2 ** 53)).toThrow(expect.objectContaining({ code: 'MALFORMED_TSID' }));
});
