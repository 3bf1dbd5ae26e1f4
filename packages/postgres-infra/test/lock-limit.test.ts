import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { createTestDatabase, type TestDatabase } from '@solegate/testkit';
import { Client } from 'pg';
import { BoundedDatabase, Deadline, lockLimit, withLockLimit } from '../src/index.js';

const sql = 'CREATE TABLE item (id int PRIMARY KEY, owner text); INSERT INTO item VALUES (1), (2)';
const TAKE = `
WITH ${lockLimit('$1')}, locked AS MATERIALIZED (
  SELECT id FROM lock_limit, item WHERE id = $2 FOR UPDATE OF item
)
UPDATE item SET owner = 'me' FROM locked WHERE item.id = locked.id RETURNING item.id`;

let database: TestDatabase;
let holder: Client;

beforeAll(async () => {
  database = await createTestDatabase({ migrations: [{ name: '0001-item', sql }] });
});
afterAll(() => database.drop());
beforeEach(() => database.pool.query('UPDATE item SET owner = NULL'));

async function whileRowOneIsHeld(use: () => Promise<void>): Promise<void> {
  holder = new Client({ connectionString: database.url });
  await holder.connect();
  try {
    await holder.query('BEGIN');
    await holder.query('SELECT 1 FROM item WHERE id = 1 FOR UPDATE');
    await use();
  } finally {
    await holder.end();
  }
}

const changing = () => new BoundedDatabase({ pool: database.pool }).changing(Deadline.after(10_000));

describe('a statement with a lock limit', () => {
  test('stops waiting for a locked row, and reports that it was busy', async () => {
    await whileRowOneIsHeld(async () => {
      const call = changing().query({ text: TAKE, values: ['50', 1] });
      await expect(call).rejects.toMatchObject({ kind: 'BUSY', sqlState: '55P03' });
    });
  });

  test('locks a free row, and leaves no limit behind', async () => {
    const session = await database.pool.connect();
    await whileRowOneIsHeld(async () => {
      expect((await session.query(TAKE, ['50', 2])).rows).toEqual([{ id: 2 }]);
      expect((await session.query('SHOW lock_timeout')).rows).toEqual([{ lock_timeout: '0' }]);
    });
    session.release();
  });

  test('also limits a wait for a key that another transaction has just written', async () => {
    await whileRowOneIsHeld(async () => {
      await holder.query("INSERT INTO item VALUES (3, 'holder')");
      const text = `WITH ${lockLimit('$1')}, row AS MATERIALIZED (SELECT 3 AS id FROM lock_limit)
        INSERT INTO item SELECT id, 'me' FROM row`;
      await expect(changing().query({ text, values: ['50'] })).rejects.toMatchObject({ kind: 'BUSY' });
    });
  });
});

test("in a caller's transaction, the caller's own limit is restored", async () => {
  const session = await database.pool.connect();
  await session.query("BEGIN; SET LOCAL lock_timeout = '7s'");
  const inside = await withLockLimit(session, 50, {
    work: () => session.query('SHOW lock_timeout'),
    refuse: () => new Error('no transaction'),
  });
  expect(inside.rows).toEqual([{ lock_timeout: '50ms' }]);
  expect((await session.query('SHOW lock_timeout')).rows).toEqual([{ lock_timeout: '7s' }]);
  await session.query('ROLLBACK');
  session.release();
});

test('outside a transaction, work that has to be part of one does not run', async () => {
  const session = await database.pool.connect();
  let hasRun = false;
  const refused = withLockLimit(session, 50, {
    work: async () => {
      hasRun = true;
    },
    refuse: () => new Error('no transaction'),
  });
  await expect(refused).rejects.toThrow('no transaction');
  expect(hasRun).toBe(false);
  session.release();
});
