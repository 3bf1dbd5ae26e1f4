import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { race, testPooler, watchedPool } from '@solegate/testkit';
import { type CodeQuery, createNumbering } from '../src/index.js';
import { EventLog, type Office, openOffice, rfa, withSeries } from './number-office.js';

const log = new EventLog();
let office: Office;
let nowMs = Date.UTC(2026, 4, 1);

beforeAll(async () => {
  office = await openOffice({
    observer: log.observer,
    now: () => nowMs,
    tokens: [{ name: 'LOT', extraCharacters: '/' }],
    codes: {
      find: ({ token, reference }) => (token === 'ORG' && reference === 'UNKNOWN' ? undefined : reference),
    },
  });
  await withSeries(office.numbering);
});

afterAll(async () => {
  await office[Symbol.asyncDispose]();
});

const to = (org: string) => ({ ...rfa, dimensions: { ORG: org, DISCIPLINE: 'STR' } });

test.each([
  ['no space', { space: '' }, 'INVALID_REQUEST'],
  ['an unknown series', { series: 'NOPE' }, 'UNKNOWN_SERIES'],
  ['no actor', { actor: '' }, 'INVALID_REQUEST'],
  ['an unknown organisation', { dimensions: { ORG: 'UNKNOWN', DISCIPLINE: 'STR' } }, 'UNKNOWN_CODE'],
  ['a missing dimension', { dimensions: { ORG: 'PAT' } }, 'UNKNOWN_CODE'],
  ['an unknown dimension', { dimensions: { ORG: 'A', DISCIPLINE: 'B', LOT: 'C' } }, 'INVALID_REQUEST'],
  [
    'a dimension in two spellings',
    { dimensions: { ORG: 'A', ORG_CODE: 'A', DISCIPLINE: 'B' } },
    'INVALID_REQUEST',
  ],
  ['a separator in a code', { dimensions: { ORG: 'A-B', DISCIPLINE: 'C' } }, 'UNKNOWN_CODE'],
  ['a control character', { reason: 'a\u0000b' }, 'INVALID_REQUEST'],
  ['a lone surrogate', { reason: 'a\ud800' }, 'INVALID_REQUEST'],
  ['a date that does not exist', { date: '2026-02-30' }, 'INVALID_REQUEST'],
  ['an invalid Date', { date: new Date(Number.NaN) }, 'INVALID_REQUEST'],
  ['null as a date', { date: null as never }, 'INVALID_REQUEST'],
  ['a number as a date', { date: 5 as never }, 'INVALID_REQUEST'],
  ['null as dimensions', { dimensions: null as never, key: 'null' }, 'INVALID_REQUEST'],
  ['null as fields', { fields: null as never }, 'INVALID_REQUEST'],
  ['a past period without permission', { date: '2025-12-31' }, 'PERIOD_CLOSED'],
  ['a year outside the calendar', { date: '2567-01-01', otherPeriod: true }, 'INVALID_REQUEST'],
  ['an invalid id', { id: '-5' }, 'INVALID_REQUEST'],
])('%s is refused and consumes no number', async (_, change, code) => {
  await expect(office.numbering.issue({ ...rfa, ...change })).rejects.toMatchObject({
    code,
    retryable: false,
  });
  expect((await office.numbering.listCounters({})).items).toEqual([]);
});

test('both spellings of a token mean one counter', async () => {
  const short = await office.numbering.issue(to('SPELL'));
  const long = await office.numbering.issue({
    ...rfa,
    dimensions: { ORG_CODE: 'SPELL', DISCIPLINE_CODE: 'STR' },
  });
  expect([long.counterId, long.sequence]).toEqual([short.counterId, 2]);
});

test('a past period needs otherPeriod, and has its own counter and year', async () => {
  const issued = await office.numbering.issue({ ...to('PAST'), date: '2025-12-31', otherPeriod: true });
  expect(issued).toMatchObject({ number: 'PAST-RFA-STR-2025-0001', period: '2025' });
});

test('a full width is an error that consumes no number, after warnings at 90 and 95 per cent', async () => {
  await withSeries(office.numbering, { series: 'NARROW', dimensions: [], template: '{TYPE}{YEAR}-{SEQ:2}' });
  const narrow = { ...rfa, series: 'NARROW', dimensions: {} };
  await office.numbering.issueMany(narrow, 95);
  expect(log.last('widthWarned')).toMatchObject({ threshold: 0.95, lastNumber: 95 });
  await expect(office.numbering.issueMany(narrow, 5)).rejects.toMatchObject({ code: 'EXHAUSTED', limit: 99 });
  const outcomes = await race(10, () => office.numbering.issue(narrow));
  expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(4);
  await expect(office.numbering.preview(narrow)).rejects.toMatchObject({ code: 'EXHAUSTED' });
  expect(await office.numbering.reconcile({ series: 'NARROW' })).toMatchObject([
    { kind: 'WIDTH', widthUsed: 1 },
  ]);
  await office.numbering.saveFormat({ ...narrow, template: '{TYPE}{YEAR}-{SEQ:3}' });
  expect(await office.numbering.issue(narrow)).toMatchObject({ number: 'NARROW2026-100', formatVersion: 2 });
});

test('a width can widen, and counters report how much of it is used', async () => {
  await withSeries(office.numbering, {
    series: 'WIDE',
    dimensions: [],
    template: '{TYPE}/{YEAR}/{SEQ:1}',
    overflow: 'widen',
  });
  const issued = await office.numbering.issueMany({ ...rfa, series: 'WIDE', dimensions: {} }, 12);
  expect(issued.at(-1)?.number).toBe('WIDE/2026/12');
  expect((await office.numbering.listCounters({ series: 'WIDE' })).items[0]?.item.widthUsed).toBeCloseTo(
    12 / 9,
  );
});

test('what looks like a sequence in the text of a format is not its width', async () => {
  await withSeries(office.numbering, {
    series: 'BRACES',
    dimensions: [],
    template: 'N{{SEQ:9}}-{{{YEAR}}}-{SEQ:1}}}',
  });
  const issued = await office.numbering.issueMany({ ...rfa, series: 'BRACES', dimensions: {} }, 9);
  expect(issued.at(-1)?.number).toBe('N{SEQ:9}-{2026}-9}');
  expect((await office.numbering.listCounters({ series: 'BRACES' })).items[0]?.item.widthUsed).toBe(1);
  expect(await office.numbering.reconcile({ series: 'BRACES' })).toMatchObject([{ kind: 'WIDTH' }]);
});

test('date order refuses a date before the last one, but a taken number is still reported as taken', async () => {
  await withSeries(office.numbering, {
    series: 'DATED',
    dimensions: [],
    template: '{TYPE}-{YEAR}-{SEQ:4}',
    dateOrder: true,
  });
  const dated = { ...rfa, series: 'DATED', dimensions: {} };
  const outcomes = await Promise.allSettled(
    ['2026-02-01', '2026-03-01', '2026-02-15', '2026-03-01'].map((date) =>
      office.numbering.issue({ ...dated, date }),
    ),
  );
  expect(
    outcomes.map((outcome) =>
      outcome.status === 'fulfilled' ? outcome.value.sequence : outcome.reason.code,
    ),
  ).toEqual([1, 2, 'DATE_ORDER', 3]);
  const preview = (date: string) => office.numbering.preview({ ...dated, date });
  await expect(preview('2026-02-15')).rejects.toMatchObject({ code: 'DATE_ORDER', lastDate: '2026-03-01' });
  expect(await preview('2026-03-01')).toMatchObject({ sequence: 4 });
  const earlier = { ...dated, date: '2026-02-15', reason: 'agreed' };
  await expect(office.numbering.assign({ ...earlier, sequence: 3 })).rejects.toMatchObject({
    code: 'DUPLICATE',
  });
  await expect(office.numbering.assign({ ...earlier, sequence: 4 })).rejects.toMatchObject({
    code: 'DATE_ORDER',
  });
});

test.each(['alone', 'together'])('date order costs no extra statement: %s', async (how) => {
  const series = `SAME_${how.toUpperCase()}`;
  await withSeries(office.numbering, {
    series,
    dimensions: [],
    template: '{TYPE}-{YEAR}-{SEQ:4}',
    dateOrder: true,
  });
  let statementCount = 0;
  let keyCount = 0;
  const database = watchedPool(office.pool, (_statement, run) => {
    statementCount += 1;
    return run();
  });
  const numbering = createNumbering({ database, namedStatements: testPooler() !== 'unnamed' });
  const dated = { ...rfa, series, dimensions: {}, date: '2026-02-01' };
  const draw = () =>
    how === 'alone' ? numbering.issue(dated) : numbering.issueMany({ ...dated, key: `key ${++keyCount}` }, 2);
  await draw();
  statementCount = 0;
  await draw();
  expect(statementCount).toBe(1);
  await numbering.close();
});

test('a new version does not affect running counters, and old dates keep the old version', async () => {
  await withSeries(office.numbering, { series: 'VER', dimensions: [], template: '{TYPE}-{YEAR}-{SEQ:3}' });
  const request = { ...rfa, series: 'VER', dimensions: {} };
  await office.numbering.issue(request);
  await office.numbering.saveFormat({
    ...request,
    template: 'N/{TYPE}-{YEAR}-{SEQ:3}',
    validFrom: '2026-06-01',
  });
  const [old, next] = await Promise.all(
    ['2026-05-31', '2026-06-01'].map((date) => office.numbering.issue({ ...request, date })),
  );
  expect([old?.number, next?.number]).toEqual(['VER-2026-002', 'N/VER-2026-003']);
  const formats = await office.numbering.listFormats({ series: 'VER' });
  expect(formats.map(({ validFrom, validUntil }) => [validFrom, validUntil])).toEqual([
    [undefined, '2026-05-31'],
    ['2026-06-01', undefined],
  ]);
  const again = await office.numbering.saveFormat({ ...request, template: 'N/{TYPE}-{YEAR}-{SEQ:3}' });
  expect(again.version).toBe(2);
});

test('a format saved by one process applies to the next number of another', async () => {
  const another = await office.another();
  await withSeries(office.numbering, { series: 'TWO', dimensions: [], template: '{TYPE}-{YEAR}-{SEQ:3}' });
  const request = { ...rfa, series: 'TWO', dimensions: {} };
  await another.issue(request);
  await office.numbering.saveFormat({ ...request, template: '{TYPE}:{YEAR}:{SEQ:3}' });
  expect((await another.issue(request)).number).toBe('TWO:2026:002');
});

test('numbers can print Thai years and a fiscal year named after its end', async () => {
  await withSeries(office.numbering, {
    series: 'ราชการ',
    dimensions: ['ORG'],
    reset: 'fiscal_year',
    fiscalStartMonth: 10,
    fiscalYearNamedBy: 'end',
    template: 'ที่ {ORG}/{FISCAL_YEAR:BE}/{SEQ:3}',
  });
  const request = { ...rfa, series: 'ราชการ', dimensions: { ORG: 'สคฉ.3' } };
  nowMs = Date.UTC(2026, 8, 30, 16, 59);
  const before = await office.numbering.issue(request);
  nowMs = Date.UTC(2026, 8, 30, 17, 1);
  const after = await office.numbering.issue(request);
  nowMs = Date.UTC(2026, 4, 1);
  expect(before).toMatchObject({ number: 'ที่ สคฉ.3/2569/001', period: 'FY2025' });
  expect(after).toMatchObject({ number: 'ที่ สคฉ.3/2570/001', period: 'FY2026' });
});

test.each([
  ['quarter', '{TYPE}-{YEAR}-Q{QUARTER}-{SEQ:2}', '2026-Q2', 'MON-2026-Q2-01'],
  ['month', '{TYPE}-{YEAR}-{MONTH}-{SEQ:2}', '2026-05', 'MON-2026-05-01'],
  ['week', '{TYPE}-{WEEK_YEAR:BE}-W{WEEK}-{SEQ:2}', '2026-W18', 'MON-2569-W18-01'],
  ['day', '{TYPE}{YEAR:2}{MONTH}{DAY}-{SEQ:2}', '2026-05-01', 'MON260501-01'],
  ['never', '{TYPE}-{SEQ:2}', 'all', 'MON-01'],
] as const)('a reset by %s counts in its period', async (reset, template, period, number) => {
  await withSeries(office.numbering, { space: `S-${reset}`, series: 'MON', dimensions: [], reset, template });
  const issued = await office.numbering.issue({ ...rfa, space: `S-${reset}`, series: 'MON', dimensions: {} });
  expect(issued).toMatchObject({ period, number });
});

test.each([
  ['2026-01-01', '2026-W01', 'WK-2026-W01-1'],
  ['2027-01-01', '2026-W53', 'WK-2026-W53-1'],
  ['2027-01-04', '2027-W01', 'WK-2027-W01-1'],
  ['2024-12-30', '2025-W01', 'WK-2025-W01-1'],
])('%s is in the week %s, which may belong to another year', async (date, period, number) => {
  await withSeries(office.numbering, {
    series: 'WK',
    dimensions: [],
    reset: 'week',
    template: '{TYPE}-{WEEK_YEAR}-W{WEEK}-{SEQ:1}',
  });
  const request = { ...rfa, series: 'WK', dimensions: {}, date, otherPeriod: true };
  expect(await office.numbering.issue(request)).toMatchObject({ period, number });
  const found = await office.numbering.parse({ space: 'P1', series: 'WK', number });
  expect(found).toMatchObject({ period, sequence: 1 });
});

test('a fiscal year is printed as a range', async () => {
  await withSeries(office.numbering, {
    series: 'INV',
    dimensions: [],
    reset: 'fiscal_year',
    fiscalStartMonth: 4,
    template: '{TYPE}/{FISCAL_START:2}-{FISCAL_END:2}/{SEQ:3}',
  });
  const request = { ...rfa, series: 'INV', dimensions: {}, otherPeriod: true };
  const issued = await office.numbering.issue({ ...request, date: '2026-03-31' });
  expect(issued).toMatchObject({ number: 'INV/25-26/001', period: 'FY2025' });
  expect((await office.numbering.issue({ ...request, date: '2026-04-01' })).number).toBe('INV/26-27/001');
  const read = await office.numbering.parse({ space: 'P1', series: 'INV', number: issued.number });
  expect(read).toMatchObject({ period: 'FY2025' });
});

test("an authority's code is printed, ends with its range, and can be replaced", async () => {
  const rules = {
    space: 'PT',
    series: 'FT',
    dimensions: [],
    reset: 'never',
    template: '{AUTHORITY}-{SEQ:1}',
  } as const;
  await withSeries(office.numbering, { ...rules, overflow: 'widen', authorityCode: 'CSDF7T5H', endAt: 2 });
  const request = { ...rfa, space: 'PT', series: 'FT', dimensions: {} };
  const [first, second] = await office.numbering.issueMany(request, 2);
  expect([first?.number, second?.number]).toEqual(['CSDF7T5H-1', 'CSDF7T5H-2']);
  await expect(office.numbering.issue(request)).rejects.toMatchObject({ code: 'EXHAUSTED', limit: 2 });
  await withSeries(office.numbering, { ...rules, overflow: 'widen', authorityCode: 'KZ3H9T5P', endAt: 4 });
  expect((await office.numbering.issue(request)).number).toBe('KZ3H9T5P-3');
});

test("a format that prints an authority's code requires one", async () => {
  await withSeries(office.numbering, {
    space: 'PT2',
    series: 'NA',
    dimensions: [],
    template: '{AUTHORITY}/{YEAR}-{SEQ:2}',
  });
  const request = { ...rfa, space: 'PT2', series: 'NA', dimensions: {} };
  await expect(office.numbering.issue(request)).rejects.toMatchObject({
    code: 'UNKNOWN_CODE',
    token: 'AUTHORITY',
  });
});

test('the code for a missing dimension shares its counter with the same explicit code', async () => {
  await withSeries(office.numbering, {
    series: 'NONE',
    dimensions: ['ORG', { token: 'DISCIPLINE', none: 'GEN' }],
    template: '{ORG}-{TYPE}-{DISCIPLINE}-{YEAR}-{SEQ:4}',
  });
  const request = { ...rfa, series: 'NONE' };
  const without = await office.numbering.issue({ ...request, dimensions: { ORG: 'PAT' } });
  const given = await office.numbering.issue({ ...request, dimensions: { ORG: 'PAT', DISCIPLINE: 'GEN' } });
  expect([without.number, given.sequence]).toEqual(['PAT-NONE-GEN-2026-0001', 2]);
});

test('a dimension can be given among the fields, and the code for none is not looked up', async () => {
  const codes = {
    find: ({ token, reference }: CodeQuery) => (token === 'ORG' ? `${reference}1` : undefined),
  };
  const numbering = await office.another({ codes });
  await withSeries(numbering, {
    series: 'FIELDS',
    dimensions: ['ORG', { token: 'DISCIPLINE', none: 'GEN' }],
    template: '{ORG}-FIELDS-{DISCIPLINE}-{YEAR}-{SEQ:4}',
  });
  const request = { ...rfa, series: 'FIELDS', dimensions: {} };
  const issued = await numbering.issue({ ...request, fields: { ORG: 'PAT', REVISION: 'not printed' } });
  expect([issued.number, issued.dimensions]).toEqual([
    'PAT1-FIELDS-GEN-2026-0001',
    { DISCIPLINE: 'GEN', ORG: 'PAT1' },
  ]);
  await expect(
    numbering.issue({ ...request, fields: { ORG: 'PAT', DISCIPLINE: 'STR' } }),
  ).rejects.toMatchObject({ code: 'UNKNOWN_CODE', token: 'DISCIPLINE' });
});

test('custom tokens can be fields or dimensions like the built-in ones', async () => {
  await withSeries(office.numbering, {
    series: 'OWN',
    dimensions: [],
    template: '{TYPE}-{YEAR}-{SEQ:2}-{LOT}-{REV}',
  });
  const request = { ...rfa, series: 'OWN', dimensions: {} };
  const issued = await office.numbering.issue({ ...request, fields: { LOT: '7/8', REVISION: 'A' } });
  expect(issued.number).toBe('OWN-2026-01-7/8-A');
  await expect(office.numbering.issue(request)).rejects.toMatchObject({ code: 'UNKNOWN_CODE', token: 'LOT' });
});

test('options out of range are refused', () => {
  return expect(office.another({ lockTtlMs: 5 })).rejects.toMatchObject({
    code: 'INVALID_REQUEST',
    field: 'lockTtlMs',
  });
});

test('after close, no number can be issued', async () => {
  const another = await office.another();
  const last = another.issue(to('LAST'));
  await another.close();
  await expect(last).resolves.toMatchObject({ sequence: 1 });
  await expect(another.issue(to('LAST'))).rejects.toMatchObject({
    code: 'NUMBERING_CLOSED',
    retryable: true,
  });
  await another.close();
});
