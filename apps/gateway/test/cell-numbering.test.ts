import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createNumbering, migrations, type Numbering } from '@solegate/doc-numbering';
import { createTestDatabase, type TestDatabase } from '@solegate/testkit';
import { pino } from 'pino';
import { Cell, type RunningCell } from '../src/cells/cell.js';
import { Cells } from '../src/cells/cells.js';
import type { MasterData } from '../src/master-data/master-data.js';
import { cellNumbering } from '../src/numbering/cell-numbering.js';

/** Two cells with a database each: the first has the spaces 100 and 300, the second 200. */
const databases: TestDatabase[] = [];
let cells: Cells;
let numbering: Numbering;

/** In each space: more than a search looks at, over all of them. */
const NUMBER_COUNT = 600;

beforeAll(async () => {
  const cellOf = async (name: string, spaces: readonly string[]): Promise<Cell> => {
    const database = await createTestDatabase({ migrations });
    databases.push(database);
    const own = createNumbering({ database: database.pool });
    for (const space of spaces) {
      const request = { space, series: 'RFA', actor: 'a' };
      await own.defineSeries({ ...request, timeZone: 'UTC' });
      await own.saveFormat({ ...request, template: '{TYPE}-{YEAR}-{SEQ:4}' });
      await own.issueMany({ ...request, date: '2026-01-05', otherPeriod: true }, NUMBER_COUNT);
    }
    const running = { numbering: own, close: () => own.close() } as RunningCell;
    const logger = pino({ level: 'silent' });
    return new Cell({ name, nodes: undefined, start: async () => running, logger });
  };
  const [first, second] = [await cellOf('first', ['100', '300']), await cellOf('second', ['200'])];
  cells = new Cells([first, second]);
  await cells.start();
  const data = { cellOf: async (space: string) => (space === '200' ? second : first) };
  numbering = cellNumbering(cells, data as unknown as MasterData);
});

afterAll(async () => {
  await cells?.close();
  await Promise.all(databases.map((database) => database.drop()));
});

test.each([
  [undefined, ['100', '200', '300']],
  [false, ['100', '200', '300']],
  [true, ['300', '200', '100']],
])('a list by number has each number once, newest first: %s', async (newestFirst, expected) => {
  const seen: string[] = [];
  let after: string | undefined;
  do {
    const filter = { number: 'RFA-2026-0001', ...(newestFirst === undefined ? {} : { newestFirst }) };
    const page = await numbering.listNumbers(filter, { first: 1, ...(after && { after }) });
    seen.push(...page.items.map(({ item }) => item.space));
    after = page.hasNextPage ? page.endCursor : undefined;
  } while (after !== undefined);
  expect(seen).toEqual(expected);
});

test('a page that found nothing in the rows it looked at says where to continue', async () => {
  const request = { space: '200', series: 'LOG', actor: 'a' };
  await numbering.defineSeries({ ...request, timeZone: 'UTC' });
  await numbering.saveFormat({ ...request, template: '{TYPE}-{YEAR}-{SEQ:5}' });
  for (let count = 0; count < 5; count += 1) await numbering.issueMany(request, NUMBER_COUNT);
  const sizes: number[] = [];
  let after: string | undefined;
  do {
    const page = await numbering.listNumbers({ space: '200', actor: 'nobody' }, after ? { after } : {});
    sizes.push(page.items.length);
    expect(page.hasNextPage).toBe(page.endCursor !== undefined);
    after = page.endCursor;
  } while (after !== undefined && sizes.length < 5);
  expect(sizes).toEqual([0, 0]);
});

test('a search has as many pages as one of a single cell, and says that there is more', async () => {
  const pages = [0, 400, 800, 1_000].map((skip) =>
    numbering.searchNumbers({ text: 'rfa', first: 400, skip }),
  );
  const found = await Promise.all(pages);
  expect(found.map(({ entries }) => entries.length)).toEqual([400, 400, 200, 0]);
  const keys = found.flatMap(({ entries }) => entries.map(({ space, number }) => `${space} ${number}`));
  expect(new Set(keys).size).toBe(1_000);
  for (const { total, isMore } of found) expect([total, isMore]).toEqual([1_000, true]);
});

test.each([
  ['skip', { skip: -1 }],
  ['skip', { skip: 1_001 }],
  ['skip', { skip: 0.5 }],
  ['first', { first: 0 }],
  ['first', { first: 1_001 }],
])('a search refuses a wrong %s: %o', async (field, page) => {
  const refusal = { code: 'INVALID_REQUEST', field };
  await expect(numbering.searchNumbers({ text: 'rfa', ...page })).rejects.toMatchObject(refusal);
});
