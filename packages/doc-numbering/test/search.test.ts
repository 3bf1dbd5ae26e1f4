import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { NumberSearch } from '../src/index.js';
import { costOf, openBigLedger } from './big-ledger.js';
import { type Office, rfa, withSeries } from './number-office.js';

/** A search by what a person remembers of a number. */
let office: Office;

beforeAll(async () => {
  office = await openBigLedger(60_000);
  const { numbering } = office;
  await withSeries(numbering, { space: 'P2' });
  for (let sequence = 1; sequence <= 3; sequence += 1) {
    await numbering.issue({ ...rfa, space: 'P2', actor: `clerk-${sequence}`, document: `D-${sequence}` });
  }
});

afterAll(async () => {
  await office[Symbol.asyncDispose]();
});

async function textsOf(search: NumberSearch): Promise<readonly string[]> {
  const { entries } = await office.numbering.searchNumbers(search);
  return entries.map(({ number }) => number);
}

test('a beginning in any case finds numbers, newest first, in the given spaces only', async () => {
  const spaces = ['P2'];
  const all = (await office.numbering.listNumbers({ space: 'P2' })).items.map(({ item }) => item.number);
  expect(all).toHaveLength(3);
  const beginning = all[0]?.slice(0, 7) ?? '';
  expect(await textsOf({ text: beginning, spaces })).toEqual(all.toReversed());
  expect(await textsOf({ text: beginning.toLowerCase(), spaces })).toEqual(all.toReversed());
  expect(await textsOf({ text: all[1]?.toLowerCase() ?? '', spaces })).toEqual([all[1]]);
  expect(await textsOf({ text: beginning, spaces: ['P3'] })).toEqual([]);
  expect(await textsOf({ text: `${all[1]}0`, spaces })).toEqual([]);
});

test('a sequence finds the number of each counter, and a document its own', async () => {
  const { total, isMore, entries } = await office.numbering.searchNumbers({ text: '0042' });
  expect([total, isMore]).toEqual([100, false]);
  expect(new Set(entries.map(({ sequence }) => sequence))).toEqual(new Set([42]));
  expect(await textsOf({ text: 'D-2', spaces: ['P2'] })).toHaveLength(1);
  expect(await textsOf({ text: 'D-2', spaces: ['P1'] })).toEqual([]);
});

test('other conditions narrow what has the text, and pages of it follow one another', async () => {
  const { numbering } = office;
  const ofO7 = { text: 'o7-', spaces: ['P1'] };
  const whole = await numbering.searchNumbers(ofO7);
  expect([whole.total, whole.isMore, whole.entries.length]).toEqual([600, false, 50]);
  const next = await numbering.searchNumbers({ ...ofO7, skip: 50, first: 10 });
  expect(next.total).toBe(600);
  expect(new Set([...whole.entries, ...next.entries].map(({ number }) => number)).size).toBe(60);
  const december = await numbering.searchNumbers({ ...ofO7, dateFrom: '2026-12-01' });
  expect(december.total).toBeGreaterThan(0);
  expect(december.total).toBeLessThan(600);
  expect(await textsOf({ ...ofO7, actor: 'nobody' })).toEqual([]);
});

test('of more than a thousand numbers, the total stops there', async () => {
  const { total, isMore, entries } = await office.numbering.searchNumbers({ text: 'O', first: 100 });
  expect([total, isMore, entries.length]).toEqual([1_000, true, 100]);
});

test.each([{ text: 'o7-rfa' }, { text: '42', spaces: ['P1'] }, { text: 'D5007' }])(
  'a search for %o scans no table of numbers',
  async (search) => {
    const { scanned } = await costOf(office, (numbering) => numbering.searchNumbers(search));
    expect(scanned).not.toContain('document_numbers');
  },
);

test.each([
  ['text', { text: '' }],
  ['text', { text: 'x'.repeat(101) }],
  ['first', { text: 'x', first: 1_001 }],
  ['skip', { text: 'x', skip: 1_001 }],
  ['dateTo', { text: 'x', dateTo: '2026-02-30' }],
])('a search with an invalid %s is refused', async (field, search) => {
  await expect(office.numbering.searchNumbers(search)).rejects.toMatchObject({ field });
});

test('a list goes backward from the last number of a counter, each once', async () => {
  const found: number[] = [];
  let after: string | undefined;
  for (let hasNextPage = true; hasNextPage; ) {
    const filter = { space: 'P1', dimensions: { ORG: 'O7' }, newestFirst: true };
    const page = await office.numbering.listNumbers(filter, { first: 250, ...(after && { after }) });
    found.push(...page.items.map(({ item }) => item.sequence));
    after = page.endCursor;
    hasNextPage = page.hasNextPage;
  }
  expect(found).toEqual(Array.from({ length: 600 }, (_, index) => 600 - index));
});
