import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import pg from 'pg';
import { createNumbering, type LedgerFilter } from '../src/index.js';
import { answered, costOf, looked, newTemplate, openBigLedger } from './big-ledger.js';
import { type Office, rfa, rfaSeries, withSeries } from './number-office.js';

/** Plans on a ledger that is large enough for the planner to prefer an index; the proof counts their cost on a larger one. */
let office: Office;

beforeAll(async () => {
  office = await openBigLedger(60_000);
});

afterAll(async () => {
  await office[Symbol.asyncDispose]();
});

const { space, series, actor } = rfaSeries;

test.each([...answered, ...looked])('a list by %s scans no table of numbers', async (_, filter) => {
  const { scanned } = await costOf(office, (numbering) => numbering.listNumbers(filter));
  expect(scanned).not.toContain('document_numbers');
});

describe('a change of formats', () => {
  test('scans no table of numbers', async () => {
    const cost = await costOf(office, async (numbering) => {
      const { version } = await numbering.saveFormat({ space, series, template: newTemplate, actor });
      await numbering.withdrawFormat({ space, series, version, actor });
    });
    expect(cost.scanned).not.toContain('document_numbers');
  });
});

const pagedBy = [...answered, ...looked].filter(([, filter]) => Object.keys(filter).length > 1);

test.each(pagedBy)('pages by %s are the rows of the filter, each once', async (_, filter) => {
  const found: string[] = [];
  let after: string | undefined;
  for (let hasNextPage = true; hasNextPage; ) {
    const page = await office.numbering.listNumbers(filter, { first: 1000, ...(after && { after }) });
    found.push(...page.items.map(({ item }) => item.number));
    after = page.endCursor;
    hasNextPage = page.hasNextPage;
  }
  const { rows } = await office.pool.query<{ number: string }>(
    `SELECT n.number FROM document_numbers n JOIN document_number_counters c ON c.id = n.counter_id
    WHERE ($1::text IS NULL OR n.status = $1) AND ($2::text IS NULL OR n.actor = $2)
      AND ($3::text IS NULL OR c.dimensions::json ->> 'ORG' = $3) AND ($4::date IS NULL OR n.business_date >= $4)
      AND ($5::bigint IS NULL OR n.counter_id = $5) AND ($6::text IS NULL OR n.document = $6)
      AND ($7::text IS NULL OR n.idempotency_key = $7)`,
    ['status', 'actor', 'ORG', 'dateFrom', 'counterId', 'document', 'key'].map(
      (name) => Reflect.get({ ...filter, ...filter.dimensions }, name) ?? null,
    ),
  );
  expect(found.length).toBe(rows.length);
  expect(new Set(found)).toEqual(new Set(rows.map(({ number }) => number)));
});

test('a page for an actor without rows is empty, and says where to look further', async () => {
  const page = await office.numbering.listNumbers({ space, actor: 'nobody' });
  expect(page).toMatchObject({ items: [], hasNextPage: true, endCursor: expect.any(String) });
});

test('lists and exports run where nothing can be written, as on a replica', async () => {
  const options = '-c default_transaction_read_only=on';
  const pool = new pg.Pool({ connectionString: office.database.url, options });
  const numbering = createNumbering({ database: pool });
  expect((await numbering.listNumbers({ space, status: 'void' })).items).not.toEqual([]);
  const chunks: string[] = [];
  for await (const chunk of numbering.exportCsv({ space, dimensions: { ORG: 'O7' } })) chunks.push(chunk);
  expect(chunks.join('').split('\r\n')).toHaveLength(602);
  await numbering.close();
  await pool.end();
});

test('one number is found in every space that has it, or in the given ones, without a scan', async () => {
  const { numbering } = office;
  const spaces = ['P2', 'P3', 'P4'];
  for (const other of spaces) {
    await withSeries(numbering, { space: other });
    for (let sequence = 1; sequence <= 2; sequence += 1) await numbering.issue({ ...rfa, space: other });
  }
  const [first] = (await numbering.listNumbers({ space: 'P2' })).items;
  const number = first?.item.number ?? '';
  const spacesOf = async (filter: LedgerFilter, size = 50) => {
    const found = await numbering.listNumbers({ number, ...filter }, { first: size });
    return found.items.map(({ item }) => item.space);
  };
  expect(await spacesOf({})).toEqual(spaces);
  expect(await spacesOf({ spaces: ['P4', 'P2', 'P1'] })).toEqual(['P2', 'P4']);
  expect(await spacesOf({ spaces: [] })).toEqual([]);
  expect(await spacesOf({ space: 'P3' })).toEqual(['P3']);
  expect(await spacesOf({ status: 'void' })).toEqual([]);
  expect(await spacesOf({ key: 'K9', space: 'P3' })).toEqual([]);
  expect(await spacesOf({}, 2)).toEqual(['P2', 'P3']);
  const { scanned } = await costOf(office, (explained) => explained.listNumbers({ number }));
  expect(scanned).not.toContain('document_numbers');
  await expect(numbering.listNumbers({ spaces })).rejects.toMatchObject({ field: 'number' });
});

test('a key is looked up in its space', async () => {
  await expect(office.numbering.listNumbers({ key: 'K5009' })).rejects.toMatchObject({ field: 'space' });
});
