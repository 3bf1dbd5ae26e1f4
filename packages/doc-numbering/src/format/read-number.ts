import type { Overflow, ParsedNumber, Series } from '../contract/series.js';
import type { CompiledFormat } from './compiled-format.js';
import { fiscalSpan } from './period.js';
import type { DateToken } from './template.js';

export type NumberParts = Pick<ParsedNumber, 'sequence' | 'tokens' | 'period'>;

/** A format and the series that prints with it. */
export interface SeriesFormat {
  readonly series: Series;
  readonly format: CompiledFormat;
  /** Codes that all numbers of the series print alike: its type and its project. */
  readonly fixedCodes: Readonly<Record<string, string>>;
}

const patterns = new WeakMap<CompiledFormat, { readonly key: string; readonly pattern: RegExp }>();

/** Parses a number with one format; returns `undefined` if the format cannot have printed it. */
export function readNumber(printing: SeriesFormat, number: string): NumberParts | undefined {
  const { format, series, fixedCodes } = printing;
  const key = JSON.stringify(fixedCodes);
  let known = patterns.get(format);
  if (known?.key !== key) {
    known = { key, pattern: patternOf(printing) };
    patterns.set(format, known);
  }
  const { SEQ, ...tokens } = known.pattern.exec(number)?.groups ?? {};
  const sequence = Number(SEQ ?? 0);
  return sequence < 1 ? undefined : { sequence, tokens, period: readPeriod(tokens, series) };
}

/** A number identified by its counter and sequence. */
export interface NumberPlace {
  readonly seriesId: string;
  readonly dimensions: Readonly<Record<string, string>>;
  readonly period: string;
  readonly sequence: number;
}

/** Parses the text of a number with a format; returns the result only if it identifies a different number. */
export function readAnother(
  printing: SeriesFormat,
  number: string,
  place: NumberPlace,
): NumberParts | undefined {
  const read = readNumber(printing, number);
  const isItself =
    read?.sequence === place.sequence &&
    printing.series.id === place.seriesId &&
    (read.period ?? place.period) === place.period &&
    Object.entries(place.dimensions).every(([token, code]) => read.tokens[token] === code);
  return isItself ? undefined : read;
}

const escapePattern = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');

function patternOf({ format, fixedCodes: fixed }: SeriesFormat): RegExp {
  const { parts, facts } = format;
  const seen = new Set<string>();
  const group = (name: string, pattern: string): string => {
    if (seen.has(name)) return `\\k<${name}>`;
    seen.add(name);
    return `(?<${name}>${pattern})`;
  };
  const sources = parts.map((part): string => {
    switch (part.kind) {
      case 'literal':
        return escapePattern(part.text);
      case 'sequence':
        return group('SEQ', sequencePattern(part.width, facts.overflow));
      case 'date':
        return group(part.token.label, datePattern(part.token));
      default: {
        const code = fixed[part.token.name];
        const any = `${part.token.characters}{1,${part.token.lengthMax}}`;
        return group(part.token.name, code === undefined ? any : escapePattern(code));
      }
    }
  });
  return new RegExp(`^${sources.join('')}$`, 'u');
}

const sequencePattern = (width: number, overflow: Overflow): string =>
  overflow === 'widen' ? `\\d{${width}}|[1-9]\\d{${width},15}` : `\\d{${width}}`;

/** Any digits for a year; for a shorter part, only the values it can have. */
function datePattern({ width, range: [first, last] }: DateToken): string {
  if (last >= 100) return `\\d{${width}}`;
  const values = Array.from({ length: last - first + 1 }, (_, index) => first + index);
  return values.map((value) => String(value).padStart(width, '0')).join('|');
}

function readPeriod(tokens: Readonly<Record<string, string>>, series: Series): string | undefined {
  const { MONTH = '', WEEK, DAY } = tokens;
  const fiscal = readFiscalStart(tokens, series);
  const isNextYear = Number(MONTH) < series.fiscalStartMonth;
  const yearOfMonth = fiscal && MONTH && fiscal + (isNextYear ? 1 : 0);
  const year = readYear(tokens, 'YEAR') ?? yearOfMonth;
  const quarter = tokens.QUARTER ?? (MONTH && Math.ceil(Number(MONTH) / 3));
  const parts = {
    never: ['all'],
    fiscal_year: [fiscal && `FY${fiscal}`],
    year: [year],
    quarter: [year, quarter && `Q${quarter}`],
    month: [year, MONTH],
    week: [readYear(tokens, 'WEEK_YEAR'), WEEK && `W${WEEK}`],
    day: [year, MONTH, DAY],
  }[series.reset];
  return parts.every(Boolean) ? parts.join('-') : undefined;
}

/** What to add to the number that each spelling of a year prints. */
const spellings = { '': 0, _BE: -543, _2: 2000, _BE_2: 2500 - 543 };

/** Common Era year of a year token, whichever spelling was printed. */
function readYear(tokens: Readonly<Record<string, string>>, name: string): number | undefined {
  for (const [spelling, added] of Object.entries(spellings)) {
    const text = tokens[name + spelling];
    if (text !== undefined) return Number(text) + added;
  }
  return undefined;
}

function readFiscalStart(tokens: Readonly<Record<string, string>>, series: Series): number | undefined {
  const start = readYear(tokens, 'FISCAL_START');
  if (start !== undefined) return start;
  const named = series.fiscalYearNamedBy === 'start' ? readYear(tokens, 'FISCAL_YEAR') : undefined;
  if (named !== undefined) return named;
  const end = readYear(tokens, 'FISCAL_END') ?? readYear(tokens, 'FISCAL_YEAR');
  return end === undefined ? undefined : end - fiscalSpan(series);
}
