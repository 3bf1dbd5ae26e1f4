import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { BoundedDatabase, Deadline } from '@solegate/postgres-infra';
import { race, until } from '@solegate/testkit';
import type { PoolClient } from 'pg';
import { toSettings } from '../src/contract/checks.js';
import { TokenRegistry } from '../src/format/token.js';
import { SeriesCatalog } from '../src/series/series-catalog.js';
import { type Office, openOffice, rfa, withSeries } from './number-office.js';

/** A call ends at its own deadline, whatever the work that it waits for. */
let office: Office;

beforeAll(async () => {
  office = await openOffice();
  await withSeries(office.numbering);
});

afterAll(async () => {
  await office[Symbol.asyncDispose]();
});

/** Runs `work` while a transaction holds what this statement locks. */
async function whileHeld(statement: string, work: (holder: PoolClient) => Promise<unknown>): Promise<void> {
  const holder = await office.database.pool.connect();
  try {
    await holder.query('BEGIN');
    await holder.query(statement);
    await work(holder);
  } finally {
    await holder.query('ROLLBACK');
    holder.release();
  }
}

/** Repeats the call until it is refused: on a busy machine, the time can be over before PostgreSQL has said so. */
async function untilBusy(call: () => Promise<unknown>): Promise<void> {
  await until(async () => {
    await expect(call()).rejects.toMatchObject({ code: 'BUSY', retryable: true });
    return true;
  });
}

test('a request is refused while the round before it still runs', async () => {
  const numbering = await office.another({ requestTimeoutMs: 200 });
  await until(() => numbering.issue(rfa));
  let endWriting = (): void => undefined;
  const writing = new Promise<void>((resolve) => {
    endWriting = resolve;
  });
  const slow = numbering.registerWriter('slow', () => writing);
  let hasFirstEnded = false;
  // Its round runs for half a second, as each can at least.
  const first = slow.issue(rfa, 'x').catch(() => undefined);
  const ended = first.then(() => {
    hasFirstEnded = true;
  });
  await new Promise(setImmediate);
  await new Promise(setImmediate);
  await expect(numbering.issue(rfa)).rejects.toMatchObject({ code: 'BUSY', retryable: true });
  expect(hasFirstEnded).toBe(false);
  endWriting();
  await ended;
});

test('a faulty document is not looked for among others beyond their deadline', async () => {
  const numbering = await office.another({ requestTimeoutMs: 600 });
  let runCount = 0;
  const slow = numbering.registerWriter('slow', async (session) => {
    runCount += 1;
    await session.query('SELECT pg_sleep(0.25)');
    throw new Error('refused');
  });
  await race(16, () => slow.issue({ ...rfa, dimensions: { ORG: 'SLOW', DISCIPLINE: 'STR' } }, 'x'));
  // To find each of them by halves takes 31 runs, of which three begin within the time.
  expect(runCount).toBeLessThanOrEqual(3);
});

test('a reservation whose row is held is neither confirmed nor cancelled, and can be once the row is free', async () => {
  const numbering = await office.another({ requestTimeoutMs: 600 });
  const { token } = await until(() => numbering.reserve(rfa));
  const confirm = () => numbering.confirm({ token, actor: 'alice' });
  await whileHeld('SELECT FROM document_numbers FOR UPDATE', async () => {
    await untilBusy(confirm);
    await untilBusy(() => numbering.cancel({ token, actor: 'alice', reason: 'not needed' }));
  });
  expect(await until(confirm)).toMatchObject({ status: 'issued', replayed: false });
});

test('a default format is not saved while the row of its space is held, and can be once the row is free', async () => {
  const numbering = await office.another({ requestTimeoutMs: 600 });
  const save = () =>
    numbering.saveDefaultFormat({ space: 'P2', actor: 'alice', template: '{TYPE}-{YEAR}-{SEQ:4}' });
  await until(save);
  await whileHeld('SELECT FROM document_number_spaces FOR UPDATE', async () => {
    await untilBusy(save);
  });
  await until(save);
});

test('a caller leaves the reading of a series that it shares with others', async () => {
  const database = new BoundedDatabase({ pool: office.pool });
  const settings = toSettings({ database: office.pool });
  const catalog = new SeriesCatalog({ ...settings, database, registry: new TokenRegistry() });
  let shared: Promise<unknown> | undefined;
  await whileHeld('LOCK TABLE document_number_series', async () => {
    shared = catalog.reload('P1', 'RFA', Deadline.after(60_000));
    await expect(catalog.reload('P1', 'RFA', Deadline.after(50))).rejects.toMatchObject({
      kind: 'UNAVAILABLE',
    });
  });
  expect(await shared).toMatchObject({ series: { series: 'RFA' } });
});

test('a chain is no longer verified if its seals are not made again in time', async () => {
  const never = () => new Promise<never>(() => undefined);
  await expect(office.numbering.verifyChain('none', never, { timeoutMs: 1000 })).rejects.toMatchObject({
    code: 'BUSY',
  });
});
