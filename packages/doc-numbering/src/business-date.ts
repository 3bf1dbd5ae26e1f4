import { InvalidRequestError } from './numbering-error.js';

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

/** The business date of a request: as given, or the date of the instant (default now) in the zone of the series. */
export function businessDate(
  given: string | Date | undefined,
  calendar: ZoneCalendar,
  nowMs: number,
): string {
  if (typeof given === 'string') return checkDate('date', given);
  const instantMs = given === undefined ? nowMs : given.getTime();
  if (Number.isNaN(instantMs)) throw new InvalidRequestError('date', 'is not a valid Date');
  const date = calendar.dateAt(instantMs);
  return given === undefined ? date : checkDate('date', date);
}
