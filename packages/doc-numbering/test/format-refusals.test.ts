import { expect, test } from '@jest/globals';
import { NumberingError } from '../src/contract/numbering-error.js';
import type { Series } from '../src/contract/series.js';
import { checkFormat } from '../src/format/check-format.js';
import { CompiledFormat } from '../src/format/compiled-format.js';
import { TokenRegistry } from '../src/format/token.js';

const registry = new TokenRegistry([
  { name: 'DASHED', extraCharacters: '-' },
  { name: 'LOT', extraCharacters: '-' },
]);

const series: Series = {
  id: '1',
  space: 'P1',
  series: 'RFA',
  dimensions: [{ token: 'ORG' }],
  reset: 'year',
  timeZone: 'Asia/Bangkok',
  fiscalStartMonth: 10,
  fiscalYearNamedBy: 'end',
  startAt: 1,
  dateOrder: false,
  closedUntil: undefined,
  openUntil: undefined,
  endAt: undefined,
  blocked: undefined,
  authorityCode: undefined,
  manualInterval: undefined,
  identity: 'i',
  revision: 1,
};

function check(template: string, rules: Partial<Series> = {}, overflow: 'error' | 'widen' = 'error') {
  return checkFormat({
    version: { version: 1, template, overflow, validFrom: '-infinity' },
    series: { ...series, ...rules },
    registry,
    fixedCodes: { TYPE: rules.series ?? 'RFA', PROJECT: 'P1' },
    neighbours: [],
  });
}

function refusal(template: string, rules?: Partial<Series>, overflow?: 'error' | 'widen') {
  try {
    check(template, rules, overflow);
  } catch (error) {
    if (error instanceof NumberingError) return error;
    throw error;
  }
  throw new Error(`"${template}" was accepted`);
}

const good = '{ORG}-{TYPE}-{YEAR}-{SEQ:4}';

test.each([
  '{ORG}-{TYPE}-{YEAR}-{SEQ:4}',
  '{ORG_CODE}-{TYPE_CODE}-{YEAR}-{SEQ:4}',
  '{ORIGINATOR}/{CORR_TYPE}/{YYYY}/{SEQ:1}',
  'คคง.{ORG}-{YEAR:BE}/{SEQ:15}',
  '{YEAR:B.E.}{SEQ:4}-{ORG}',
  '{ORG} {YEAR:BE:2}-{MONTH}-{DAY} #{SEQ:5}',
  '{{{ORG}}}-{YEAR}-{SEQ:3}',
  '{SEQ:4}{YEAR}-{ORG}',
  '{DASHED}-{ORG}-{YEAR}-{SEQ:4}',
])('%s is accepted', (template) => {
  expect(check(template).codeNames).toContain('ORG');
});

test.each([
  ['', 0, 'INVALID_FORMAT'],
  ['{ORG}-{YEAR}', 12, 'INVALID_FORMAT'],
  ['{ORG}-{YEAR}-{SEQ}', 13, 'INVALID_FORMAT'],
  ['{ORG}-{YEAR}-{SEQ:0}', 18, 'INVALID_FORMAT'],
  ['{ORG}-{YEAR}-{SEQ:16}', 18, 'INVALID_FORMAT'],
  ['{ORG}-{YEAR}-{SEQ:4}-{SEQ:4}', 21, 'INVALID_FORMAT'],
  ['{ORG}-{YEAR}-{SEQ:4', 13, 'INVALID_FORMAT'],
  ['{ORG}-{YEAR}}-{SEQ:4}', 12, 'INVALID_FORMAT'],
  ['{ORG}-{YEARS}-{SEQ:4}', 6, 'UNKNOWN_TOKEN'],
  ['{org}-{YEAR}-{SEQ:4}', 0, 'UNKNOWN_TOKEN'],
  ['{ORG:3}-{YEAR}-{SEQ:4}', 5, 'INVALID_FORMAT'],
  ['{ORG}-{YEAR:AC}-{SEQ:4}', 12, 'INVALID_FORMAT'],
  ['{ORG}-{YEAR}-{SEQ:4}\n', 20, 'INVALID_FORMAT'],
  [' {ORG}-{YEAR}-{SEQ:4}', 0, 'INVALID_FORMAT'],
  ['e\u0301{ORG}-{YEAR}-{SEQ:4}', 0, 'INVALID_FORMAT'],
  [`${'x'.repeat(190)}{SEQ:4}`, 190, 'INVALID_FORMAT'],
  ['x'.repeat(201), 200, 'INVALID_FORMAT'],
  ['{TYPE}-{YEAR}-{SEQ:4}', 21, 'AMBIGUOUS_FORMAT'],
  ['{ORG}-{SEQ:4}', 13, 'AMBIGUOUS_FORMAT'],
  ['{ORG}{DISCIPLINE}-{YEAR}-{SEQ:4}', 0, 'AMBIGUOUS_FORMAT'],
  ['{ORG}.{DISCIPLINE}-{YEAR}-{SEQ:4}', 0, 'AMBIGUOUS_FORMAT'],
  ['{ORG}/{DASHED}-{LOT}-{YEAR}-{SEQ:4}', 6, 'AMBIGUOUS_FORMAT'],
])('"%s" is refused at position %i with %s', (template, position, code) => {
  const error = refusal(template);
  expect(error).toMatchObject({ code, position, retryable: false });
});

test('an unknown token is refused with a list of all valid tokens, including custom ones', () => {
  const { validTokens } = refusal('{ORG}-{YEARS}-{SEQ:4}') as unknown as { validTokens: readonly string[] };
  const codes = [
    'AUTHORITY',
    'DASHED',
    'DISCIPLINE',
    'LOT',
    'ORG',
    'PROJECT',
    'RECIPIENT',
    'REVISION',
    'SUB_TYPE',
  ];
  const dates = [
    'DAY',
    'FISCAL_END',
    'FISCAL_START',
    'FISCAL_YEAR',
    'MONTH',
    'QUARTER',
    'WEEK',
    'WEEK_YEAR',
    'YEAR',
  ];
  expect(validTokens.toSorted()).toEqual([...codes, 'TYPE', ...dates, 'SEQ:n'].toSorted());
});

test('a separator inside a code is refused only if two readings are possible', () => {
  expect(() => check('{ORG}.{YEAR}.{SEQ:4}')).not.toThrow();
  expect(refusal('{ORG}{YEAR}{SEQ:4}', {}, 'widen')).toMatchObject({ code: 'AMBIGUOUS_FORMAT' });
});

test('a reset finer than the date tokens shown is refused, with both periods', () => {
  expect(refusal(good, { reset: 'month' })).toMatchObject({
    code: 'AMBIGUOUS_FORMAT',
    first: expect.stringContaining('2026-01'),
    second: expect.stringContaining('{YEAR} and {MONTH}'),
  });
  expect(refusal(good, { reset: 'fiscal_year' })).toMatchObject({ code: 'AMBIGUOUS_FORMAT' });
  expect(() => check('{ORG}-{FISCAL_YEAR}-{SEQ:4}', { reset: 'fiscal_year' })).not.toThrow();
  expect(() => check('{ORG}-{SEQ:4}', { reset: 'never' })).not.toThrow();
});

test('counters that could print the same number are named, with such a number', () => {
  expect(refusal('{ORG}/{DASHED}-{LOT}-{YEAR}-{SEQ:4}')).toMatchObject({
    first: expect.stringMatching(/DASHED .*LOT/),
    second: expect.stringMatching(/DASHED .*LOT/),
    example: expect.stringContaining('-'),
  });
});

test('series of one space cannot print the same number: letters and memos need a type or a literal', () => {
  const letters = check('{ORG}-{YEAR}-{SEQ:4}', { series: 'LET' });
  const neighbours = [{ series: { ...series, series: 'LET' }, format: letters, fixedCodes: { TYPE: 'LET' } }];
  const memo = (template: string) => () =>
    checkFormat({
      version: { version: 1, template, overflow: 'error', validFrom: '-infinity' },
      series: { ...series, id: '2', series: 'MEMO' },
      registry,
      fixedCodes: { TYPE: 'MEMO' },
      neighbours,
    });
  expect(memo('{ORG}-{YEAR}-{SEQ:4}')).toThrow(/series MEMO .* and by series LET/s);
  expect(memo('{ORG}-{TYPE}-{YEAR}-{SEQ:4}')).not.toThrow();
});

test('changing the era or the width of a series prints no number twice', () => {
  const first = check('{ORG}-{YEAR}-{SEQ:4}');
  const next = (template: string) => () =>
    checkFormat({
      version: { version: 2, template, overflow: 'error', validFrom: '2027-01-01' },
      series,
      registry,
      fixedCodes: {},
      neighbours: [{ series, format: first, fixedCodes: {} }],
    });
  expect(next('{ORG}-{YEAR:BE}-{SEQ:4}')).not.toThrow();
  expect(next('{ORG}-{YEAR}-{SEQ:6}')).not.toThrow();
  expect(next('{ORG}-{SEQ:4}-{YEAR}')).toThrow(/2000-2000|would be printed/);
});

test('300 bad templates are refused, each with its position', () => {
  const faults = [
    '{SEQ:4}',
    '{BOGUS}',
    '{',
    '}',
    '\u0007',
    '{ORG:2}',
    '{MONTH:1}',
    '{YEAR:XX}',
    '{}',
    '{SEQ:4:4}',
  ];
  let count = 0;
  for (const fault of faults) {
    for (let index = 0; index < 30; index += 1) {
      const before = 'a'.repeat(index);
      const template = `${before}${fault}${good}`;
      const error = refusal(template);
      const position = Reflect.get(error, 'position');
      // With two {SEQ}, the second is reported; any other fault is reported where it was inserted.
      const wanted = fault === '{SEQ:4}' ? template.lastIndexOf('{SEQ') : before.length;
      expect(position).toBeGreaterThanOrEqual(wanted);
      expect(position).toBeLessThanOrEqual(wanted + fault.length + good.length);
      count += 1;
    }
  }
  expect(count).toBe(300);
});

test('token names are validated when they are registered', () => {
  expect(() => new TokenRegistry([{ name: 'YEAR' }])).toThrow('date or sequence');
  expect(() => new TokenRegistry([{ name: 'ORG_CODE' }])).toThrow('another spelling of ORG');
  expect(() => new TokenRegistry([{ name: 'lower' }])).toThrow('upper case');
  expect(() => new TokenRegistry([{ name: 'LONG', lengthMax: 51 }])).toThrow('1 to 50');
});

test('a format is compiled once and renders by concatenation', () => {
  const facts = {
    version: 1,
    template: 'A$&{ORG}{{x}}-{YEAR}-{YEAR}-{SEQ:3}',
    overflow: 'error',
    validFrom: '',
  } as const;
  const format = new CompiledFormat(facts, registry);
  const affixes = format.affixes({ date: '2026-05-01', codes: { ORG: "B$'{YEAR}" } }, series);
  expect(format.render(affixes, 7)).toBe("A$&B$'{YEAR}{x}-2026-2026-007");
});
