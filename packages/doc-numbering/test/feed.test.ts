import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { FeedRequest, NumberFact, NumberFeed, Numbering } from '../src/index.js';
import { type Office, openOffice, rfa, rfaSeries, unguarded, withSeries } from './number-office.js';

let office: Office;
let numbering: Numbering;

beforeAll(async () => {
  office = await openOffice();
  numbering = await withSeries(office.numbering);
});

afterAll(async () => {
  await office[Symbol.asyncDispose]();
});

let seriesCount = 0;

/** A series of its own for each test, by name. */
async function newSeries(definition: Parameters<typeof withSeries>[1] = {}): Promise<string> {
  seriesCount += 1;
  const series = `S${seriesCount}`;
  await withSeries(numbering, { ...definition, space: series, series });
  return series;
}

const of = (series: string) => ({ space: series, series });

/** Reads until a number of facts is there. */
async function read(feed: NumberFeed, count: number): Promise<NumberFact[]> {
  const facts: NumberFact[] = [];
  while (facts.length < count) {
    const taken = await feed.take(count - facts.length);
    if (taken.length === 0) throw new Error(`the feed ended after ${facts.length} facts`);
    facts.push(...taken);
  }
  return facts;
}

async function open(series: string, more: Partial<FeedRequest> = {}): Promise<NumberFeed> {
  return numbering.feed({ ...of(series), pollMs: 20, ...more });
}

const said = (facts: readonly NumberFact[]) =>
  facts.map(({ kind, entry }) => `${kind} ${entry.dimensions.ORG} ${entry.sequence}`);

test('a feed has the numbers of each counter in their order, then new ones as they are issued', async () => {
  const series = await newSeries();
  const issue = (ORG: string, count: number) =>
    numbering.issueMany({ ...rfa, ...of(series), dimensions: { ORG, DISCIPLINE: 'STR' } }, count);
  await issue('PAT', 3);
  await issue('ARC', 2);
  await using feed = await open(series);
  expect(feed.behindCount).toBe(5);
  const facts = await read(feed, 5);
  expect(said(facts)).toEqual([
    'ISSUED PAT 1',
    'ISSUED PAT 2',
    'ISSUED PAT 3',
    'ISSUED ARC 1',
    'ISSUED ARC 2',
  ]);
  expect(feed.behindCount).toBe(0);
  const next = feed.next();
  await issue('NEW', 1);
  expect(said([(await next).value])).toEqual(['ISSUED NEW 1']);
});

test('a reader that comes back with its cursor gets what follows, and nothing twice', async () => {
  const series = await newSeries();
  for (const count of [1000, 1000, 500]) await numbering.issueMany({ ...rfa, ...of(series) }, count);
  const seen: number[] = [];
  let after: string | undefined;
  while (seen.length < 2500) {
    await using feed = await open(series, after === undefined ? {} : { after });
    seen.push(...(await read(feed, Math.min(700, 2500 - seen.length))).map(({ entry }) => entry.sequence));
    after = feed.cursor;
  }
  expect(seen).toEqual(Array.from({ length: 2500 }, (_, index) => index + 1));
});

test('what became of numbers follows them, once, in the order of the commits', async () => {
  const series = await newSeries();
  const request = { ...rfa, ...of(series) };
  const held = await numbering.reserve(request);
  const dropped = await numbering.reserve(request);
  const wrong = await numbering.issue(request);
  await numbering.confirm({ token: held.token, document: 'D1', actor: 'ann' });
  await numbering.cancel({ token: dropped.token, actor: 'bob', reason: 'not needed' });
  await numbering.voidAndReplace({
    space: series,
    number: wrong.number,
    actor: 'eve',
    reason: 'typo',
    replacement: request,
  });
  await using feed = await open(series);
  const facts = await read(feed, 7);
  expect(said(facts)).toEqual([
    'RESERVED PAT 1',
    'RESERVED PAT 2',
    'ISSUED PAT 3',
    'ISSUED PAT 4',
    'CONFIRMED PAT 1',
    'CANCELLED PAT 2',
    'VOIDED PAT 3',
  ]);
  expect(facts[4]).toMatchObject({ actor: 'ann', entry: { document: 'D1' } });
  const listed = (await numbering.listNumbers({ space: series })).items.map(({ item }) => item);
  expect(facts.map(({ entry }) => entry)).toStrictEqual([...listed, ...listed.slice(0, 3)]);
  expect(facts[6]).toMatchObject({ actor: 'eve', reason: 'typo', replacedBy: facts[3]?.entry.number });
  await using again = await open(series, { after: feed.cursor });
  await numbering.void({ space: series, number: facts[3]?.entry.number ?? '', actor: 'eve', reason: 'no' });
  expect(said(await read(again, 1))).toEqual(['VOIDED PAT 4']);
});

test('the time of a number is its millisecond of the ledger, decades from now as well', async () => {
  const series = await newSeries();
  await numbering.issueMany({ ...rfa, ...of(series), dimensions: { ORG: 'PAT', DISCIPLINE: 'STR' } }, 500);
  await unguarded(
    office.pool,
    `UPDATE document_numbers SET issued_at = to_timestamp(1.2e9) + sequence * interval '70 days 1.001 seconds'
     WHERE space = $1`,
    [series],
  );
  await using feed = await open(series);
  const facts = await read(feed, 500);
  const { rows } = await office.pool.query(
    `SELECT issued_at FROM document_numbers WHERE space = $1 ORDER BY sequence`,
    [series],
  );
  expect(facts.map(({ entry }) => entry.issuedAt)).toEqual(rows.map(({ issued_at: at }) => at));
});

test('an event whose transaction commits after later ones is not missed', async () => {
  const series = await newSeries();
  const request = { ...rfa, ...of(series) };
  const [first, second] = await numbering.issueMany(request, 2);
  const slow = await office.pool.connect();
  await using feed = await open(series);
  await read(feed, 2);
  try {
    await slow.query('BEGIN');
    const voided = "SELECT document_number_change_v1('VOID', 'ann', 'slow', space => $1, number => $2)";
    await slow.query(voided, [series, first?.number]);
    await numbering.void({ space: series, number: second?.number ?? '', actor: 'bob', reason: 'quick' });
    expect(said(await read(feed, 1))).toEqual(['VOIDED PAT 2']);
    await slow.query('COMMIT');
  } finally {
    slow.release();
  }
  await using again = await open(series, { after: feed.cursor });
  expect(said(await read(again, 1))).toEqual(['VOIDED PAT 1']);
});

test('a counter whose transaction commits after those of later ones is not missed', async () => {
  const series = await newSeries();
  const slow = await office.pool.connect();
  const request = (ORG: string) => ({ ...rfa, ...of(series), dimensions: { ORG, DISCIPLINE: 'STR' } });
  await using feed = await open(series);
  try {
    await slow.query('BEGIN');
    await numbering.issueIn(slow, request('SLO'));
    await numbering.issue(request('QUI'));
    expect(said(await read(feed, 1))).toEqual(['ISSUED QUI 1']);
    await slow.query('COMMIT');
  } finally {
    slow.release();
  }
  expect(said(await read(feed, 1))).toEqual(['ISSUED SLO 1']);
});

test('a manual interval that is defined after the feed was opened stops no later event', async () => {
  const series = await newSeries();
  const leaving = new AbortController();
  await using feed = await open(series, { signal: leaving.signal });
  await numbering.defineSeries({ ...rfaSeries, ...of(series), manualInterval: { first: 900, last: 999 } });
  const why = { actor: 'admin', reason: 'by hand' };
  await numbering.assign({ ...rfa, ...of(series), sequence: 901, ...why });
  const { number } = await numbering.issue({ ...rfa, ...of(series) });
  await numbering.void({ space: series, number, ...why });
  const giveUp = setTimeout(() => leaving.abort(), 10_000);
  const facts = said(await read(feed, 3));
  clearTimeout(giveUp);
  expect(facts.sort()).toEqual(['ISSUED PAT 1', 'ISSUED PAT 901', 'VOIDED PAT 1']);
});

test('numbers of the manual interval come in the order in which they were assigned or imported', async () => {
  const series = await newSeries({ manualInterval: { first: 900, last: 999 } });
  const request = { ...rfa, ...of(series), reason: 'by hand' };
  await numbering.assign({ ...request, sequence: 905 });
  await numbering.issue(request);
  const { number } = await numbering.assign({ ...request, sequence: 901 });
  await numbering.assign({ ...request, sequence: 3 });
  await numbering.void({ space: series, number, actor: 'bob', reason: 'typo' });
  await using feed = await open(series);
  expect(said(await read(feed, 6))).toEqual([
    'ISSUED PAT 1',
    'SKIPPED PAT 2',
    'ISSUED PAT 3',
    'ISSUED PAT 905',
    'ISSUED PAT 901',
    'VOIDED PAT 901',
  ]);
});

test('a feed of dimensions or of a period has no others, and can begin at a cursor of a wider one', async () => {
  const series = await newSeries();
  const request = (ORG: string) => ({ ...rfa, ...of(series), dimensions: { ORG, DISCIPLINE: 'STR' } });
  await numbering.issue(request('PAT'));
  await numbering.issue(request('ARC'));
  const wide = await open(series);
  await read(wide, 2);
  await numbering.issue(request('PAT'));
  await numbering.issue(request('ARC'));
  await using narrow = await open(series, { dimensions: { ORG: 'ARC' }, after: wide.cursor });
  expect(said(await read(narrow, 1))).toEqual(['ISSUED ARC 2']);
  await expect(open(series, { after: narrow.cursor })).rejects.toMatchObject({
    code: 'INVALID_REQUEST',
    field: 'after',
  });
  await using later = await open(series, { period: '1999', after: wide.cursor });
  expect(later.behindCount).toBe(0);
});

test.each([
  ['text', 'no cursor'],
  ['nothing', ''],
  ['too much', 'A'.repeat(5000)],
])('a cursor that is %s is refused', async (_, after) => {
  await expect(open(rfaSeries.series, { space: 'P1', after })).rejects.toMatchObject({ field: 'after' });
});

test('a cursor with one letter changed is refused', async () => {
  const series = await newSeries();
  await using feed = await open(series);
  const letters = [...feed.cursor];
  letters[12] = letters[12] === 'A' ? 'B' : 'A';
  await expect(open(series, { after: letters.join('') })).rejects.toMatchObject({ field: 'after' });
});

test('a feed ends when it is aborted, also while it waits', async () => {
  const leaving = new AbortController();
  const feed = await open(await newSeries(), { signal: leaving.signal, pollMs: 60_000 });
  const next = feed.next();
  leaving.abort();
  expect(await next).toEqual({ done: true, value: undefined });
});

test('a notice ends the wait', async () => {
  const series = await newSeries();
  async function* notices() {
    yield await numbering.issue({ ...rfa, ...of(series) });
  }
  await using feed = await open(series, { notices: notices(), pollMs: 60_000 });
  expect(said(await read(feed, 1))).toEqual(['ISSUED PAT 1']);
});
