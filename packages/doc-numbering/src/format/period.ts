import { InvalidRequestError } from '../contract/numbering-error.js';
import type { Reset, Series } from '../contract/series.js';

/** Business dates lie between these two, so that a printed year of one calendar is never taken for another's. */
const FIRST_DATE = '1900-01-01';
const LAST_DATE = '2199-12-31';

const isoDate = /^(\d{4})-(\d{2})-(\d{2})$/;

/** Reads instants as calendar dates of one time zone; an instant's date is worked out once a minute. */
export class ZoneCalendar {
  readonly #format: Intl.DateTimeFormat;
  #minute = Number.NaN;
  #date = '';

  /** @throws RangeError when the zone is no IANA name */
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

  /** Every zone's offset changes at a whole minute, so the date of a minute is the date of all its instants. */
  dateAt(instantMs: number): string {
    const minute = Math.floor(instantMs / 60_000);
    if (minute !== this.#minute) {
      this.#date = this.#format.format(minute * 60_000);
      this.#minute = minute;
    }
    return this.#date;
  }
}

/** Most requests are of one day. */
let lastChecked = '';

/** Checks a calendar date, `YYYY-MM-DD`. @throws InvalidRequestError */
export function checkDate(field: string, date: string): string {
  if (date === lastChecked) return date;
  const match = isoDate.exec(date);
  if (!match) throw new InvalidRequestError(field, `"${date}" is not a date; write YYYY-MM-DD`);
  const [, year, month, day] = match;
  const instant = new Date(Date.UTC(Number(year), Number(month) - 1, Number(day)));
  if (instant.toISOString().slice(0, 10) !== date) {
    throw new InvalidRequestError(field, `the calendar has no ${date}`);
  }
  if (date < FIRST_DATE || date > LAST_DATE) {
    throw new InvalidRequestError(field, `${date} is not between ${FIRST_DATE} and ${LAST_DATE}`);
  }
  lastChecked = date;
  return date;
}

export function dayAfter(date: string): string {
  return new Date(Date.parse(`${date}T00:00:00Z`) + 86_400_000).toISOString().slice(0, 10);
}

/** The business date of a request that gives one: as it is, or the date of the instant in the zone of the series. */
export function businessDate(given: string | Date, calendar: ZoneCalendar): string {
  if (typeof given === 'string') return checkDate('date', given);
  if (Number.isNaN(given.getTime())) throw new InvalidRequestError('date', 'is not a valid Date');
  return checkDate('date', calendar.dateAt(given.getTime()));
}

export type PeriodRules = Pick<Series, 'reset' | 'fiscalStartMonth' | 'fiscalYearNamedBy'>;

const yearOf = (date: string): number => Number(date.slice(0, 4));
const monthOf = (date: string): number => Number(date.slice(5, 7));
const quarterOf = (date: string): number => Math.ceil(monthOf(date) / 3);

/** Year in which the fiscal year of a date began. */
const fiscalStart = (date: string, { fiscalStartMonth }: PeriodRules): number =>
  monthOf(date) >= fiscalStartMonth ? yearOf(date) : yearOf(date) - 1;

/** How many years later a fiscal year ends than it starts: one that starts in January ends in the same. */
export const fiscalSpan = ({ fiscalStartMonth }: PeriodRules): number => (fiscalStartMonth > 1 ? 1 : 0);

/** By ISO 8601 a week belongs to the year of its Thursday. */
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

/** Kinds of date tokens, of which a reset needs some to be shown. */
export type DateKind = 'year' | 'fiscal_year' | 'week_year' | 'quarter' | 'month' | 'week' | 'day';

/** A part of the business date that a format may print, as a number of `width` digits. */
export interface DatePart {
  readonly kind: DateKind;
  readonly width: number;
  readonly range: readonly [number, number];
  of(date: string, rules: PeriodRules): number;
}

/** A year may also be printed in the Buddhist era and with two digits. */
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

/** What date tokens must be shown for each reset, so that they distinguish its periods: of each set one. */
export const resets: Readonly<Record<Reset, readonly (readonly DateKind[])[]>> = {
  never: [],
  year: [['year']],
  fiscal_year: [['fiscal_year']],
  quarter: [['year'], ['quarter', 'month']],
  month: [['fiscal_year', 'year'], ['month']],
  week: [['week_year'], ['week']],
  day: [['fiscal_year', 'year'], ['month'], ['day']],
};
