import type { Reset, Series } from './series.js';

type PeriodRules = Pick<Series, 'reset' | 'fiscalStartMonth'>;

/** Year in which the fiscal year of a date began. */
export function fiscalStartYear(date: string, fiscalStartMonth: number): number {
  const year = Number(date.slice(0, 4));
  return Number(date.slice(5, 7)) >= fiscalStartMonth ? year : year - 1;
}

/** Period of a date: `all`, `2026`, `FY2026` (by the year it starts), `2026-03` or `2026-03-05`. */
export function periodOf(date: string, rules: PeriodRules): string {
  switch (rules.reset) {
    case 'never':
      return 'all';
    case 'year':
      return date.slice(0, 4);
    case 'fiscal_year':
      return `FY${fiscalStartYear(date, rules.fiscalStartMonth)}`;
    case 'month':
      return date.slice(0, 7);
    case 'day':
      return date;
  }
}

/** Kinds of date tokens, of which a reset needs some to be shown. */
export type DateTokenKind = 'year' | 'fiscal_year' | 'month' | 'day';

/** Sets of date tokens, each of which tells the periods of a reset apart. */
export const tokensThatTellPeriods: Readonly<Record<Reset, readonly (readonly DateTokenKind[])[]>> = {
  never: [[]],
  year: [['year']],
  fiscal_year: [['fiscal_year']],
  month: [
    ['year', 'month'],
    ['fiscal_year', 'month'],
  ],
  day: [
    ['year', 'month', 'day'],
    ['fiscal_year', 'month', 'day'],
  ],
};

/** Two different periods that print alike when the tokens of the reset are not shown; for error messages. */
export const twoPeriods: Readonly<Record<Reset, readonly [string, string]>> = {
  never: ['all', 'all'],
  year: ['2026', '2027'],
  fiscal_year: ['FY2026', 'FY2027'],
  month: ['2026-01', '2027-02'],
  day: ['2026-01-01', '2027-02-02'],
};
