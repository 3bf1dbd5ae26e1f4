import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { createTestDatabase, race, type TestDatabase, until, valuesOf } from '@solegate/testkit';
import { Client, Pool } from 'pg';
import { BoundedDatabase, type BoundedDatabaseOptions, Deadline, type SqlSession } from '../src/index.js';

const sql = 'CREATE TABLE counter (last int NOT NULL); INSERT INTO counter VALUES (0)';
const RAISE = 'UPDATE counter SET last = last + 1 RETURNING last';

let database: TestDatabase;

beforeAll(async () => {
  database = await createTestDatabase({ migrations: [{ name: '0001-counter', sql }] });
});
afterAll(() => database.drop());
beforeEach(() => database.pool.query('UPDATE counter SET last = 0'));

const soon = () => Deadline.after(5_000);
const bounded = (options: Partial<BoundedDatabaseOptions> = {}) =>
  new BoundedDatabase({ pool: database.pool, ...options });
const run = (session: SqlSession, text: string, values: unknown[] = []) => session.query({ text, values });
const last = async () => (await database.pool.query('SELECT last FROM counter')).rows[0].last;

describe('statements', () => {
  test('are committed one by one', async () => {
    const changing = bounded().changing(soon());
    expect((await run(changing, RAISE)).rows).toEqual([{ last: 1 }]);
    expect((await run(bounded().reading(soon()), 'SELECT last FROM counter')).rows).toEqual([{ last: 1 }]);
  });

  test('of many callers use no more connections than allowed', async () => {
    let connectionCount = 0;
    let mostCount = 0;
    const pool = {
      connect: async () => {
        connectionCount += 1;
        mostCount = Math.max(mostCount, connectionCount);
        const session = await database.pool.connect();
        return {
          query: (statement: { text: string; values: unknown[] }) => session.query(statement),
          release: () => {
            connectionCount -= 1;
            session.release();
          },
        };
      },
    };
    const changing = bounded({ pool, connectionMax: 3 }).changing(soon());
    const answers = valuesOf(await race(50, () => run(changing, RAISE)));
    expect(answers.map(({ rows }) => (rows[0] as { last: number }).last).sort((a, b) => a - b)).toEqual(
      Array.from({ length: 50 }, (_, index) => index + 1),
    );
    expect([mostCount, connectionCount]).toEqual([3, 0]);
  });

  test('that find every connection in use fail at their deadline, and wait for none afterwards', async () => {
    const one = bounded({ connectionMax: 1 });
    await one.transaction(soon(), async () => {
      const late = run(one.changing(Deadline.after(30)), RAISE);
      await expect(late).rejects.toMatchObject({ kind: 'UNAVAILABLE', message: /in use until the deadline/ });
    });
    await run(one.changing(soon()), RAISE);
    expect(await last()).toBe(1);
  });

  test('that wait for a pool that others use up fail at their deadline; a connection that comes late is returned at once', async () => {
    const pool = new Pool({ connectionString: database.url, max: 1 });
    const holder = await pool.connect();
    const call = run(bounded({ pool }).changing(Deadline.after(30)), RAISE);
    await expect(call).rejects.toMatchObject({ kind: 'UNAVAILABLE', message: /no connection before/ });
    holder.release();
    await until(() => pool.idleCount === 1);
    expect(await last()).toBe(0);
    await pool.end();
  });

  test('that are refused get the meaning that the table gives, and their connection stays in use', async () => {
    const pool = new Pool({ connectionString: database.url, max: 1 });
    const changing = bounded({ pool }).changing(soon());
    const pid = async () => (await run(changing, 'SELECT pg_backend_pid() AS pid')).rows;
    const before = await pid();
    await expect(run(changing, 'SELECT 1/0')).rejects.toMatchObject({ kind: 'REFUSED', sqlState: '22012' });
    expect(await pid()).toEqual(before);
    await pool.end();
  });

  test('on a server that has become read only close their connection, and are retried on others', async () => {
    const pool = new Pool({ connectionString: database.url, max: 1 });
    pool.on('error', () => {});
    const changing = bounded({ pool }).changing(soon(), { attemptMax: 3 });
    const demoted = await pool.connect();
    await demoted.query('SET default_transaction_read_only = on');
    demoted.release();
    expect((await run(changing, RAISE)).rows).toEqual([{ last: 1 }]);
    await pool.end();
  });

  test('are sent without names after the first refusal by a pooler that does not support them', async () => {
    const pool = new Pool({ connectionString: database.url, max: 1 });
    const changing = bounded({ pool }).changing(soon());
    const raise = { name: 'raise', text: RAISE, values: [] };
    await changing.query(raise);
    // What a pooler does, as the connection sees it.
    await pool.query('DEALLOCATE ALL');
    await changing.query(raise);
    await pool.query('DEALLOCATE ALL');
    await changing.query(raise);
    expect(await last()).toBe(3);
    await pool.end();
  });

  test('whose plan a migration has invalidated run again immediately, and keep their names', async () => {
    const pool = new Pool({ connectionString: database.url, max: 1 });
    const reading = bounded({ pool }).reading(soon());
    const readAll = { name: 'read_all', text: 'SELECT * FROM counter', values: [] };
    await reading.query(readAll);
    await database.pool.query('ALTER TABLE counter ADD note text');
    expect((await reading.query(readAll)).rows).toEqual([{ last: 0, note: null }]);
    const prepared = () => run(reading, 'SELECT name FROM pg_prepared_statements');
    expect((await prepared()).rows).toEqual([]);
    await reading.query(readAll);
    expect((await prepared()).rows).toEqual([{ name: 'read_all' }]);
    await database.pool.query('ALTER TABLE counter DROP note');
    await pool.end();
  });
});

describe('a transaction', () => {
  test('keeps all of its work, or nothing if it fails or is to be rolled back', async () => {
    const raiseTwice = async (session: SqlSession) => {
      await run(session, RAISE);
      await run(session, RAISE);
      return 'done';
    };
    expect(await bounded().transaction(soon(), raiseTwice)).toBe('done');
    expect(await bounded().transaction(soon(), raiseTwice, { keeps: () => false })).toBe('done');
    const failing = bounded().transaction(soon(), async (session) => {
      await raiseTwice(session);
      throw new RangeError('of the app');
    });
    await expect(failing).rejects.toThrow(RangeError);
    expect(await last()).toBe(2);
  });

  test('whose last statement fails keeps nothing, and is known to have ended', async () => {
    const raise = (session: SqlSession) => run(session, RAISE);
    await bounded().transaction(soon(), raise, { last: () => RAISE });
    expect(await last()).toBe(2);
    const failing = bounded().transaction(soon(), raise, { last: () => 'SELECT 1/0' });
    await expect(failing).rejects.toMatchObject({ kind: 'REFUSED', sqlState: '22012' });
    expect(await last()).toBe(2);
  });

  test('that has failed is not reported as committed', async () => {
    const call = bounded().transaction(soon(), async (session) => {
      await run(session, RAISE);
      await run(session, 'SELECT 1/0').catch(() => {});
    });
    await expect(call).rejects.toMatchObject({ sqlState: '25P02' });
    expect(await last()).toBe(0);
  });

  test('ends at its deadline even if its work waits for something else, and refuses later statements', async () => {
    const one = bounded({ connectionMax: 1 });
    let lateSession: SqlSession | undefined;
    const call = one.transaction(Deadline.after(50), async (session) => {
      lateSession = session;
      await run(session, RAISE);
      await new Promise(() => {});
    });
    await expect(call).rejects.toMatchObject({ kind: 'BUSY' });
    await expect(run(lateSession as SqlSession, RAISE)).rejects.toThrow('the transaction has ended');
    await run(one.changing(soon()), 'SELECT 1');
    expect(await last()).toBe(0);
  });

  test('limits how long the server can take, for this transaction only', async () => {
    const pool = new Pool({ connectionString: database.url, max: 1 });
    const show = `SELECT current_setting('statement_timeout') AS statement,
      current_setting('idle_in_transaction_session_timeout') AS idle`;
    const inside = await bounded({ pool }).transaction(Deadline.after(10_000), (session) =>
      run(session, show),
    );
    const [{ statement, idle }] = inside.rows as [{ statement: string; idle: string }];
    expect(Number.parseInt(statement, 10)).toBeGreaterThan(0);
    expect(Number.parseInt(idle, 10)).toBeGreaterThan(0);
    expect((await pool.query(show)).rows).toEqual([{ statement: '0', idle: '0' }]);
    await pool.end();
  });

  test('that waits too long for a row is busy, and rolled back', async () => {
    const holder = new Client({ connectionString: database.url });
    await holder.connect();
    await holder.query('BEGIN');
    await holder.query(RAISE);
    const call = bounded().transaction(Deadline.after(2_000), (session) => run(session, RAISE));
    await expect(call).rejects.toMatchObject({ kind: 'BUSY' });
    await holder.query('ROLLBACK');
    await holder.end();
    expect(await last()).toBe(0);
  });

  test('runs its work again when its connection has lost the prepared statements', async () => {
    const pool = new Pool({ connectionString: database.url, max: 1 });
    const raise = { name: 'raise', text: RAISE, values: [] };
    const own = bounded({ pool });
    await own.changing(soon()).query(raise);
    await pool.query('DEALLOCATE ALL');
    await own.transaction(soon(), (session) => session.query(raise));
    expect(await last()).toBe(2);
    await pool.end();
  });
});

describe('a session that the caller lends', () => {
  test('is returned as it was: in its transaction, with its connection', async () => {
    const client = await database.pool.connect();
    await client.query('BEGIN');
    const lent = bounded().lent(client, Deadline.after(50));
    await run(lent, RAISE);
    await expect(run(lent, 'SELECT pg_sleep(0.2)')).rejects.toMatchObject({ kind: 'UNKNOWN' });
    await client.query('COMMIT');
    client.release();
    expect(await last()).toBe(1);
  });

  test('is not used again after a failure, which has ended its transaction', async () => {
    const client = await database.pool.connect();
    await client.query('BEGIN');
    const lent = bounded().lent(client, soon());
    await expect(run(lent, 'SELECT 1/0')).rejects.toMatchObject({ kind: 'REFUSED' });
    await client.query('ROLLBACK');
    client.release();
  });
});
