import type { Series } from '../contract/series.js';
import type { CompiledFormat } from './compiled-format.js';

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

/** Reads a number back by one format; `undefined` when the format cannot have printed it. */
export function readNumber(
  { format, series, fixedCodes }: SeriesFormat,
  number: string,
): NumberParts | undefined {
  const read = format.read(number, fixedCodes);
  if (!read || read.sequence < 1) return undefined;
  return { ...read, period: readPeriod(read.tokens, series) };
}

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
