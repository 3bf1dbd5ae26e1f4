import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import {
  createTestDatabase,
  type FaultProxy,
  startEndingPostgres,
  startFaultProxy,
  type TestDatabase,
  until,
} from '@solegate/testkit';
import { Pool } from 'pg';
import { BoundedDatabase, Deadline, type SqlSession } from '../src/index.js';

const sql = 'CREATE TABLE counter (last int NOT NULL); INSERT INTO counter VALUES (0)';
const RAISE = 'UPDATE counter SET last = last + 1 RETURNING last';

let database: TestDatabase;
let proxy: FaultProxy;

beforeAll(async () => {
  database = await createTestDatabase({ migrations: [{ name: '0001-counter', sql }] });
  proxy = await startFaultProxy(database.url);
});
afterAll(async () => {
  await proxy.close();
  await database.drop();
});
beforeEach(async () => {
  proxy.set('pass');
  await database.pool.query('UPDATE counter SET last = 0');
});

/** Changes nothing, because the proxy may pass it on when the next test has begun. */
const LATE = 'SELECT 2';
const run = (session: SqlSession, text: string) => session.query({ text, values: [] });
const last = async () => (await database.pool.query('SELECT last FROM counter')).rows[0].last;

/** A plain pool without any time limit of its own, through the proxy. */
async function throughProxy(use: (own: BoundedDatabase, pool: Pool) => Promise<void>): Promise<void> {
  const pool = new Pool({ connectionString: proxy.url, max: 2 });
  pool.on('error', () => {});
  const own = new BoundedDatabase({ pool, connectionMax: 2 });
  await run(own.reading(Deadline.after(5_000)), 'SELECT 1');
  await use(own, pool);
  proxy.set('pass');
  await pool.end();
}

describe('a server that does not answer', () => {
  test('leaves a read unavailable and a change unknown, and costs the connection', async () => {
    await throughProxy(async (own, pool) => {
      proxy.set('blackHole');
      await expect(run(own.reading(Deadline.after(100)), LATE)).rejects.toMatchObject({
        kind: 'UNAVAILABLE',
      });
      expect(pool.totalCount).toBe(0);
    });
    await throughProxy(async (own) => {
      proxy.set('blackHole');
      await expect(run(own.changing(Deadline.after(100)), LATE)).rejects.toMatchObject({ kind: 'UNKNOWN' });
    });
  });

  test('is not sent ever more statements: further callers wait for a connection, until their deadline', async () => {
    await throughProxy(async (own, pool) => {
      proxy.set('blackHole');
      const calls = Array.from({ length: 20 }, () => run(own.changing(Deadline.after(100)), LATE));
      const kinds = (await Promise.allSettled(calls)).map(
        (call) => call.status === 'rejected' && call.reason.kind,
      );
      expect(new Set(kinds)).toEqual(new Set(['UNKNOWN', 'UNAVAILABLE']));
      expect(pool.totalCount).toBeLessThanOrEqual(2);
    });
  });

  test('occupies no connection once it answers again', async () => {
    await throughProxy(async (own) => {
      proxy.set('blackHole');
      const calls = Array.from({ length: 5 }, () => run(own.changing(Deadline.after(50)), LATE));
      await Promise.allSettled(calls);
      proxy.set('pass');
      await until(() => run(own.reading(Deadline.after(500)), 'SELECT 1'));
    });
  });
});

describe('a reply that is lost', () => {
  test('is retried if the statement can safely run twice, otherwise unknown', async () => {
    await throughProxy(async (own) => {
      proxy.set('cutAfterReply', { count: 1, matching: 'UPDATE' });
      await expect(run(own.changing(Deadline.after(2_000)), RAISE)).rejects.toMatchObject({
        kind: 'UNKNOWN',
      });
      expect(await last()).toBe(1);
      proxy.set('cutAfterReply', { count: 1, matching: 'UPDATE' });
      await run(own.changing(Deadline.after(2_000), { attemptMax: 2 }), 'UPDATE counter SET last = 7');
      expect(await last()).toBe(7);
    });
  });

  test('leaves what is wrong with a read to be said by the next attempt', async () => {
    await throughProxy(async (own) => {
      proxy.set('cutAfterReply', { count: 1, matching: 'nowhere' });
      await expect(run(own.reading(Deadline.after(2_000)), 'SELECT FROM nowhere')).rejects.toMatchObject({
        kind: 'MISCONFIGURED',
      });
      expect(proxy.strikeCount).toBe(1);
    });
  });

  test('before COMMIT means that the transaction was rolled back', async () => {
    await throughProxy(async (own) => {
      proxy.set('cutAfterReply', { count: 1, matching: 'UPDATE' });
      const call = own.transaction(Deadline.after(2_000), (session) => run(session, RAISE));
      await expect(call).rejects.toMatchObject({ kind: 'UNAVAILABLE' });
      expect(await last()).toBe(0);
    });
  });

  test('to COMMIT is unknown, whether or not the server received it', async () => {
    await throughProxy(async (own) => {
      const raise = () => own.transaction(Deadline.after(2_000), (session) => run(session, RAISE));
      proxy.set('cutAfterReply', { count: 1, matching: 'COMMIT' });
      await expect(raise()).rejects.toMatchObject({ kind: 'UNKNOWN' });
      expect(await last()).toBe(1);
      proxy.set('cutBeforeReply', { count: 1, matching: 'COMMIT' });
      await expect(raise()).rejects.toMatchObject({ kind: 'UNKNOWN' });
      expect(await last()).toBe(1);
    });
  });
});

test('a backend that is terminated during a change leaves it unknown, and the next change uses another backend', async () => {
  await throughProxy(async (own) => {
    const sleeping = run(own.changing(Deadline.after(5_000)), 'SELECT pg_sleep(3)');
    const end = `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
      WHERE query LIKE '%pg_sleep(3)%' AND pid <> pg_backend_pid() AND datname = current_database()`;
    await until(async () => (await database.pool.query(end)).rowCount);
    await expect(sleeping).rejects.toMatchObject({ kind: 'UNKNOWN' });
    expect((await run(own.changing(Deadline.after(5_000)), RAISE)).rows).toEqual([{ last: 1 }]);
  });
});

test('a connection that ends immediately after it was made fails its statement, not the process', async () => {
  using server = await startEndingPostgres();
  const pool = new Pool({ host: '127.0.0.1', port: server.port, user: 'u', database: 'd', max: 2 });
  const own = new BoundedDatabase({ pool, connectionMax: 2 });
  await expect(run(own.reading(Deadline.after(2_000)), 'SELECT 1')).rejects.toMatchObject({
    kind: 'UNAVAILABLE',
  });
  await pool.end();
});
