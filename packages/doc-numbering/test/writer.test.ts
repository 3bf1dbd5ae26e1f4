import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type FaultProxy, race, startFaultProxy, valuesOf } from '@solegate/testkit';
import type { NumberWriter, SqlSession, WriterItem } from '../src/index.js';
import { assertGapless, type Office, openOffice, rfa, withSeries } from './number-office.js';

interface Letter {
  readonly title: string;
}

let office: Office;
let proxy: FaultProxy;
let letters: NumberWriter<Letter>;

async function store(session: SqlSession, items: readonly WriterItem<Letter>[]): Promise<void> {
  if (items.some(({ document }) => document.title === 'boom')) throw new Error('the app refuses this letter');
  await session.query({
    text: 'INSERT INTO letters (number, title) SELECT * FROM unnest($1::text[], $2::text[])',
    values: [items.map(({ issued }) => issued.number), items.map(({ document }) => document.title)],
  });
}

beforeAll(async () => {
  office = await openOffice({
    redis: true,
    through: async (url) => {
      proxy = await startFaultProxy(url);
      return proxy.url;
    },
  });
  await office.database.pool.query(
    "CREATE TABLE letters (number text PRIMARY KEY, title text NOT NULL CHECK (title <> 'bad'))",
  );
  await withSeries(office.numbering, { template: '{ORG}-{TYPE}-{DISCIPLINE}-{YEAR}-{SEQ:5}' });
  letters = office.numbering.registerWriter('letters', store);
});

afterAll(async () => {
  await office[Symbol.asyncDispose]();
  await proxy.close();
});

const to = (org: string) => ({ ...rfa, dimensions: { ORG: org, DISCIPLINE: 'STR' } });

const lettersOf = async (org: string) => {
  const { rows } = await office.database.pool.query<{ number: string; title: string }>(
    'SELECT number, title FROM letters WHERE number LIKE $1 ORDER BY number',
    [`${org}-%`],
  );
  return rows;
};

test('documents and numbers are stored in one commit', async () => {
  const issued = valuesOf(await race(200, (index) => letters.issue(to('ALL'), { title: `letter ${index}` })));
  const stored = await lettersOf('ALL');
  expect(stored).toHaveLength(200);
  expect(new Map(stored.map(({ number, title }) => [number, title]))).toEqual(
    new Map(issued.map(({ number }, index) => [number, `letter ${index}`])),
  );
});

test.each([
  ['the database refuses', 'bad'],
  ['the writer throws for', 'boom'],
])('in a batch in which %s 30 %%, the others are stored without gaps', async (_, title) => {
  const org = `PART${title.toUpperCase()}`;
  const isBad = (index: number) => index % 10 < 3;
  const outcomes = await race(100, (index) =>
    letters.issue(to(org), { title: isBad(index) ? title : 'good' }),
  );
  expect(outcomes.map(({ status }) => status === 'rejected')).toEqual(
    outcomes.map((_unused, index) => isBad(index)),
  );
  const stored = await lettersOf(org);
  expect(stored.map(({ number }) => Number(number.slice(-5)))).toEqual(
    Array.from({ length: 70 }, (_unused, index) => index + 1),
  );
});

test('one refused document among several counters does not affect the others', async () => {
  const outcomes = await race(30, (index) =>
    letters.issue(to(`MIX${index % 3}`), { title: index === 13 ? 'bad' : 'good' }),
  );
  expect(outcomes.filter(({ status }) => status === 'rejected')).toHaveLength(1);
  expect(outcomes[13]).toMatchObject({ reason: { code: '23514' } });
  await assertGapless(office.database.pool);
});

test('a replayed key stores no second document', async () => {
  const request = { ...to('ONCE'), key: 'letter-1', content: 'what the caller typed' };
  const first = await letters.issue(request, { title: 'once' });
  const second = await letters.issue(request, { title: 'once, made anew for the repeat' });
  expect(second).toMatchObject({ number: first.number, replayed: true });
  expect(await lettersOf('ONCE')).toHaveLength(1);
});

test('each document is stored once when the reply to COMMIT is lost', async () => {
  await letters.issue(to('LOST'), { title: 'first' });
  proxy.set('cutAfterReply', { count: 1, matching: 'COMMIT' });
  const issued = valuesOf(await race(10, () => letters.issue(to('LOST'), { title: 'more' })));
  expect(issued.every(({ replayed }) => replayed)).toBe(true);
  expect(await lettersOf('LOST')).toHaveLength(11);
});

test('a COMMIT that never arrived is retried', async () => {
  proxy.set('cutBeforeReply', { count: 1, matching: 'COMMIT' });
  const issued = valuesOf(await race(10, () => letters.issue(to('CUT'), { title: 'again' })));
  expect(issued.map(({ sequence }) => sequence).sort((a, b) => a - b)).toEqual([
    1, 2, 3, 4, 5, 6, 7, 8, 9, 10,
  ]);
  expect(await lettersOf('CUT')).toHaveLength(10);
});

test('a writer that swallows an error of its session commits nothing', async () => {
  const careless = office.numbering.registerWriter<Letter>('careless', async (session) => {
    await session.query({ text: 'SELECT 1 / 0', values: [] }).catch(() => undefined);
  });
  await expect(careless.issue(to('CARELESS'), { title: 'x' })).rejects.toThrow();
  expect(
    await office.numbering.findNumber({ space: 'P1', number: `CARELESS-RFA-STR-2026-00001` }),
  ).toBeUndefined();
  await expect(letters.issue(to('CARELESS'), { title: 'after' })).resolves.toMatchObject({ sequence: 1 });
});

test('a writer that never settles is abandoned, and other requests get their numbers', async () => {
  const impatient = await office.another({ writerTimeoutMs: 300 });
  const slow = impatient.registerWriter<Letter>('slow', async (session) => {
    await session.query({ text: 'SELECT pg_sleep(20)', values: [] });
  });
  const stuck = slow.issue(to('SLOW'), { title: 'x' });
  await expect(stuck).rejects.toMatchObject({ code: 'BUSY', retryable: true });
  await expect(impatient.issue(to('SLOW'))).resolves.toMatchObject({ sequence: 1 });
});

test('a writer name can be registered only once', () => {
  expect(() => office.numbering.registerWriter('letters', store)).toThrow(
    'there is already a writer letters',
  );
});

test("a deadlock in a writer's library is retried, however the library wraps it", async () => {
  let count = 0;
  const wrapping = office.numbering.registerWriter<Letter>('wrapping', async (session, items) => {
    count += 1;
    try {
      if (count === 1)
        await session.query("DO $$ BEGIN RAISE EXCEPTION 'deadlock' USING ERRCODE = '40P01'; END $$");
      await store(session, items);
    } catch (cause) {
      throw new Error('Failed query', { cause });
    }
  });
  const issued = valuesOf(await race(5, (index) => wrapping.issue(to('WRAP'), { title: `${index}` })));
  expect(issued.map(({ sequence }) => sequence).sort((a, b) => a - b)).toEqual([1, 2, 3, 4, 5]);
  expect(await lettersOf('WRAP')).toHaveLength(5);
});

test('a document without its seal is refused, even by a writer that ignores the error', async () => {
  const read = (item: WriterItem<Letter>) => item.seal;
  const ignoring = async (session: SqlSession, items: readonly WriterItem<Letter>[]) => {
    await Promise.allSettled(items.map(async (item) => read(item)));
    await store(session, items);
  };
  const seal = (_: string, { document }: { document: Letter }) => (document.title === 'odd' ? '' : 's');
  const sealed = office.numbering.registerWriter('ignoring', ignoring, {
    chain: { name: () => 'ignored', seal },
  });
  const outcomes = await race(9, (index) =>
    sealed.issue(to('IGN'), { title: index === 4 ? 'odd' : 'plain' }),
  );
  expect(outcomes[4]).toMatchObject({ reason: { code: 'SEAL_REFUSED' } });
  expect(valuesOf(outcomes.filter((_, index) => index !== 4))).toHaveLength(8);
  expect(await lettersOf('IGN')).toHaveLength(8);
});
