import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { LOOK_MAX } from '../src/ledger/pages.js';
import { answered, costOf, looked, newTemplate, openBigLedger } from './big-ledger.js';
import { type Office, rfaSeries } from './number-office.js';

/** What calls touch of 1,500,000 numbers, of which tables and indexes have 90,000 pages and more. */
const ROWS = 1_500_000;
/** A page of 50 numbers, which can all be on pages of their own, with its counters and their series. */
const PAGE_BUFFERS = 400;
/** Each row of a look can be on a page of its own; its index is read once more for its end. */
const LOOK_BUFFERS = LOOK_MAX + 400;

let office: Office;

beforeAll(async () => {
  office = await openBigLedger(ROWS);
}, 600_000);

afterAll(async () => {
  await office[Symbol.asyncDispose]();
});

const { space, series, actor } = rfaSeries;
const counted: Record<string, number> = {};

test.each(answered)('a page of numbers by %s costs a page', async (name, filter) => {
  const { bufferCount } = await costOf(office, (numbering) => numbering.listNumbers(filter));
  counted[name] = bufferCount;
  expect(bufferCount).toBeLessThan(PAGE_BUFFERS);
});

test.each(looked)('a page of numbers by %s costs one look', async (name, filter) => {
  const { bufferCount } = await costOf(office, (numbering) => numbering.listNumbers(filter));
  counted[name] = bufferCount;
  expect(bufferCount).toBeLessThan(LOOK_BUFFERS);
});

test.each([
  { text: 'o7-rfa-str-2026-0000' },
  { text: 'o' },
  { text: '4242' },
  { text: 'D5007' },
  { text: 'o7-', actor: 'clerk7', dateFrom: '2026-06-01' },
])('a search for %o costs a look', async (search) => {
  const { bufferCount, scanned } = await costOf(office, (numbering) => numbering.searchNumbers(search));
  counted[JSON.stringify(search)] = bufferCount;
  expect(bufferCount).toBeLessThan(LOOK_BUFFERS);
  expect(scanned).not.toContain('document_numbers');
});

test('a format is saved and withdrawn at the cost of its series and the numbers of other systems', async () => {
  let version = 0;
  const saved = await costOf(office, async (numbering) => {
    ({ version } = await numbering.saveFormat({ space, series, template: newTemplate, actor }));
  });
  const withdrawn = await costOf(office, (numbering) =>
    numbering.withdrawFormat({ space, series, version, actor }),
  );
  Object.assign(counted, { saveFormat: saved.bufferCount, withdrawFormat: withdrawn.bufferCount });
  expect(saved.bufferCount).toBeLessThan(1500);
  expect(withdrawn.bufferCount).toBeLessThan(1500);
});

test('without their indexes, the same calls read the table', async () => {
  await office.pool.query('DROP INDEX document_numbers_status_idx, document_numbers_foreign_idx');
  const listed = await costOf(office, (numbering) => numbering.listNumbers({ space, status: 'manual' }));
  expect(listed.bufferCount).toBeGreaterThan(20_000);
});

afterAll(() => {
  process.stdout.write(`buffers: ${JSON.stringify(counted)}\n`);
});
