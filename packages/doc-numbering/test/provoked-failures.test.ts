import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { race, valuesOf } from '@solegate/testkit';
import type { PoolClient } from 'pg';
import { assertGapless, EventLog, type Office, openOffice, rfa, withSeries } from './number-office.js';

/** Deadlocks, serialization failures and cancelled statements, caused deliberately by other sessions. */
const log = new EventLog();
let office: Office;

beforeAll(async () => {
  office = await openOffice({ observer: log.observer, poolMax: 20 });
  await withSeries(office.numbering);
  await office.numbering.issue(to('A'));
  await office.numbering.issue(to('B'));
});

afterAll(async () => {
  await office[Symbol.asyncDispose]();
});

const to = (org: string) => ({ ...rfa, dimensions: { ORG: org, DISCIPLINE: 'STR' } });

async function begin(statement = 'BEGIN'): Promise<PoolClient> {
  const client = await office.pool.connect();
  await client.query(statement);
  return client;
}

async function end(client: PoolClient, statement: 'COMMIT' | 'ROLLBACK'): Promise<void> {
  await client.query(statement).catch(() => client.query('ROLLBACK'));
  client.release();
}

test('a deadlock with a transaction that locks in another order costs a retry, not a number', async () => {
  for (let round = 0; round < 3; round += 1) {
    const rude = await begin();
    const { rows } = await rude.query<{ id: string }>(
      'SELECT id FROM document_number_counters ORDER BY id DESC',
    );
    await rude.query('SELECT FROM document_number_counters WHERE id = $1 FOR UPDATE', [rows[0]?.id]);
    const drawing = race(10, (index) => office.numbering.issue(to(index % 2 === 0 ? 'A' : 'B')));
    const locked = rude
      .query('SELECT FROM document_number_counters WHERE id = $1 FOR UPDATE', [rows[1]?.id])
      .catch(() => undefined);
    await locked;
    await end(rude, 'ROLLBACK');
    valuesOf(await drawing);
  }
  await assertGapless(office.pool);
});

test('callers in conflicting SERIALIZABLE transactions retry; no number is lost or drawn twice', async () => {
  let conflicts = 0;
  const drawn = valuesOf(
    await race(10, async () => {
      for (;;) {
        const client = await begin('BEGIN ISOLATION LEVEL SERIALIZABLE');
        try {
          const issued = await office.numbering.issueIn(client, to('S'));
          await client.query('COMMIT');
          client.release();
          return issued.sequence;
        } catch (error) {
          await end(client, 'ROLLBACK');
          // 40001, or a row outside this transaction's snapshot.
          if (Reflect.get(Object(error), 'code') !== 'BUSY') throw error;
          conflicts += 1;
        }
      }
    }),
  );
  expect(drawn.sort((a, b) => a - b)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
  expect(conflicts).toBeGreaterThan(0);
  await assertGapless(office.pool);
});

test('a statement that the server cancels on its timeout is retried', async () => {
  await office.database.pool.query(
    `ALTER DATABASE ${new URL(office.database.url).pathname.slice(1)} SET statement_timeout = '200ms'`,
  );
  const impatient = await office.another();
  const holder = await begin();
  await holder.query('SELECT FROM document_number_counters FOR UPDATE');
  const drawing = impatient.issue(to('A'));
  await new Promise<void>((resolve) => {
    const timer = setInterval(() => {
      if (log.count('storeRetried') === 0) return;
      clearInterval(timer);
      resolve();
    }, 20);
  });
  await end(holder, 'COMMIT');
  await expect(drawing).resolves.toMatchObject({ guard: 'row' });
  await assertGapless(office.pool);
});

test('a call to an unreachable store ends as unavailable at its deadline, and consumes no number', async () => {
  const { createNumbering } = await import('../src/index.js');
  const { default: pg } = await import('pg');
  const pool = new pg.Pool({ connectionString: 'postgres://127.0.0.1:1/none' });
  const numbering = createNumbering({ database: pool, requestTimeoutMs: 200 });
  await expect(numbering.issue(rfa)).rejects.toMatchObject({ code: 'STORE_UNAVAILABLE', retryable: true });
  await expect(numbering.listNumbers({})).rejects.toMatchObject({ code: 'STORE_UNAVAILABLE' });
  await expect(numbering.void({ space: 'P1', number: 'x', reason: 'x', actor: 'x' })).rejects.toMatchObject({
    code: 'STORE_UNAVAILABLE',
  });
  await numbering.close();
  await pool.end();
});
