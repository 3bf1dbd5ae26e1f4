import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { race, valuesOf } from '@solegate/testkit';
import { type Office, openOffice, rfa, rfaSeries, withSeries } from './number-office.js';

/** Ledger rows of closed periods lie in the archive, and are known as before. */
let office: Office;

const old = { ...rfa, date: '2024-05-06', otherPeriod: true };
const series = { space: 'P1', series: 'RFA', actor: 'admin' };
const number = (sequence: number) => `PAT-RFA-STR-2024-000${sequence}`;

const countOf = async (table: string) => {
  const { rows } = await office.database.pool.query(`SELECT count(*)::int AS count FROM ${table}`);
  return (rows[0] as { count: number }).count;
};

beforeAll(async () => {
  office = await openOffice({ now: () => Date.UTC(2026, 5, 1) });
  await withSeries(office.numbering);
  for (let index = 0; index < 3; index += 1) await office.numbering.issue({ ...old, key: `old-${index}` });
  await office.numbering.void({ space: 'P1', number: number(2), reason: 'a mistake', actor: 'a' });
  await office.numbering.issue({ ...rfa, date: '2025-01-01', otherPeriod: true });
  await office.numbering.issue(rfa);
});

afterAll(async () => {
  await office[Symbol.asyncDispose]();
});

test('a period that is open, even in part, is not archived', async () => {
  expect(await office.numbering.archive(series)).toEqual({ counterCount: 0, numberCount: 0 });
  await office.numbering.defineSeries({ ...rfaSeries, closedUntil: '2024-12-30' });
  expect(await office.numbering.archive(series)).toEqual({ counterCount: 0, numberCount: 0 });
});

test('closed periods are archived once, by the first caller', async () => {
  await office.numbering.defineSeries({ ...rfaSeries, closedUntil: '2024-12-31' });
  const reports = valuesOf(await race(4, () => office.numbering.archive(series)));
  expect(reports.map(({ numberCount }) => numberCount).toSorted((a, b) => a - b)).toEqual([0, 0, 0, 3]);
  expect([await countOf('document_numbers'), await countOf('document_numbers_archive')]).toEqual([2, 3]);
  const events = (await office.numbering.listEvents({ space: 'P1' })).items.map(({ item }) => item);
  expect(events.filter(({ type }) => type === 'numbers_archived')).toEqual([
    expect.objectContaining({ actor: 'admin', facts: expect.objectContaining({ numberCount: 3 }) }),
  ]);
});

test('archived numbers are found, listed, exported, and kept for their keys', async () => {
  const { numbering } = office;
  expect(await numbering.findNumber({ space: 'P1', number: number(2) })).toMatchObject({
    status: 'void',
    reason: 'a mistake',
  });
  const pages = [{ space: 'P1' }, { period: '2024' }, { key: 'old-1', space: 'P1' }];
  const counts = pages.map(async (filter) => (await numbering.listNumbers(filter)).items.length);
  expect(await Promise.all(counts)).toEqual([5, 3, 1]);
  let csv = '';
  for await (const piece of numbering.exportCsv({ space: 'P1' })) csv += piece;
  expect(csv.split('\r\n').filter(Boolean)).toHaveLength(6);
  expect(await numbering.reconcile()).toEqual([]);
  const repeat = { ...old, key: 'old-2' };
  expect(await numbering.issue(repeat)).toMatchObject({ number: number(3), replayed: true });
  // The key is looked for by the statement that draws, too.
  const elsewhere = { ...rfa, key: 'old-2' };
  await expect(numbering.issue(elsewhere)).rejects.toMatchObject({ code: 'KEY_REUSED' });
});

test('archived numbers are not issued again, changed or removed', async () => {
  const { numbering } = office;
  await expect(numbering.issue(old)).rejects.toMatchObject({ code: 'PERIOD_CLOSED' });
  const voided = numbering.void({ space: 'P1', number: number(1), reason: 'late', actor: 'a' });
  await expect(voided).rejects.toMatchObject({ code: 'NUMBER_STATE', status: 'issued and archived' });
  const reopened = numbering.defineSeries({ ...rfaSeries, closedUntil: '2023-12-31' });
  await expect(reopened).rejects.toMatchObject({ code: 'SERIES_IN_USE', rules: ['closedUntil'] });
  const rows = [
    { series: 'RFA', sequence: 1, date: '2025-02-01', dimensions: { ORG: 'X', DISCIPLINE: 'STR' } },
  ];
  await expect(
    numbering.importNumbers({
      space: 'P1',
      rows: rows.map((row) => ({ ...row, number: number(1) })),
      actor: 'a',
    }),
  ).resolves.toMatchObject({ imported: false });
  const { pool } = office.database;
  for (const [text, constraint] of [
    ['UPDATE document_number_counters SET archived_at = NULL', 'document_number_counters_only_rise'],
    ["UPDATE document_numbers_archive SET number = 'x'", 'document_number_append_only'],
    ['DELETE FROM document_numbers_archive', 'document_number_append_only'],
    ['INSERT INTO document_numbers_archive SELECT * FROM document_numbers', 'document_number_append_only'],
    ['DELETE FROM document_numbers', 'document_number_append_only'],
    ['TRUNCATE document_numbers', 'document_number_append_only'],
  ] as const) {
    await expect(pool.query(text)).rejects.toMatchObject({ constraint });
  }
  const row = `INSERT INTO document_numbers (counter_id, sequence, space, number, period, business_date, actor, status)
    SELECT id, 4, 'P1', 'PAT-RFA-STR-2024-0004', '2024', '2024-05-06', 'x', 'issued'
    FROM document_number_counters WHERE archived_at IS NOT NULL`;
  await expect(pool.query(row)).rejects.toMatchObject({ constraint: 'document_number_counters_only_rise' });
});

test('a counter with a reservation is not archived until that has ended', async () => {
  const { numbering } = office;
  const { token } = await numbering.reserve({ ...rfa, date: '2025-03-01', otherPeriod: true });
  await numbering.defineSeries({ ...rfaSeries, closedUntil: '2025-12-31' });
  expect(await numbering.archive(series)).toEqual({ counterCount: 0, numberCount: 0 });
  await numbering.cancel({ token, reason: 'not needed', actor: 'a' });
  expect(await numbering.archive(series)).toEqual({ counterCount: 1, numberCount: 2 });
  expect(await numbering.reconcile()).toEqual([]);
});

test('a ledger with a hole is not archived', async () => {
  const { pool } = office.database;
  await office.numbering.issueMany(rfa, 3);
  await pool.query('ALTER TABLE document_numbers DISABLE TRIGGER document_numbers_append_only');
  await pool.query("DELETE FROM document_numbers WHERE period = '2026' AND sequence = 2");
  await pool.query('ALTER TABLE document_numbers ENABLE TRIGGER document_numbers_append_only');
  const before = await countOf('document_numbers');
  await office.numbering.defineSeries({ ...rfaSeries, closedUntil: '2026-12-31' });
  await expect(office.numbering.archive(series)).rejects.toMatchObject({ code: 'STORE_REFUSED' });
  expect(await countOf('document_numbers')).toBe(before);
});
