import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { race, until, valuesOf } from '@solegate/testkit';
import type { PoolClient } from 'pg';
import type { NumberWriter, SqlSession, WriterItem } from '../src/index.js';
import { assertGapless, EventLog, type Office, openOffice, rfa, withSeries } from './number-office.js';

/** Callers with and without writers, on the same counters and beside each other. */
let office: Office;
let letters: NumberWriter<string>;
let memos: NumberWriter<string>;
let log: EventLog;
/** The names of writers, in the order in which they were called. */
let calls: string[] = [];

const storeIn = (table: string) => async (session: SqlSession, items: readonly WriterItem<string>[]) => {
  calls.push(table);
  if (items.some(({ document }) => document === 'boom')) throw new Error('the app refuses this document');
  await session.query({
    text: `INSERT INTO ${table} SELECT * FROM unnest($1::text[], $2::text[])`,
    values: [items.map(({ issued }) => issued.number), items.map(({ document }) => document)],
  });
};

beforeAll(async () => {
  log = new EventLog();
  office = await openOffice({ observer: log.observer, writerTimeoutMs: 400 });
  for (const table of ['letters', 'memos'])
    await office.database.pool.query(`CREATE TABLE ${table} (number text PRIMARY KEY, title text)`);
  await withSeries(office.numbering, { template: '{ORG}-{TYPE}-{DISCIPLINE}-{YEAR}-{SEQ:5}' });
  letters = office.numbering.registerWriter('letters', storeIn('letters'));
  memos = office.numbering.registerWriter('memos', storeIn('memos'));
});

beforeEach(() => {
  calls = [];
  log.seen.length = 0;
});

afterAll(async () => {
  await office[Symbol.asyncDispose]();
});

const to = (org: string) => ({ ...rfa, dimensions: { ORG: org, DISCIPLINE: 'STR' } });

const titlesOf = async (table: string, org: string): Promise<Map<string, string>> => {
  const { rows } = await office.database.pool.query(`SELECT * FROM ${table} WHERE number LIKE $1`, [
    `${org}-%`,
  ]);
  return new Map(rows.map(({ number, title }) => [number, title]));
};

test('callers of one counter share a commit in order of arrival, whether a writer stores their documents or not', async () => {
  await office.numbering.issue(to('MIX'));
  log.seen.length = 0;
  const issued = valuesOf(
    await race(
      90,
      (index) =>
        [
          () => office.numbering.issue(to('MIX')),
          () => letters.issue(to('MIX'), `letter ${index}`),
          () => memos.issue(to('MIX'), `memo ${index}`),
        ][index % 3]?.() ?? Promise.reject(new Error('no such kind')),
    ),
  );
  expect(issued.map(({ sequence }) => sequence)).toEqual(Array.from({ length: 90 }, (_, index) => index + 2));
  // One kind at a time would have taken ninety commits.
  expect(log.count('batchCommitted')).toBeLessThanOrEqual(3);
  expect(calls.slice(0, 2)).toEqual(['letters', 'memos']);
  const [stored, noted] = [await titlesOf('letters', 'MIX'), await titlesOf('memos', 'MIX')];
  issued.forEach(({ number }, index) => {
    expect(stored.get(number)).toBe(index % 3 === 1 ? `letter ${index}` : undefined);
    expect(noted.get(number)).toBe(index % 3 === 2 ? `memo ${index}` : undefined);
  });
});

test('a refused document costs no other request its number, of whatever kind', async () => {
  const outcomes = await race(60, (index) => {
    if (index % 3 === 0) return office.numbering.issue(to('BAD'));
    if (index % 3 === 1) return letters.issue(to('BAD'), index === 31 ? 'boom' : 'good');
    return memos.issue(to('BAD'), 'good');
  });
  expect(outcomes.flatMap(({ status }, index) => (status === 'rejected' ? [index] : []))).toEqual([31]);
  expect(await titlesOf('letters', 'BAD')).toHaveProperty('size', 19);
  expect(await titlesOf('memos', 'BAD')).toHaveProperty('size', 20);
  await assertGapless(office.database.pool);
});

/** Locks a table of documents, as ALTER TABLE would. */
async function lockTable(table: string): Promise<PoolClient> {
  const holder = await office.database.pool.connect();
  await holder.query(`BEGIN; LOCK TABLE ${table} IN ACCESS EXCLUSIVE MODE`);
  return holder;
}

test('a locked table of documents stops only the counters whose callers want it', async () => {
  for (const org of ['PLAIN', 'MEMO', 'L0', 'L1', 'L2', 'L3']) await office.numbering.issue(to(org));
  const holder = await lockTable('letters');
  let isOver = false;
  const stuck: Promise<unknown>[] = [];
  for (const [index, org] of ['L0', 'L1', 'L2', 'L3'].entries()) {
    stuck.push(letters.issue(to(org), 'stuck').catch((error: unknown) => error));
    // As many rounds as one writer can have.
    if (index < 2) await until(() => calls.filter((name) => name === 'letters').length === index + 1);
  }
  void Promise.race(stuck).then(() => {
    isOver = true;
  });
  // While letters wait, numbers of other counters and documents of another table come through.
  await office.numbering.issue(to('PLAIN'));
  await memos.issue(to('MEMO'), 'memo');
  expect(isOver).toBe(false);
  expect(await Promise.all(stuck)).toEqual(stuck.map(() => expect.objectContaining({ code: 'BUSY' })));
  await holder.query('ROLLBACK');
  holder.release();
  await letters.issue(to('L0'), 'free again');
  await assertGapless(office.database.pool);
});

test('a request without a document waits for one round of a stuck writer, not for its next ones', async () => {
  await office.numbering.issue(to('ONE'));
  const holder = await lockTable('letters');
  const stuck = [0, 1].map((index) =>
    letters.issue(to('ONE'), `stuck ${index}`).catch((error: unknown) => error),
  );
  const plain = office.numbering.issue(to('ONE'));
  const memo = memos.issue(to('ONE'), 'memo');
  expect([(await plain).sequence, (await memo).sequence].toSorted((a, b) => a - b)).toEqual([2, 3]);
  expect(calls.filter((name) => name === 'letters')).toHaveLength(1);
  await Promise.all(stuck);
  await holder.query('ROLLBACK');
  holder.release();
  await assertGapless(office.database.pool);
});

test('mixed callers of many counters in several processes stay gapless, each with its document', async () => {
  const others = await Promise.all([office.another(), office.another()]);
  const kinds = [office.numbering, ...others].map((numbering, index) => ({
    numbering,
    writer: index === 0 ? letters : numbering.registerWriter('letters', storeIn('letters')),
  }));
  const outcomes = valuesOf(
    await race(300, (index) => {
      const { numbering, writer } = kinds[index % 3] ?? { numbering: office.numbering, writer: letters };
      const request = to(`CROWD${index % 5}`);
      return index % 2 === 0 ? numbering.issue(request) : writer.issue(request, 'crowd');
    }),
  );
  expect(outcomes).toHaveLength(300);
  expect(await titlesOf('letters', 'CROWD%')).toHaveProperty('size', 150);
  await assertGapless(office.database.pool);
});
