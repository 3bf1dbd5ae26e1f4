import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createTestDatabase, race, watchedPool } from '@solegate/testkit';
import pg from 'pg';
import {
  createNumbering,
  type Numbering,
  NumberingError,
  type SqlPool,
  type SqlStatement,
} from '../src/index.js';
import { type Office, openOffice, rfa, rfaSeries, withSeries } from './number-office.js';

/** Every PostgreSQL error becomes a NumberingError that states the consequence for the caller. */
let office: Office;

beforeAll(async () => {
  office = await openOffice({ poolMax: 20 });
  await withSeries(office.numbering);
});

afterAll(async () => {
  await office[Symbol.asyncDispose]();
});

const to = (org: string) => ({ ...rfa, dimensions: { ORG: org, DISCIPLINE: 'STR' } });

/** Wraps a real pool, and can refuse connections and statements. */
function poolWith(refuse: {
  connect?: () => Error;
  statement?: (statement: SqlStatement) => Error | undefined;
}): SqlPool & { readonly texts: string[] } {
  const texts: string[] = [];
  const { connect } = watchedPool(office.pool, async (statement, run) => {
    texts.push(statement.text);
    const error = refuse.statement?.(statement);
    if (error) throw error;
    return run();
  });
  return {
    texts,
    connect: async () => {
      if (refuse.connect) throw refuse.connect();
      return connect();
    },
  };
}

const failure = (code: string, message = `made for the test: ${code}`) =>
  Object.assign(new Error(message), { code });

const UNAVAILABLE = { code: 'STORE_UNAVAILABLE', retryable: true };
const UNKNOWN = { code: 'OUTCOME_UNKNOWN', retryable: true };
const BUSY = { code: 'BUSY', retryable: true };
const MISCONFIGURED = { code: 'STORE_MISCONFIGURED', retryable: false };

describe.each([
  ['25006', UNAVAILABLE, UNAVAILABLE],
  ['53100', UNAVAILABLE, UNAVAILABLE],
  ['53200', UNAVAILABLE, UNAVAILABLE],
  ['53300', UNAVAILABLE, UNAVAILABLE],
  ['57P03', UNAVAILABLE, UNAVAILABLE],
  ['58030', UNAVAILABLE, UNAVAILABLE],
  ['08006', UNKNOWN, UNAVAILABLE],
  ['57P01', UNKNOWN, UNAVAILABLE],
  ['57P02', UNKNOWN, UNAVAILABLE],
  ['57P05', UNKNOWN, UNAVAILABLE],
  ['ECONNRESET', UNKNOWN, UNAVAILABLE],
  ['40001', BUSY, BUSY],
  ['40P01', BUSY, BUSY],
  ['55P03', BUSY, BUSY],
  ['57014', BUSY, BUSY],
  ['26000', MISCONFIGURED, MISCONFIGURED],
  ['42P05', MISCONFIGURED, MISCONFIGURED],
  ['42P01', MISCONFIGURED, MISCONFIGURED],
  ['42501', MISCONFIGURED, MISCONFIGURED],
  ['28P01', MISCONFIGURED, MISCONFIGURED],
  ['3D000', MISCONFIGURED, MISCONFIGURED],
  ['22003', { code: 'STORE_REFUSED', retryable: false }, { code: 'STORE_REFUSED', retryable: false }],
] as const)('a statement that ends with %s', (code, change, read) => {
  test(`is ${change.code} for issuing, and ${read.code} for reading`, async () => {
    const database = poolWith({
      statement: ({ text }) =>
        /document_number_draw_v1|FROM document_numbers/.test(text) ? failure(code) : undefined,
    });
    const numbering = createNumbering({ database, requestTimeoutMs: 800, random: () => 0 });
    for (const [call, expected] of [
      [() => numbering.issue(to('A')), change],
      [() => numbering.listNumbers({}), read],
      [() => numbering.void({ space: 'P1', number: 'x', reason: 'x', actor: 'x' }), read],
    ] as const) {
      const error: unknown = await call().catch((reason: unknown) => reason);
      expect(error).toBeInstanceOf(NumberingError);
      expect(error).toMatchObject(expected);
      expect((error as Error).cause).toBeInstanceOf(Error);
    }
    await numbering.close();
  });
});

test.each([
  ['ECONNREFUSED', failure('ECONNREFUSED'), UNAVAILABLE],
  ['ETIMEDOUT', Object.assign(failure('ETIMEDOUT'), { syscall: 'connect' }), UNAVAILABLE],
  ['ENOTFOUND', failure('ENOTFOUND'), UNAVAILABLE],
  ["the pool's timeout", new Error('timeout exceeded when trying to connect'), UNAVAILABLE],
  ['too many connections', failure('53300'), UNAVAILABLE],
  ['a starting server', failure('57P03'), UNAVAILABLE],
  ['a wrong password', failure('28P01'), MISCONFIGURED],
  ['a missing database', failure('3D000'), MISCONFIGURED],
])('no connection because of %s', async (_, error, expected) => {
  const numbering = createNumbering({ database: poolWith({ connect: () => error }), requestTimeoutMs: 200 });
  await expect(numbering.issue(to('A'))).rejects.toMatchObject(expected);
  await expect(numbering.defineSeries(rfaSeries)).rejects.toMatchObject(expected);
  await expect(numbering.listCounters({})).rejects.toMatchObject(expected);
  await numbering.close();
});

test('100 callers of a read-only server cause fewer than 20 statements', async () => {
  const { numbering } = office;
  const { number } = await numbering.issue(to('READONLY'));
  const name = new URL(office.database.url).pathname.slice(1);
  await office.database.pool.query(`ALTER DATABASE ${name} SET default_transaction_read_only = on`);
  const pool = new pg.Pool({ connectionString: office.database.directUrl, max: 10 });
  const texts: string[] = [];
  const counted = watchedPool(pool, ({ text }, run) => {
    texts.push(text);
    return run();
  });
  const readOnly = createNumbering({ database: counted });
  try {
    for (const org of ['READONLY', 'NEW']) {
      texts.length = 0;
      const outcomes = await race(100, () => readOnly.issue(to(org)));
      const codes = new Set(outcomes.map((outcome) => outcome.status === 'rejected' && outcome.reason.code));
      expect(codes).toEqual(new Set(['STORE_UNAVAILABLE']));
      expect(texts.length).toBeLessThan(20);
    }
    await expect(readOnly.void({ space: 'P1', number, reason: 'x', actor: 'x' })).rejects.toMatchObject(
      UNAVAILABLE,
    );
  } finally {
    await office.database.pool.query(`ALTER DATABASE ${name} RESET default_transaction_read_only`);
    await readOnly.close();
    await pool.end();
  }
});

test('a database without the tables, and a role without privileges, are reported as misconfigured', async () => {
  await using empty = await createTestDatabase({ migrations: [] });
  const numbering = createNumbering({ database: empty.pool });
  await expect(numbering.issue(rfa)).rejects.toMatchObject({
    ...MISCONFIGURED,
    advice: expect.stringContaining('migrations'),
  });
  await numbering.close();

  const admin = office.database.pool;
  const role = `nobody_${process.pid}`;
  await admin.query(`CREATE ROLE ${role} LOGIN PASSWORD 'nobody'`);
  const url = new URL(office.database.directUrl);
  url.username = role;
  url.password = 'nobody';
  const pool = new pg.Pool({ connectionString: url.href, max: 2 });
  const poor = createNumbering({ database: pool });
  await expect(poor.issue(rfa)).rejects.toMatchObject({
    ...MISCONFIGURED,
    advice: expect.stringContaining('privileges'),
  });
  await poor.close();
  await pool.end();
  await admin.query(`DROP ROLE ${role}`);
});

async function inTransaction<Result>(work: (client: pg.PoolClient) => Promise<Result>): Promise<Result> {
  const client = await office.pool.connect();
  try {
    await client.query('BEGIN');
    return await work(client);
  } finally {
    await client.query('ROLLBACK');
    client.release();
  }
}

test('issueIn with an id already in use is a duplicate', async () => {
  const id = 7_300_000_000_000_001n;
  await office.numbering.issue({ ...to('ID'), id });
  const again = inTransaction((client) => office.numbering.issueIn(client, { ...to('ID'), id }));
  await expect(again).rejects.toMatchObject({ code: 'DUPLICATE', number: `id ${id}`, retryable: false });
});

test('of two transactions that draw two numbers in opposite orders, one ends as BUSY', async () => {
  const { numbering }: { numbering: Numbering } = office;
  await numbering.issue(to('ONE'));
  await numbering.issue(to('TWO'));
  const met = { one: false, two: false };
  const outcomes = await race(2, async (index) =>
    inTransaction(async (client) => {
      const [first, second] = index === 0 ? (['ONE', 'TWO'] as const) : (['TWO', 'ONE'] as const);
      await numbering.issueIn(client, to(first));
      met[index === 0 ? 'one' : 'two'] = true;
      while (!met.one || !met.two) await new Promise((resolve) => setImmediate(resolve));
      return numbering.issueIn(client, to(second));
    }),
  );
  const refused = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason] : []));
  expect(refused).toHaveLength(1);
  expect(refused[0]).toMatchObject(BUSY);
});
