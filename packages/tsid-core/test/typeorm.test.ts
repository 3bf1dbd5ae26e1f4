import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createTestDatabase, type TestDatabase } from '@solegate/testkit';
import { DataSource, EntitySchema, In } from 'typeorm';
import { createTsidGenerator, explain, TSID_53 } from '../src/index.js';
import {
  generateTsidKeys,
  initializeWithTsidKeys,
  tsidColumn,
  tsidPrimaryColumn,
  tsidTransformer,
} from '../src/typeorm/index.js';

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
  startAfterMs: 0,
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

describe('a column in another form', () => {
  interface Note {
    id: string;
    text: string;
  }
  interface Tag {
    id: number;
    text: string;
  }
  const NoteSchema = new EntitySchema<Note>({
    name: 'note',
    columns: { id: tsidPrimaryColumn({ as: 'string' }), text: { type: 'text' } },
  });
  const TagSchema = new EntitySchema<Tag>({
    name: 'tag',
    columns: { id: tsidPrimaryColumn({ as: 'number' }), text: { type: 'text' } },
  });
  const ids = createTsidGenerator({ node: 18, layout: TSID_53, namespace: 'typeorm forms' });
  let other: DataSource;
  beforeAll(async () => {
    other = new DataSource({
      type: 'postgres',
      url: database.url,
      entities: [NoteSchema, TagSchema],
      synchronize: true,
    });
    expect(() => generateTsidKeys(other, ids)).toThrow('after dataSource.initialize()');
    await other.initialize();
    generateTsidKeys(other, ids);
  });
  afterAll(async () => {
    await other.destroy();
    ids.close();
  });

  test('is text that JSON takes, and is found by it', async () => {
    const notes = other.getRepository(NoteSchema);
    const saved = await notes.save({ text: 'a' });
    expect(JSON.parse(JSON.stringify(saved))).toEqual({
      id: expect.stringMatching(/^\d{15,16}$/),
      text: 'a',
    });
    expect(await notes.findOneByOrFail({ id: saved.id })).toEqual(saved);
    await expect(notes.insert({ id: '01', text: 'b' })).rejects.toMatchObject({ code: 'MALFORMED_TSID' });
  });

  test('is a number for IDs of 53 bits, and refuses what is none', async () => {
    const tags = other.getRepository(TagSchema);
    const saved = await tags.save({ text: 'a' });
    expect(Number.isSafeInteger(saved.id)).toBe(true);
    expect(await tags.findOneByOrFail({ id: saved.id })).toEqual(saved);
    await expect(tags.insert({ id: 2 ** 53, text: 'b' })).rejects.toMatchObject({ code: 'MALFORMED_TSID' });
    await other.query('INSERT INTO tag (id, text) VALUES (9007199254740993, $1)', ['c']);
    await expect(tags.find()).rejects.toMatchObject({ code: 'TSID_OUT_OF_RANGE' });
  });
});

describe('a key without a value', () => {
  test('is generated when it is null, as forms and mappers leave it', async () => {
    const books = dataSource.getRepository(BookSchema);
    const saved = await books.save({ id: null as unknown as bigint, title: 'null' });
    expect(explain(saved.id).node).toBe(17);
  });

  test('is refused in our words before anything is sent, when nothing generates it', async () => {
    const other = new DataSource({ type: 'postgres', url: database.url, entities: [AuthorSchema] });
    await other.initialize();
    const authors = other.getRepository(AuthorSchema);
    const refusal = { code: 'TSID_KEY_MISSING', message: expect.stringContaining('call generateTsidKeys') };
    await expect(authors.save({ name: 'a' })).rejects.toMatchObject(refusal);
    await expect(authors.insert({ name: 'a' })).rejects.toMatchObject(refusal);
    await other.destroy();
  });

  test('fails the initialization, with the names of the columns, when no generator was injected', async () => {
    const other = new DataSource({ type: 'postgres', url: database.url, entities: [AuthorSchema] });
    const initialized = initializeWithTsidKeys(other, undefined);
    await expect(initialized).rejects.toThrow(/The TSID key \w+\.id has no value.*call generateTsidKeys/);
    expect(other.isInitialized).toBe(false);
    await expect(initializeWithTsidKeys(other, {} as never)).rejects.toThrow('TSID keys need a generator');
    expect(other.isInitialized).toBe(false);
  });

  test('needs no further call after an initialization with a generator', async () => {
    const other = new DataSource({ type: 'postgres', url: database.url, entities: [AuthorSchema] });
    await initializeWithTsidKeys(other, generator);
    expect(await other.getRepository(AuthorSchema).save({ name: 'b' })).toMatchObject({ name: 'b' });
    await other.destroy();
    const plain = new DataSource({ type: 'postgres', url: database.url, entities: [] });
    expect(await initializeWithTsidKeys(plain, undefined)).toBe(plain);
    await plain.destroy();
  });
});
