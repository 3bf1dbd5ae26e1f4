import { checkId, checkOneOf, checkOptionalText, checkText, checkWhole } from '../contract/checks.js';
import { columnOf } from '../contract/ledger-columns.js';
import { InvalidRequestError } from '../contract/numbering-error.js';
import type { Reset, Series, SeriesDefinition, SeriesDimension } from '../contract/series.js';
import { SeriesChangedError, SeriesInUseError } from '../contract/series-error.js';
import { sequenceMax } from '../format/compiled-format.js';
import { checkDate, resets, ZoneCalendar } from '../format/period.js';
import { codeProblem, type TokenRegistry } from '../format/token.js';
import { afterCommit } from '../sql/public-calls.js';
import { callFunction } from '../sql/rows.js';
import { inheritFormat } from './default-format.js';
import { checkFormats, type SaveFormatOptions } from './save-format.js';
import { codesOfSpace, listSeries, lockSpace } from './series-catalog.js';

/** A definition with defaults filled in; `identity` and `revision` belong to the store, as does a default `id`. */
type CheckedSeries = Omit<Series, 'id' | 'revision' | 'identity'> & {
  readonly id: string | undefined;
};

/** Checks a definition. @throws InvalidRequestError */
function checkSeries(definition: SeriesDefinition, registry: TokenRegistry): CheckedSeries {
  const { fiscalYearNamedBy = 'start' } = definition;
  const startAt = checkWhole('startAt', definition.startAt ?? 1, [1, sequenceMax]);
  const { closedUntil, openUntil } = definition;
  return {
    id: checkId('id', definition.id),
    space: checkText('space', definition.space, 100),
    series: checkText('series', definition.series, 50),
    dimensions: checkDimensions(definition.dimensions ?? [], registry),
    reset: checkOneOf('reset', definition.reset ?? 'year', Object.keys(resets) as Reset[]),
    timeZone: checkZone(definition.timeZone),
    fiscalStartMonth: checkWhole('fiscalStartMonth', definition.fiscalStartMonth ?? 1, [1, 12]),
    fiscalYearNamedBy: checkOneOf('fiscalYearNamedBy', fiscalYearNamedBy, ['start', 'end']),
    startAt,
    dateOrder: definition.dateOrder ?? false,
    closedUntil: closedUntil === undefined ? undefined : checkDate('closedUntil', closedUntil),
    openUntil: openUntil === undefined ? undefined : checkDate('openUntil', openUntil),
    endAt:
      definition.endAt === undefined
        ? undefined
        : checkWhole('endAt', definition.endAt, [startAt, sequenceMax]),
    blocked: checkOptionalText('blocked', definition.blocked, 1000),
    authorityCode: checkOptionalText('authorityCode', definition.authorityCode, 20),
    manualInterval: checkInterval(definition.manualInterval, startAt),
  };
}

function checkZone(timeZone: string): string {
  checkText('timeZone', timeZone, 100);
  try {
    new ZoneCalendar(timeZone);
    return timeZone;
  } catch {
    throw new InvalidRequestError('timeZone', `"${timeZone}" is not an IANA time zone such as Asia/Bangkok`);
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
    const { token: name, none: given } = typeof dimension === 'string' ? { token: dimension } : dimension;
    const none = given?.normalize('NFC');
    const token = registry.find(name);
    if (!token) throw new InvalidRequestError('dimensions', `unknown token ${name}`);
    if (['TYPE', 'PROJECT', 'AUTHORITY'].includes(token.name)) {
      throw new InvalidRequestError('dimensions', `${token.name} is the same for the whole series`);
    }
    if (checked.some((other) => other.token === token.name)) {
      throw new InvalidRequestError('dimensions', `${token.name} is given twice`);
    }
    const problem = none === undefined ? undefined : codeProblem(token, none);
    if (problem)
      throw new InvalidRequestError('dimensions', `the code "${none}" for no ${token.name} ${problem}`);
    checked.push({ token: token.name, ...(none === undefined ? {} : { none }) });
  }
  return checked;
}

/** The rules as a row of document_number_series; NULL for a rule that is off. */
function toRow({ series: code, manualInterval, ...rules }: CheckedSeries): Record<string, unknown> {
  const columns = Object.entries(rules).map(([name, value]) => [columnOf(name), value]);
  const { first, last } = manualInterval ?? {};
  return { ...Object.fromEntries(columns), code, manual_first: first, manual_last: last };
}

const DEFINE = `document_number_define_v1(step => 'SERIES', space => $1, code => $2, actor => $3, facts => $4,
  event_facts => $5, expected => $6)`;

/** Rules that decide which counter a request belongs to, or where a counter starts and ends. */
const fixedRules = [
  'dimensions',
  'reset',
  'timeZone',
  'fiscalStartMonth',
  'fiscalYearNamedBy',
  'startAt',
  'manualInterval',
] as const;

/** @throws InvalidRequestError, SeriesInUseError, SeriesChangedError, InvalidFormatError, AmbiguousFormatError */
export async function defineSeries(
  definition: SeriesDefinition,
  options: SaveFormatOptions,
): Promise<Series> {
  const wanted = checkSeries(definition, options.registry);
  const actor = checkText('actor', definition.actor, 200);
  const expected = definition.expectedRevision ?? null;
  const { space, series: code, ...rules } = wanted;
  const codes = await codesOfSpace(space, options);
  const facts = [JSON.stringify(toRow(wanted)), JSON.stringify({ series: code, ...rules })];
  const defined = await options.call.lockingSeveral(async (session) => {
    const before = await lockSpace(session, space);
    const current = before.find((one) => one.series === code);
    const verdict = await callFunction<string>(session, DEFINE, [space, code, actor, ...facts, expected]);
    const all = await listSeries(session, { space });
    const series = all.find((one) => one.series === code);
    if (!series) throw new Error(`the series ${code} was not found after its definition`);
    if (!current) return series;
    const fixed = fixedRules.filter((rule) => JSON.stringify(current[rule]) !== JSON.stringify(wanted[rule]));
    if (verdict === 'CHANGED') throw new SeriesChangedError(space, code, expected ?? 0, current.revision);
    if (verdict === 'IN_USE') throw new SeriesInUseError(space, code, fixed);
    // The formats were checked under the previous rules.
    if (fixed.length > 0) await checkFormats(session, series, { registry: options.registry, codes, all });
    return series;
  });
  const [inherited] = await inheritFormat(defined, actor, options).catch(afterCommit);
  // Saving the format has raised the revision.
  return inherited ? { ...defined, revision: defined.revision + 1 } : defined;
}
