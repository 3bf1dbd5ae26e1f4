import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { race, valuesOf } from '@solegate/testkit';
import type { PoolClient } from 'pg';
import { assertGapless, type Office, openOffice, rfa, withSeries } from './number-office.js';

let office: Office;

beforeAll(async () => {
  office = await openOffice({ redis: true, poolMax: 20 });
  await withSeries(office.numbering);
});

afterAll(async () => {
  await office[Symbol.asyncDispose]();
});

async function inTransaction<Result>(
  work: (client: PoolClient) => Promise<Result>,
  end: 'COMMIT' | 'ROLLBACK' = 'COMMIT',
): Promise<Result> {
  const client = await office.pool.connect();
  try {
    await client.query('BEGIN');
    const result = await work(client);
    await client.query(end);
    return result;
  } catch (error) {
    await client.query('ROLLBACK');
    throw error;
  } finally {
    client.release();
  }
}

test('a number rolls back with the transaction it was issued in, and is issued next', async () => {
  const lost = await inTransaction((client) => office.numbering.issueIn(client, rfa), 'ROLLBACK');
  const kept = await inTransaction((client) => office.numbering.issueIn(client, rfa));
  expect([lost.sequence, kept.sequence]).toEqual([1, 1]);
  expect((await office.numbering.issue(rfa)).sequence).toBe(2);
});

test('a rolled back number is not a regression for later callers', async () => {
  const request = { ...rfa, dimensions: { ORG: 'ROLL', DISCIPLINE: 'STR' } };
  await inTransaction(async (client) => {
    for (let index = 0; index < 5; index += 1) await office.numbering.issueIn(client, request);
  }, 'ROLLBACK');
  expect((await office.numbering.issue(request)).sequence).toBe(1);
});

test('transactions, shared commits and other processes draw concurrently from one counter', async () => {
  const request = { ...rfa, dimensions: { ORG: 'SIDE', DISCIPLINE: 'STR' } };
  const another = await office.another();
  const issued = valuesOf(
    await race(90, (index) => {
      if (index % 3 === 0) return inTransaction((client) => office.numbering.issueIn(client, request));
      return (index % 3 === 1 ? office.numbering : another).issue(request);
    }),
  );
  expect(issued.map(({ sequence }) => sequence).sort((a, b) => a - b)).toEqual(
    Array.from({ length: 90 }, (_, index) => index + 1),
  );
  await assertGapless(office.pool);
});

test('a series that the same transaction defined can be used in it', async () => {
  const number = await inTransaction(async (client) => {
    const series = { code: 'NEW', space: 'P9', dimensions: [], reset: 'never', time_zone: 'UTC' };
    const rules = { fiscal_start_month: 1, fiscal_year_named_by: 'start', start_at: 1, date_order: false };
    const format = { template: 'N{SEQ:3}', overflow: 'error', valid_from: '-infinity' };
    for (const [step, facts] of [
      ['SERIES', { ...series, ...rules }],
      ['FORMAT', format],
    ] as const)
      await client.query(`SELECT document_number_define_v1($1, 'P9', 'NEW', 'x', $2, '{}', NULL)`, [
        step,
        facts,
      ]);
    const issued = await office.numbering.issueIn(client, { space: 'P9', series: 'NEW', actor: 'x' });
    return issued.number;
  });
  expect(number).toBe('N001');
});

test('a key is found inside a transaction too', async () => {
  const request = { ...rfa, key: 'inside' };
  const first = await office.numbering.issue(request);
  const again = await inTransaction((client) => office.numbering.issueIn(client, request));
  expect(again).toMatchObject({ number: first.number, replayed: true });
  await expect(
    inTransaction((client) => office.numbering.issueIn(client, { ...request, content: 'other' })),
  ).rejects.toMatchObject({ code: 'KEY_REUSED' });
});

test('a refused request consumes no number and leaves the transaction usable', async () => {
  const request = { ...rfa, dimensions: { ORG: 'USABLE', DISCIPLINE: 'STR' } };
  const number = await inTransaction(async (client) => {
    await expect(office.numbering.issueIn(client, { ...request, date: '2020-01-01' })).rejects.toMatchObject({
      code: 'PERIOD_CLOSED',
    });
    return office.numbering.issueIn(client, request);
  });
  expect(number.sequence).toBe(1);
});

test('a pool and a connection outside a transaction are refused, and no number is taken', async () => {
  const preview = await office.numbering.preview(rfa);
  const client = await office.pool.connect();
  // Neither is a transaction; the compiler refuses the pool.
  for (const session of [office.pool as object as typeof client, client]) {
    await expect(office.numbering.issueIn(session, rfa)).rejects.toMatchObject({
      code: 'INVALID_REQUEST',
      field: 'session',
    });
    await expect(office.numbering.issueAllIn(session, [rfa, rfa])).rejects.toMatchObject({
      field: 'session',
    });
  }
  client.release();
  expect(await office.numbering.preview(rfa)).toEqual(preview);
});
