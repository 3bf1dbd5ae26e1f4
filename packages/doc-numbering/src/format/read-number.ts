import type { Overflow, Series } from '../contract/series.js';
import { type CompiledFormat, yearName } from './compiled-format.js';
import { codeCharacters } from './token.js';

export interface NumberParts {
  readonly sequence: number;
  /** Printed text by token name. */
  readonly tokens: Readonly<Record<string, string>>;
  readonly period: string | undefined;
}

/** A format with the series that prints by it. */
export interface SeriesFormat {
  readonly series: Series;
  readonly format: CompiledFormat;
  /** Codes that all numbers of the series print alike: its type and its project. */
  readonly fixedCodes: Readonly<Record<string, string>>;
}

const patterns = new WeakMap<CompiledFormat, { readonly key: string; readonly pattern: RegExp }>();

/** Reads a number back by one format; `undefined` when the format cannot have printed it. */
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

/** A number by its place. */
export interface NumberPlace {
  readonly seriesId: string;
  readonly dimensions: Readonly<Record<string, string>>;
  readonly period: string;
  readonly sequence: number;
}

/** What a format reads in a text that was printed at a place, if it is the number of another place. */
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
  const sources = parts.map((part) => {
    switch (part.kind) {
      case 'literal':
        return escapePattern(part.text);
      case 'sequence':
        return group('SEQ', sequencePattern(part.width, facts.overflow));
      case 'month':
        return group('MONTH', '0[1-9]|1[0-2]');
      case 'day':
        return group('DAY', '0[1-9]|[12]\\d|3[01]');
      case 'code': {
        const code = fixed[part.token.name];
        const any = `[${codeCharacters(part.token)}]{1,${part.token.lengthMax}}`;
        return group(part.token.name, code === undefined ? any : escapePattern(code));
      }
      default:
        return group(yearName(part), `\\d{${part.digitCount}}`);
    }
  });
  return new RegExp(`^${sources.join('')}$`, 'u');
}

const sequencePattern = (width: number, overflow: Overflow): string =>
  overflow === 'widen' ? `\\d{${width}}|[1-9]\\d{${width},15}` : `\\d{${width}}`;

function readPeriod(tokens: Readonly<Record<string, string>>, series: Series): string | undefined {
  const { MONTH = '', DAY = '' } = tokens;
  const fiscal = readFiscalStart(tokens, series);
  const year = readYear(tokens, 'YEAR') ?? (fiscal === undefined ? undefined : yearOf(fiscal, MONTH, series));
  switch (series.reset) {
    case 'never':
      return 'all';
    case 'fiscal_year':
      return fiscal === undefined ? undefined : `FY${fiscal}`;
    case 'year':
      return year === undefined ? undefined : String(year);
    case 'month':
      return year === undefined || !MONTH ? undefined : `${year}-${MONTH}`;
    case 'day':
      return year === undefined || !MONTH || !DAY ? undefined : `${year}-${MONTH}-${DAY}`;
  }
}

/** Christian year of a year token, in whichever of its four spellings it was printed. */
function readYear(
  tokens: Readonly<Record<string, string>>,
  name: 'YEAR' | 'FISCAL_YEAR',
): number | undefined {
  const {
    [name]: full,
    [`${name}_BE`]: buddhist,
    [`${name}_2`]: short,
    [`${name}_BE_2`]: shortBuddhist,
  } = tokens;
  if (full !== undefined) return Number(full);
  if (buddhist !== undefined) return Number(buddhist) - 543;
  if (short !== undefined) return 2000 + Number(short);
  if (shortBuddhist !== undefined) return 2500 + Number(shortBuddhist) - 543;
  return undefined;
}

function readFiscalStart(tokens: Readonly<Record<string, string>>, series: Series): number | undefined {
  const year = readYear(tokens, 'FISCAL_YEAR');
  const isEnd = series.fiscalYearNamedBy === 'end' && series.fiscalStartMonth > 1;
  return year === undefined || !isEnd ? year : year - 1;
}

/** Calendar year of a month in a fiscal year. */
function yearOf(fiscalStart: number, month: string, { fiscalStartMonth }: Series): number | undefined {
  if (!month) return undefined;
  return Number(month) >= fiscalStartMonth ? fiscalStart : fiscalStart + 1;
}
