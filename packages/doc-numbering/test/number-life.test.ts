import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { watchedPool } from '@solegate/testkit';
import { createNumbering } from '../src/index.js';
import {
  assertGapless,
  bangkok,
  type Office,
  openOffice,
  rfa,
  rfaSeries,
  withSeries,
} from './number-office.js';

let office: Office;

beforeAll(async () => {
  office = await openOffice({ requestTimeoutMs: 60_000 });
  await withSeries(office.numbering);
  await withSeries(office.numbering, {
    series: 'INV',
    dimensions: [],
    reset: 'never',
    template: 'INV{SEQ:5}',
    manualInterval: { first: 90_000, last: 99_999 },
  });
});

afterAll(async () => {
  await office[Symbol.asyncDispose]();
});

const to = (org: string) => ({ ...rfa, dimensions: { ORG: org, DISCIPLINE: 'STR' } });
const invoice = { space: 'P1', series: 'INV', actor: 'somchai' };

test('a void number keeps its row, and is never issued again', async () => {
  const { number } = await office.numbering.issue(to('VOID'));
  const request = { space: 'P1', number, reason: 'wrong drawing', actor: 'a' };
  const { voided } = await office.numbering.void(request);
  expect(voided).toMatchObject({ status: 'void', voidReason: 'wrong drawing', voidedBy: 'a' });
  expect((await office.numbering.void(request)).voided).toEqual(voided);
  await expect(office.numbering.void({ ...request, reason: 'other' })).rejects.toMatchObject({
    code: 'NUMBER_STATE',
  });
  expect((await office.numbering.issue(to('VOID'))).sequence).toBe(2);
  expect((await office.numbering.listEvents({ space: 'P1', number })).items[0]?.item).toMatchObject({
    type: 'number_voided',
    reason: 'wrong drawing',
    facts: { was: 'issued' },
  });
});

test('a reservation that is confirmed after a void found it is not reported as void', async () => {
  const { token, number } = await office.numbering.reserve(to('MEANWHILE'));
  let isReserved = true;
  const database = watchedPool(office.pool, async ({ text }, run) => {
    const result = await run();
    if (text.includes("'VOID'") && isReserved) {
      isReserved = false;
      await office.numbering.confirm({ token, actor: 'b' });
    }
    return result;
  });
  await using numbering = createNumbering({ database });
  const request = { space: 'P1', number, reason: 'wrong drawing', actor: 'a' };
  await expect(numbering.void(request)).rejects.toMatchObject({ code: 'BUSY', retryable: true });
  expect(await numbering.void(request)).toMatchObject({ voided: { status: 'void' }, replayed: false });
  expect(await numbering.void(request)).toMatchObject({ voided: { status: 'void' }, replayed: true });
});

test('what a clerk said when voiding a number stays apart from what its issuer said', async () => {
  const { numbering } = office;
  const issued = { ...to('CLERK'), actor: 'anna', reason: 'urgent: client asked for it' };
  const { number } = await numbering.issue(issued);
  const correction = { space: 'P1', number, reason: 'typo', actor: 'bob' };
  await numbering.voidAndReplace({ ...correction, replacement: issued });
  const said = { actor: 'anna', reason: issued.reason, voidReason: 'typo', voidedBy: 'bob' };
  const entry = await numbering.findNumber({ space: 'P1', number });
  expect(entry).toMatchObject({ ...said, status: 'void', voidedAt: expect.any(Date) });
  let csv = '';
  for await (const piece of numbering.exportCsv({ space: 'P1', dimensions: { ORG: 'CLERK' } })) csv += piece;
  const [head = '', voided = '', replacement = ''] = csv.split('\r\n').map((line) => line.split(','));
  const cell = (row: string | string[], name: string) => row[[...head].indexOf(name)];
  for (const name of ['actor', 'reason'] as const) expect(cell(voided, name)).toBe(said[name]);
  expect([cell(voided, 'void_reason'), cell(voided, 'voided_by')]).toEqual(['typo', 'bob']);
  expect(cell(replacement, 'void_reason')).toBe('');
});

test('a number is voided and replaced in one commit, and a retry returns the same result', async () => {
  const { number } = await office.numbering.issue(to('SWAP'));
  const request = {
    space: 'P1',
    number,
    reason: 'superseded',
    actor: 'a',
    replacement: { ...to('SWAP'), key: 'swap-1', document: 'd2' },
  };
  const first = await office.numbering.voidAndReplace(request);
  const again = await office.numbering.voidAndReplace(request);
  expect(first.voided.replacedBy).toBe(first.replacement?.number);
  expect(again.replacement?.number).toBe(first.replacement?.number);
  await expect(office.numbering.voidAndReplace({ ...request, number: 'nothing' })).rejects.toMatchObject({
    code: 'NUMBER_NOT_FOUND',
  });
  const { items } = await office.numbering.listNumbers({ space: 'P1', dimensions: { ORG: 'SWAP' } });
  expect(items.map(({ item }) => item.status)).toEqual(['void', 'issued']);
});

test('an assigned number above the counter raises it, and the skipped numbers are recorded', async () => {
  await office.numbering.issue(to('JUMP'));
  const assigned = await office.numbering.assign({
    ...to('JUMP'),
    sequence: 5,
    reason: 'agreed with the client',
  });
  expect(assigned.sequence).toBe(5);
  expect((await office.numbering.issue(to('JUMP'))).sequence).toBe(6);
  const { items } = await office.numbering.listNumbers({ space: 'P1', dimensions: { ORG: 'JUMP' } });
  expect(items.map(({ item }) => item.status)).toEqual([
    'issued',
    'cancelled',
    'cancelled',
    'cancelled',
    'manual',
    'issued',
  ]);
  await expect(office.numbering.assign({ ...to('JUMP'), sequence: 3, reason: 'x' })).rejects.toMatchObject({
    code: 'DUPLICATE',
  });
});

test("assigning the counter's last number is a duplicate, and one call skips at most 100,000", async () => {
  await withSeries(office.numbering, { series: 'FAR', dimensions: [], template: '{TYPE}-{YEAR}-{SEQ:7}' });
  const far = { ...to('FAR'), series: 'FAR', dimensions: {}, reason: 'x' };
  await office.numbering.issue(far);
  await expect(office.numbering.assign({ ...far, sequence: 1 })).rejects.toMatchObject({ code: 'DUPLICATE' });
  const tooFar = { code: 'INVALID_REQUEST', field: 'sequence' };
  await expect(office.numbering.skipTo({ ...far, upTo: 100_002 })).rejects.toMatchObject({
    ...tooFar,
    field: 'upTo',
  });
  await expect(office.numbering.assign({ ...far, sequence: 100_003 })).rejects.toMatchObject(tooFar);
});

test('an assignment whose id is taken says so, and not that its number is', async () => {
  await office.numbering.issue({ ...to('NAMED'), id: 4711n });
  const assigned = office.numbering.assign({ ...to('NAMED'), id: 4711n, sequence: 5, reason: 'by hand' });
  await expect(assigned).rejects.toMatchObject({ code: 'DUPLICATE', number: 'id 4711' });
  expect((await office.numbering.issue(to('NAMED'))).sequence).toBe(2);
});

test('the manual interval is only for assigned numbers', async () => {
  await office.numbering.issue(invoice);
  const assigned = await office.numbering.assign({ ...invoice, sequence: 90_001, reason: 'by hand' });
  expect(assigned.number).toBe('INV90001');
  await expect(
    office.numbering.assign({ ...invoice, sequence: 90_001, reason: 'twice' }),
  ).rejects.toMatchObject({ code: 'DUPLICATE' });
  expect((await office.numbering.issue(invoice)).sequence).toBe(2);
  await office.numbering.skipTo({ ...invoice, upTo: 89_999, reason: 'used up' });
  await expect(office.numbering.issue(invoice)).rejects.toMatchObject({ code: 'EXHAUSTED', limit: 89_999 });
  // The interval starts right after the counter's last number, yet does not advance it.
  await office.numbering.assign({ ...invoice, sequence: 90_000, reason: 'by hand' });
  const { items } = await office.numbering.listCounters({ space: 'P1', series: 'INV' });
  expect(items.map(({ item }) => item.lastNumber)).toEqual([89_999]);
  expect(await office.numbering.reconcile({ series: 'INV' })).toMatchObject([]);
});

const imported = (sequence: number, more = {}) => ({
  series: 'RFA',
  dimensions: { ORG: 'OLD', DISCIPLINE: 'STR' },
  date: '2026-02-01',
  sequence,
  ...more,
});

test('an import is all or nothing, reports every problem, and a dry run stores nothing', async () => {
  const bad = [
    imported(1),
    imported(1),
    imported(4),
    imported(5, { date: '2026-02-30' }),
    imported(6, { series: 'NO' }),
  ];
  const report = await office.numbering.importNumbers({ space: 'P1', rows: bad, actor: 'a' });
  expect(report).toMatchObject({ imported: false, rowCount: 5, problemCount: 4 });
  expect(report.problems.map(({ code }) => code).sort()).toEqual([
    'DUPLICATE',
    'HOLE',
    'INVALID_REQUEST',
    'UNKNOWN_SERIES',
  ]);
  const rows = [imported(1), imported(2, { number: 'PAPER/2' }), imported(5)];
  const request = { space: 'P1', rows, holes: 'record' as const, actor: 'a' };
  expect(await office.numbering.importNumbers({ ...request, dryRun: true })).toMatchObject({
    imported: false,
    recordedHoleCount: 2,
    problemCount: 0,
    counters: [{ lastNumber: 0, raisedTo: 5 }],
  });
  expect((await office.numbering.listCounters({ dimensions: { ORG: 'OLD' } })).items).toEqual([]);
  expect(await office.numbering.importNumbers(request)).toMatchObject({
    imported: true,
    recordedHoleCount: 2,
  });
  expect((await office.numbering.issue({ ...to('OLD'), date: '2026-02-02' })).sequence).toBe(6);
  expect(await office.numbering.importNumbers(request)).toMatchObject({ imported: false, problemCount: 3 });
});

test('a number text that a format would print for another number cannot be imported', async () => {
  const rows = [
    imported(7, { dimensions: { ORG: 'NEXT', DISCIPLINE: 'STR' }, number: 'NEXT-RFA-STR-2026-0099' }),
  ];
  const report = await office.numbering.importNumbers({ space: 'P1', rows, holes: 'record', actor: 'a' });
  expect(report.problems).toMatchObject([{ row: 0, code: 'INVALID_REQUEST' }]);
});

test('the ledger can be read page by page without gaps or repeats', async () => {
  await office.numbering.issueMany(to('PAGE'), 25);
  for (const filter of [{ space: 'P1', dimensions: { ORG: 'PAGE' } }, { dimensions: { ORG: 'PAGE' } }]) {
    const seen: number[] = [];
    let after: string | undefined;
    do {
      const page = await office.numbering.listNumbers(filter, { first: 10, ...(after ? { after } : {}) });
      seen.push(...page.items.map(({ item }) => item.sequence));
      after = page.hasNextPage ? page.items.at(-1)?.cursor : undefined;
    } while (after);
    expect(seen).toEqual(Array.from({ length: 25 }, (_, index) => index + 1));
  }
  for (const key of [
    'bogus',
    '["sequence","1"]',
    '["sequence","1","x"]',
    '["sequence","1","99999999999999999999"]',
  ]) {
    const after = Buffer.from(key).toString('base64url');
    await expect(office.numbering.listNumbers({}, { after })).rejects.toMatchObject({ field: 'after' });
  }
  await expect(office.numbering.listNumbers({}, { first: 1001 })).rejects.toMatchObject({ field: 'first' });
  for (const date of ['0000-01-01', '2026-02-30', 'infinity'])
    await expect(office.numbering.listNumbers({ dateFrom: date })).rejects.toMatchObject({
      field: 'dateFrom',
    });
});

test('the ledger is exported as CSV with quoted text and without formulas', async () => {
  await office.numbering.issue({ ...to('CSV'), reason: '=HYPERLINK("x"), "quoted"', document: 'ก,ข' });
  let csv = '';
  for await (const piece of office.numbering.exportCsv({ space: 'P1', dimensions: { ORG: 'CSV' } }))
    csv += piece;
  const [head, row, end] = csv.split('\r\n');
  expect(head).toMatch(/^id,space,series,dimensions,period,sequence,number,status/);
  expect(row).toContain(`"ก,ข",somchai,"'=HYPERLINK(""x""), ""quoted"""`);
  expect(end).toBe('');
});

test('a preview consumes no number and guarantees none', async () => {
  const preview = await office.numbering.preview(to('PEEK'));
  expect(preview).toMatchObject({ sequence: 1, promised: false });
  expect((await office.numbering.issue(to('PEEK'))).number).toBe(preview.number);
  expect(await office.numbering.preview(to('PEEK'))).toMatchObject({ sequence: 2 });
});

test('a number can be parsed into its parts', async () => {
  const { number } = await office.numbering.issue(to('PARSE'));
  expect(await office.numbering.parse({ space: 'P1', series: 'RFA', number })).toMatchObject({
    sequence: 1,
    formatVersion: 1,
    tokens: { ORG: 'PARSE', TYPE: 'RFA', DISCIPLINE: 'STR' },
  });
  expect(await office.numbering.parse({ space: 'P1', series: 'RFA', number: 'nonsense' })).toBeUndefined();
});

test('a number is parsed by the formats of now, not by those that this process has read before', async () => {
  const series = 'PARSED';
  const numbering = await withSeries(office.numbering, {
    series,
    template: 'A/{ORG}/{DISCIPLINE}/{YEAR}/{SEQ:4}',
  });
  const stranger = await office.another();
  const parsed = (number: string) => stranger.parse({ space: 'P1', series, number });
  expect(await parsed('A/PAT/STR/2026/0001')).toMatchObject({ formatVersion: 1 });
  const at = { space: 'P1', series, actor: 'admin' };
  await numbering.saveFormat({ ...at, template: 'B/{ORG}/{DISCIPLINE}/{YEAR}/{SEQ:4}' });
  await numbering.withdrawFormat({ ...at, version: 1 });
  expect(await parsed('B/PAT/STR/2026/0001')).toMatchObject({ formatVersion: 2 });
  expect(await parsed('A/PAT/STR/2026/0001')).toBeUndefined();
});

test('numbers without a document are found on request', async () => {
  await office.numbering.issue(to('LOOSE'));
  const findings = await office.numbering.reconcile({ series: 'RFA', unattachedAfterMs: 0 });
  expect(findings).toContainEqual(
    expect.objectContaining({ kind: 'UNATTACHED', counter: expect.stringContaining('LOOSE') }),
  );
});

test('series rules that decide counters are fixed once a counter exists; the others change immediately', async () => {
  const rules = {
    space: 'P1',
    series: 'RFA',
    dimensions: ['ORG', 'DISCIPLINE'],
    timeZone: bangkok,
    actor: 'admin',
  };
  await expect(office.numbering.defineSeries({ ...rules, reset: 'month' })).rejects.toMatchObject({
    code: 'SERIES_IN_USE',
    rules: ['reset'],
  });
  const before = await office.numbering.issue({ ...to('SHUT'), date: '2026-03-01' });
  await office.numbering.defineSeries({ ...rules, closedUntil: '2026-03-31' });
  const another = await office.another();
  for (const numbering of [office.numbering, another]) {
    await expect(numbering.issue({ ...to('SHUT'), date: '2026-03-02' })).rejects.toMatchObject({
      code: 'PERIOD_CLOSED',
    });
  }
  expect(before.sequence).toBe(1);
  await office.numbering.defineSeries(rules);
});

test.each([
  ['defineSeries', { ...rfaSeries, series: 'NEW' }],
  ['saveFormat', { space: 'P1', series: 'RFA', template: '{ORG}-{TYPE}-{DISCIPLINE}-{YEAR}-{SEQ:5}' }],
  ['issue', to('WHO')],
  ['skipTo', { ...to('WHO'), upTo: 3, reason: 'because' }],
  ['importNumbers', { space: 'P1', rows: [imported(1)] }],
] as const)('%s requires an actor', async (name, request) => {
  const call = office.numbering[name] as (request: object) => Promise<unknown>;
  await expect(call({ ...request, actor: '' })).rejects.toMatchObject({
    code: 'INVALID_REQUEST',
    field: 'actor',
  });
});

test('the ledger is gapless after all of this', async () => {
  await assertGapless(office.database.pool);
});
