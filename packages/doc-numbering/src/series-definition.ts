import { checkDate, ZoneCalendar } from './business-date.js';
import { checkId, checkText, checkWhole } from './check-request.js';
import { sequenceMax } from './compiled-format.js';
import { InvalidRequestError } from './numbering-error.js';
import type { Reset, Series, SeriesDefinition, SeriesDimension } from './series.js';
import { codeProblem, type TokenRegistry } from './token.js';

/** A definition with defaults filled in; `id`, `identity` and `revision` are the store's. */
export type CheckedSeries = Omit<Series, 'id' | 'revision' | 'identity'> & {
  readonly id: string | undefined;
};

const resets: readonly Reset[] = ['never', 'year', 'fiscal_year', 'month', 'day'];

/** Checks a definition. @throws InvalidRequestError */
export function checkSeries(definition: SeriesDefinition, registry: TokenRegistry): CheckedSeries {
  const reset = definition.reset ?? 'year';
  if (!resets.includes(reset)) throw new InvalidRequestError('reset', `is one of ${resets.join(', ')}`);
  const namedBy = definition.fiscalYearNamedBy ?? 'start';
  if (namedBy !== 'start' && namedBy !== 'end') {
    throw new InvalidRequestError('fiscalYearNamedBy', 'is start or end');
  }
  const startAt = checkWhole('startAt', definition.startAt ?? 1, [1, sequenceMax]);
  const { closedUntil, openUntil } = definition;
  return {
    id: checkId('id', definition.id),
    space: checkText('space', definition.space, 100),
    series: checkText('series', definition.series, 50),
    dimensions: checkDimensions(definition.dimensions ?? [], registry),
    reset,
    timeZone: checkZone(definition.timeZone),
    fiscalStartMonth: checkWhole('fiscalStartMonth', definition.fiscalStartMonth ?? 1, [1, 12]),
    fiscalYearNamedBy: namedBy,
    startAt,
    dateOrder: definition.dateOrder ?? false,
    closedUntil: closedUntil === undefined ? undefined : checkDate('closedUntil', closedUntil),
    openUntil: openUntil === undefined ? undefined : checkDate('openUntil', openUntil),
    manualInterval: checkInterval(definition.manualInterval, startAt),
  };
}

function checkZone(timeZone: string): string {
  checkText('timeZone', timeZone, 100);
  try {
    new ZoneCalendar(timeZone);
    return timeZone;
  } catch {
    throw new InvalidRequestError('timeZone', `"${timeZone}" is no IANA time zone, such as Asia/Bangkok`);
  }
}

function checkInterval(interval: Series['manualInterval'], startAt: number): Series['manualInterval'] {
  if (!interval) return undefined;
  const first = checkWhole('manualInterval.first', interval.first, [startAt + 1, sequenceMax]);
  const last = checkWhole('manualInterval.last', interval.last, [first, sequenceMax]);
  return { first, last };
}

function checkDimensions(
  dimensions: readonly (string | SeriesDimension)[],
  registry: TokenRegistry,
): SeriesDimension[] {
  const checked: SeriesDimension[] = [];
  for (const dimension of dimensions) {
    const { token: name, none } = typeof dimension === 'string' ? { token: dimension } : dimension;
    const token = registry.find(name);
    if (!token) throw new InvalidRequestError('dimensions', `there is no token ${name}`);
    if (token.name === 'TYPE' || token.name === 'PROJECT') {
      throw new InvalidRequestError('dimensions', `${token.name} is the same for the whole series`);
    }
    if (checked.some((other) => other.token === token.name)) {
      throw new InvalidRequestError('dimensions', `${token.name} is named twice`);
    }
    const problem = none === undefined ? undefined : codeProblem(token, none);
    if (problem)
      throw new InvalidRequestError('dimensions', `the code "${none}" for no ${token.name} ${problem}`);
    checked.push({ token: token.name, ...(none === undefined ? {} : { none }) });
  }
  return checked;
}
