import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { NumberingError } from '../src/contract/numbering-error.js';
import type { Reset, Series } from '../src/contract/series.js';
import { AmbiguousFormatError } from '../src/contract/series-error.js';
import { checkFormat } from '../src/format/check-format.js';
import type { CompiledFormat } from '../src/format/compiled-format.js';
import { periodOf } from '../src/format/period.js';
import { readNumber } from '../src/format/read-number.js';
import { TokenRegistry } from '../src/format/token.js';

const registry = new TokenRegistry([{ name: 'DASHED', extraCharacters: '-/' }]);

const baseSeries: Series = {
  id: '1',
  space: 'P1',
  series: 'RFA',
  dimensions: [{ token: 'ORG' }, { token: 'DISCIPLINE' }],
  reset: 'year',
  timeZone: 'UTC',
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

const separator = fc.constantFrom('-', '/', '.', '', 'A', '0', 'คคง.', ' ');
const token = fc.constantFrom(
  '{ORG}',
  '{DISCIPLINE}',
  '{DASHED}',
  '{TYPE}',
  '{YEAR}',
  '{YEAR:BE}',
  '{YEAR:2}',
  '{FISCAL_YEAR}',
  '{FISCAL_END:2}',
  '{WEEK_YEAR}',
  '{QUARTER}',
  '{MONTH}',
  '{WEEK}',
  '{DAY}',
  '{SEQ:2}',
  '{SEQ:4}',
);

const shuffled = (...dates: string[]) => {
  const parts = ['{ORG}', '{DISCIPLINE}', '{SEQ:3}', ...dates];
  return fc.shuffledSubarray(parts, { minLength: parts.length });
};

/** Templates with the dimensions, a period and one sequence in any order, and arbitrary text between them. */
const template = fc
  .tuple(
    fc.oneof(
      { weight: 4, arbitrary: shuffled('{YEAR}', '{MONTH}', '{DAY}') },
      { weight: 1, arbitrary: shuffled('{YEAR}', '{QUARTER}') },
      { weight: 1, arbitrary: shuffled('{WEEK_YEAR}', '{WEEK}') },
      { weight: 1, arbitrary: shuffled('{FISCAL_START}', '{FISCAL_END:2}') },
    ),
    fc.array(token, { maxLength: 2 }),
    fc.array(separator, { minLength: 9, maxLength: 9 }),
  )
  .map(([must, extra, separators]) => {
    const parts = [...must, ...extra.filter((part) => !part.startsWith('{SEQ'))];
    return parts
      .map((part, index) => `${separators[index]}${part}`)
      .join('')
      .trim();
  });

const code = fc.stringMatching(/^[AB01.]{1,3}$/);
const dashed = fc.stringMatching(/^[AB0/-]{1,3}$/);
const date = fc
  .tuple(
    fc.integer({ min: 2000, max: 2056 }),
    fc.integer({ min: 1, max: 12 }),
    fc.integer({ min: 1, max: 28 }),
  )
  .map(([year, month, day]) => `${year}-${String(month).padStart(2, '0')}-${String(day).padStart(2, '0')}`);
const values = fc.record({
  ORG: code,
  DISCIPLINE: code,
  DASHED: dashed,
  date,
  sequence: fc.integer({ min: 1, max: 2500 }),
});

type Values = typeof values extends fc.Arbitrary<infer V> ? V : never;

const overflow = fc.constantFrom<'error' | 'widen'>('error', 'widen');
const reset = fc.constantFrom<Reset>('never', 'year', 'fiscal_year', 'quarter', 'month', 'week', 'day');

function accepted(text: string, series: Series, policy: 'error' | 'widen'): CompiledFormat | undefined {
  try {
    return checkFormat({
      version: { version: 1, template: text, overflow: policy, validFrom: '-infinity' },
      series,
      registry,
      fixedCodes: { TYPE: 'RFA' },
      neighbours: [],
    });
  } catch (error) {
    if (error instanceof NumberingError) return undefined;
    throw error;
  }
}

function print(
  format: CompiledFormat,
  series: Series,
  { date: day, sequence, ...codes }: Values,
): string | undefined {
  if (sequence > format.ceiling) return undefined;
  return format.render(format.affixes({ date: day, codes: { ...codes, TYPE: 'RFA' } }, series), sequence);
}

const counterOf = (series: Series, { date: day, ORG, DISCIPLINE, sequence }: Values): string =>
  JSON.stringify([ORG, DISCIPLINE, periodOf(day, series), sequence]);

test('a printed number can be parsed, and prints the same again', () => {
  let acceptedCount = 0;
  fc.assert(
    fc.property(template, overflow, reset, fc.array(values, { minLength: 20, maxLength: 20 }), (...args) => {
      const [text, policy, resetRule, many] = args;
      const series = { ...baseSeries, reset: resetRule };
      const format = accepted(text, series, policy);
      if (!format) return;
      acceptedCount += 1;
      for (const one of many) {
        const number = print(format, series, one);
        if (number === undefined) continue;
        const read = readNumber({ format, series, fixedCodes: { TYPE: 'RFA' } }, number);
        expect(read).toMatchObject({ sequence: one.sequence, period: periodOf(one.date, series) });
        expect(read?.tokens).toMatchObject({ ORG: one.ORG, DISCIPLINE: one.DISCIPLINE });
      }
    }),
    { numRuns: 500 },
  );
  expect(acceptedCount).toBeGreaterThan(100);
});

test('no two of a million random pairs of counters print the same number under accepted formats', () => {
  let pairs = 0;
  const sample = fc.sample(values, { numRuns: 800, seed: 20_261_121 });
  const templates = fc.sample(fc.tuple(template, overflow, reset), { numRuns: 150, seed: 7 });
  for (const [text, policy, resetRule] of templates) {
    const series = { ...baseSeries, reset: resetRule };
    const format = accepted(text, series, policy);
    if (!format) continue;
    const printed = new Map<string, string>();
    for (const one of sample) {
      const number = print(format, series, one);
      if (number === undefined) continue;
      const counter = counterOf(series, one);
      const before = printed.get(number) ?? counter;
      if (before !== counter) throw new Error(`${text} prints ${number} for ${before} and for ${counter}`);
      // Counts the comparisons of this number with all earlier ones.
      pairs += printed.size;
      printed.set(number, counter);
    }
  }
  expect(pairs).toBeGreaterThan(1_000_000);
});

test('an ambiguous format is refused with two different readings', () => {
  let refusedCount = 0;
  const templates = fc.sample(fc.tuple(template, overflow), { numRuns: 150, seed: 11 });
  for (const [text, policy] of templates) {
    try {
      checkFormat({
        version: { version: 1, template: text, overflow: policy, validFrom: '-infinity' },
        series: baseSeries,
        registry,
        fixedCodes: { TYPE: 'RFA' },
        neighbours: [],
      });
    } catch (error) {
      if (!(error instanceof AmbiguousFormatError)) throw error;
      const repeats = new Set(text.match(/\{\w+/g)).size < (text.match(/\{\w+/g)?.length ?? 0);
      if (repeats) continue;
      refusedCount += 1;
      expect(error.first).not.toBe(error.second);
      expect(error.position).toBeLessThanOrEqual(text.length);
    }
  }
  expect(refusedCount).toBeGreaterThan(10);
});
