import { isDate } from 'node:util/types';
import { InvalidRequestError } from '../contract/numbering-error.js';
import type { Reset, Series } from '../contract/series.js';

/** Range of business dates, so that a printed year of one calendar is never mistaken for that of another. */
const FIRST_DATE = '1900-01-01';
const LAST_DATE = '2199-12-31';

const isoDate = /^(\d{4})-(\d{2})-(\d{2})$/;

/** Converts instants to calendar dates of one time zone; the date is computed once per minute. */
export class ZoneCalendar {
  readonly #format: Intl.DateTimeFormat;
  #minute = Number.NaN;
  #date = '';

  /** @throws RangeError if the zone is not an IANA name */
  constructor(timeZone: string) {
    this.#format = new Intl.DateTimeFormat('en-CA', {
      timeZone,
      calendar: 'gregory',
      numberingSystem: 'latn',
      year: 'numeric',
      month: '2-digit',
      day: '2-digit',
    });
  }

  /** Returns the date of an instant. Zone offsets change only at whole minutes, so a minute has only one date. */
  dateAt(instantMs: number): string {
    const minute = Math.floor(instantMs / 60_000);
    if (minute !== this.#minute) {
      this.#date = this.#format.format(minute * 60_000);
      this.#minute = minute;
    }
    return this.#date;
  }
}

/** Most requests have the same date. */
let lastChecked = '';

/** Checks a calendar date, `YYYY-MM-DD`. @throws InvalidRequestError */
export function checkDate(field: string, date: string): string {
  if (date === lastChecked) return date;
  const match = isoDate.exec(date);
  if (!match) throw new InvalidRequestError(field, `"${date}" is not a date; write YYYY-MM-DD`);
  const [, year, month, day] = match;
  const instant = new Date(Date.UTC(Number(year), Number(month) - 1, Number(day)));
  if (instant.toISOString().slice(0, 10) !== date) {
    throw new InvalidRequestError(field, `${date} does not exist in the calendar`);
  }
  if (date < FIRST_DATE || date > LAST_DATE) {
    throw new InvalidRequestError(field, `${date} is not between ${FIRST_DATE} and ${LAST_DATE}`);
  }
  lastChecked = date;
  return date;
}

/** Returns the business date given in a request: as it is, or the date of the instant in the zone of the series. */
export function businessDate(given: string | Date, calendar: ZoneCalendar): string {
  if (typeof given === 'string') return checkDate('date', given);
  if (!isDate(given) || Number.isNaN(given.getTime()))
    throw new InvalidRequestError('date', 'is neither a date string nor a valid Date');
  return checkDate('date', calendar.dateAt(given.getTime()));
}

export type PeriodRules = Pick<Series, 'reset' | 'fiscalStartMonth' | 'fiscalYearNamedBy'>;

const yearOf = (date: string): number => Number(date.slice(0, 4));
const monthOf = (date: string): number => Number(date.slice(5, 7));
const quarterOf = (date: string): number => Math.ceil(monthOf(date) / 3);

/** Year in which the fiscal year of a date starts. */
const fiscalStart = (date: string, { fiscalStartMonth }: PeriodRules): number =>
  monthOf(date) >= fiscalStartMonth ? yearOf(date) : yearOf(date) - 1;

/** How many years after its start a fiscal year ends: one that starts in January ends in the same year. */
export const fiscalSpan = ({ fiscalStartMonth }: PeriodRules): number => (fiscalStartMonth > 1 ? 1 : 0);

/** In ISO 8601, a week belongs to the year of its Thursday. */
function isoWeek(date: string): { readonly year: number; readonly week: number } {
  const day = new Date(`${date}T00:00:00Z`);
  const thursday = day.getTime() + (3 - ((day.getUTCDay() + 6) % 7)) * 86_400_000;
  const year = new Date(thursday).getUTCFullYear();
  return { year, week: 1 + Math.floor((thursday - Date.UTC(year, 0, 1)) / (7 * 86_400_000)) };
}

const twoDigits = (value: number): string => String(value).padStart(2, '0');

/** Period of a date: `all`, `2026`, `FY2026` (by the year it starts), `2026-Q1`, `2026-03`, `2026-W10` or `2026-03-05`. */
export function periodOf(date: string, rules: PeriodRules): string {
  switch (rules.reset) {
    case 'never':
      return 'all';
    case 'year':
      return date.slice(0, 4);
    case 'fiscal_year':
      return `FY${fiscalStart(date, rules)}`;
    case 'quarter':
      return `${date.slice(0, 4)}-Q${quarterOf(date)}`;
    case 'month':
      return date.slice(0, 7);
    case 'week':
      return `${isoWeek(date).year}-W${twoDigits(isoWeek(date).week)}`;
    case 'day':
      return date;
  }
}

/** Kinds of date tokens; a reset requires some of them to be shown. */
export type DateKind = 'year' | 'fiscal_year' | 'week_year' | 'quarter' | 'month' | 'week' | 'day';

/** A part of the business date that a format can print, as a number of `width` digits. */
export interface DatePart {
  readonly kind: DateKind;
  readonly width: number;
  readonly range: readonly [number, number];
  of(date: string, rules: PeriodRules): number;
}

/** A year can also be printed in the Buddhist era and with two digits. */
const year = (kind: DateKind, of: DatePart['of']): DatePart => {
  return { kind, width: 4, range: [1900, 2200], of };
};

export const dateParts: ReadonlyMap<string, DatePart> = new Map([
  ['YEAR', year('year', yearOf)],
  [
    'FISCAL_YEAR',
    year('fiscal_year', (date, rules) => {
      return fiscalStart(date, rules) + (rules.fiscalYearNamedBy === 'end' ? fiscalSpan(rules) : 0);
    }),
  ],
  ['FISCAL_START', year('fiscal_year', fiscalStart)],
  ['FISCAL_END', year('fiscal_year', (date, rules) => fiscalStart(date, rules) + fiscalSpan(rules))],
  ['WEEK_YEAR', year('week_year', (date) => isoWeek(date).year)],
  ['QUARTER', { kind: 'quarter', width: 1, range: [1, 4], of: quarterOf }],
  ['MONTH', { kind: 'month', width: 2, range: [1, 12], of: monthOf }],
  ['WEEK', { kind: 'week', width: 2, range: [1, 53], of: (date) => isoWeek(date).week }],
  ['DAY', { kind: 'day', width: 2, range: [1, 31], of: (date) => Number(date.slice(8, 10)) }],
]);

/** The date tokens that must be shown for each reset to distinguish its periods: one of each set. */
export const resets: Readonly<Record<Reset, readonly (readonly DateKind[])[]>> = {
  never: [],
  year: [['year']],
  fiscal_year: [['fiscal_year']],
  quarter: [['year'], ['quarter', 'month']],
  month: [['fiscal_year', 'year'], ['month']],
  week: [['week_year'], ['week']],
  day: [['fiscal_year', 'year'], ['month'], ['day']],
};
