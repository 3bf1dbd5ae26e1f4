import { InvalidRequestError } from '../contract/numbering-error.js';
import type { Reset, Series } from '../contract/series.js';

/** Business dates lie between these two, so that a printed year of one calendar is never taken for another's. */
const firstDate = '1900-01-01';
const lastDate = '2199-12-31';

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
  if (date < firstDate || date > lastDate) {
    throw new InvalidRequestError(field, `${date} is not between ${firstDate} and ${lastDate}`);
  }
  lastChecked = date;
  return date;
}

/** The business date of a request that gives one: as it is, or the date of the instant in the zone of the series. */
export function businessDate(given: string | Date, calendar: ZoneCalendar): string {
  if (typeof given === 'string') return checkDate('date', given);
  if (Number.isNaN(given.getTime())) throw new InvalidRequestError('date', 'is not a valid Date');
  return checkDate('date', calendar.dateAt(given.getTime()));
}

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

/** Sets of date tokens, each of which distinguishes the periods of a reset. */
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
