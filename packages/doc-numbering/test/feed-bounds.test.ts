import { createHash } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { FeedRewoundError, type NumberFeed, type Numbering } from '../src/index.js';
import { type Office, openOffice, rfa, rfaSeries, unguarded, withSeries } from './number-office.js';

let office: Office;
let numbering: Numbering;

beforeAll(async () => {
  office = await openOffice();
  numbering = office.numbering;
});

afterAll(async () => {
  await office[Symbol.asyncDispose]();
});

const of = (series: string) => ({ space: series, series, pollMs: 20 });

async function withNumbers(series: string, ...organizations: string[]): Promise<NumberFeed> {
  await withSeries(numbering, { space: series, series });
  for (const ORG of organizations)
    await numbering.issueMany({ ...rfa, space: series, series, dimensions: { ORG, DISCIPLINE: 'STR' } }, 3);
  return numbering.feed(of(series));
}

async function readAll(feed: NumberFeed): Promise<string[]> {
  const said: string[] = [];
  while (feed.behindCount > 0)
    for (const { kind, entry } of await feed.take(100))
      said.push(`${kind} ${entry.dimensions.ORG} ${entry.sequence}`);
  return said;
}

/** Undoes what happened to a counter after a sequence, as a restore does; the rows before it are two hours old. */
async function restore(series: string, organization: string, last: number): Promise<void> {
  const counter = `SELECT c.id FROM document_number_counters c JOIN document_number_series s ON s.id = c.series_id
    WHERE s.code = '${series}' AND c.dimensions::json ->> 'ORG' = '${organization}'`;
  const where = `WHERE counter_id = (${counter})`;
  await unguarded(office.pool, `DELETE FROM document_numbers ${where} AND sequence > ${last}`);
  await unguarded(
    office.pool,
    `UPDATE document_number_counters SET last_number = ${last} WHERE id = (${counter})`,
  );
}

/** As if everything so far had happened two hours ago. */
async function age(): Promise<void> {
  await unguarded(office.pool, "UPDATE document_numbers SET issued_at = issued_at - interval '2 hours'");
  await unguarded(office.pool, "UPDATE document_number_events SET at = at - interval '2 hours'");
}

test('a cursor of before a restore is refused, with one from which to read again', async () => {
  const old = await withNumbers('OLD', 'PAT', 'ARC');
  await readAll(old);
  await age();
  await using feed = await numbering.feed(of('OLD'));
  await readAll(feed);
  await numbering.issue({ ...rfa, space: 'OLD', series: 'OLD' });
  await readAll(feed);
  const fourth = await feed.next();
  expect(fourth.value?.entry.sequence).toBe(4);
  const after = feed.cursor;
  await restore('OLD', 'PAT', 3);
  // Another process, since this one would notice that the counter is below what it has issued.
  const other = await office.another();
  await other.issueMany({ ...rfa, space: 'OLD', series: 'OLD' }, 2);
  const refused = await numbering.feed({ ...of('OLD'), after }).catch((error: unknown) => error);
  expect(refused).toBeInstanceOf(FeedRewoundError);
  const from = (refused as FeedRewoundError).after ?? '';
  await using again = await numbering.feed({ ...of('OLD'), after: from });
  expect(await readAll(again)).toEqual(['ISSUED PAT 4', 'ISSUED PAT 5']);
});

test('a feed that is open when the ledger loses numbers throws the same error', async () => {
  await using feed = await withNumbers('RUN', 'PAT');
  await readAll(feed);
  const next = feed.next();
  await restore('RUN', 'PAT', 1);
  await expect(next).rejects.toMatchObject({ code: 'FEED_REWOUND', retryable: false });
});

test('a cursor is refused when another event has its position', async () => {
  await using feed = await withNumbers('EVT', 'PAT');
  await readAll(feed);
  const [first] = (await numbering.listNumbers({ space: 'EVT' })).items;
  const voided = { space: 'EVT', number: first?.item.number ?? '', actor: 'bob', reason: 'typo' };
  await numbering.void(voided);
  expect((await feed.next()).value?.kind).toBe('VOIDED');
  await unguarded(
    office.pool,
    "UPDATE document_number_events SET at = at + interval '1 s' WHERE space = 'EVT'",
  );
  const again = numbering.feed({ ...of('EVT'), after: feed.cursor });
  await expect(again).rejects.toMatchObject({ code: 'FEED_REWOUND' });
});

const addCounters = (series: string, count: number, last = 0) =>
  unguarded(
    office.pool,
    `INSERT INTO document_number_counters (series_id, dimensions, period, first_number, last_number)
    SELECT s.id, json_build_object('DISCIPLINE', 'STR', 'ORG', 'C' || i)::text, '2026', 1, ${last}
    FROM document_number_series s, generate_series(1, ${count}) i WHERE s.code = '${series}'`,
  );

/** A cursor with the position of a real one replaced by these bytes, and its check computed again. */
function forgedFrom(cursor: string, body: readonly number[]): string {
  const real = Buffer.from(cursor, 'base64url');
  const rest = Buffer.concat([real.subarray(4, 4 + 1 + 6 + 8), Buffer.from(body)]);
  const check = createHash('sha256').update(rest).digest().subarray(0, 4);
  return Buffer.concat([check, rest]).toString('base64url');
}

/** Whole numbers from 2^49 have eight bytes, seven bits in each. */
const [huge, beyond] = [
  [128, 128, 128, 128, 128, 128, 128, 2],
  [128, 128, 128, 128, 128, 128, 128, 128, 128, 2],
];

test.each([
  ['no position', []],
  ['a counter that it does not have', [0, 0, 1]],
  ['half a counter', [0, 0, 1, 7]],
  ['more counters than it says', [0, 0, 0, 7, 3]],
  ['a sequence that is no safe integer', [0, 0, 1, 7, ...beyond]],
  ['a position of events that is no safe integer', [0, ...beyond, 0]],
  ['2^50 counters', [0, 0, ...huge]],
])('a forged cursor of %s is refused', async (_, body) => {
  await withSeries(numbering, rfaSeries);
  const feed = await numbering.feed({ space: 'P1', series: 'RFA' });
  await feed.return?.();
  const after = forgedFrom(feed.cursor, body);
  const refused = numbering.feed({ space: 'P1', series: 'RFA', after });
  await expect(refused).rejects.toMatchObject({ code: 'INVALID_REQUEST', field: 'after' });
});

test('a feed of 500 counters has a cursor that fits a header; one of more is refused with how to narrow it', async () => {
  const feed = await withNumbers('WID');
  await addCounters('WID', 500, 3);
  await feed.return?.();
  await using wide = await numbering.feed(of('WID'));
  expect(wide.behindCount).toBe(1500);
  await numbering.issue({ ...rfa, space: 'WID', series: 'WID' });
  const refused = numbering.feed(of('WID'));
  await expect(refused).rejects.toMatchObject({
    code: 'FEED_TOO_WIDE',
    narrowBy: ['period', 'ORG', 'DISCIPLINE'],
  });
  await using narrow = await numbering.feed({ ...of('WID'), dimensions: { ORG: 'PAT' } });
  expect(await readAll(narrow)).toEqual(['ISSUED PAT 1']);
});

test('the counters of a feed take turns', async () => {
  await withSeries(numbering, { space: 'TRN', series: 'TRN' });
  const issue = (ORG: string, count: number) =>
    numbering.issueMany(
      { ...rfa, space: 'TRN', series: 'TRN', dimensions: { ORG, DISCIPLINE: 'STR' } },
      count,
    );
  for (const ORG of ['AAA', 'BBB']) for (let round = 0; round < 2; round += 1) await issue(ORG, 1000);
  await using feed = await numbering.feed(of('TRN'));
  const said = await readAll(feed);
  expect(said.length).toBe(4000);
  expect(said.indexOf('ISSUED BBB 1')).toBeLessThan(said.indexOf('ISSUED AAA 2000'));
});

test.each([
  [{ pollMs: 1 }, 'pollMs'],
  [{ perSecondMax: 10 }, 'perSecondMax'],
  [{ dimensions: { COLOUR: 'RED' } }, 'dimensions'],
  [{ dimensions: { ORG: '' } }, 'dimensions.ORG'],
])('a feed with %j is refused', async (more, field) => {
  await withSeries(numbering, rfaSeries);
  const opened = numbering.feed({ space: 'P1', series: 'RFA', ...more });
  await expect(opened).rejects.toMatchObject({ code: 'INVALID_REQUEST', field });
});

test('a feed of a series that does not exist is refused', async () => {
  await expect(numbering.feed({ space: 'P1', series: 'NONE' })).rejects.toMatchObject({
    code: 'UNKNOWN_SERIES',
  });
});

test('closing the numbering ends its feeds', async () => {
  const other = await office.another();
  const feed = await other.feed({ space: 'P1', series: 'RFA', pollMs: 60_000 });
  const next = feed.next();
  await other.close();
  expect((await next).done).toBe(true);
});
