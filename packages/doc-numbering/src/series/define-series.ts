import type { SqlSession } from '@solegate/postgres-infra';
import { checkId, checkOneOf, checkOptionalText, checkText, checkWhole } from '../contract/checks.js';
import { InvalidRequestError } from '../contract/numbering-error.js';
import type { Reset, Series, SeriesDefinition, SeriesDimension } from '../contract/series.js';
import { SeriesChangedError, SeriesInUseError } from '../contract/series-error.js';
import { sequenceMax } from '../format/compiled-format.js';
import { checkDate, resets, ZoneCalendar } from '../format/period.js';
import { codeProblem, type TokenRegistry } from '../format/token.js';
import { appendEvents, columnOf, type NewEvent, selectRows } from '../sql/rows.js';
import { inheritFormat } from './default-format.js';
import { checkFormats, type SaveFormatOptions } from './save-format.js';
import { codesOfSpace, lockSeries, type SpaceFacts, seriesColumns } from './series-catalog.js';

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
    const { token: name, none } = typeof dimension === 'string' ? { token: dimension } : dimension;
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

/** The rules as a row of document_number_series; anything that is not a column is ignored. */
function toRow({ series: code, manualInterval, ...rules }: CheckedSeries): Record<string, unknown> {
  const columns = Object.entries(rules).map(([name, value]) => [columnOf(name), value]);
  const { first, last } = manualInterval ?? {};
  return { ...Object.fromEntries(columns), code, manual_first: first, manual_last: last };
}

const columns = `space, code, dimensions, reset, time_zone, fiscal_start_month, fiscal_year_named_by, start_at,
  date_order, closed_until, open_until, manual_first, manual_last, end_at, blocked, authority_code`;

const INSERT_SERIES = `
INSERT INTO document_number_series AS s (${columns}, id)
SELECT ${columns}, coalesce(id, nextval(pg_get_serial_sequence('document_number_series', 'id')))
FROM jsonb_populate_record(NULL::document_number_series, $1::jsonb)
ON CONFLICT ON CONSTRAINT document_number_series_code_key DO NOTHING
RETURNING ${seriesColumns}`;

/** Opening a counter takes a share lock on this row, so none is opened meanwhile. */
const LOCK_SERIES = 'SELECT FROM document_number_series WHERE id = $1 FOR UPDATE';

const HAS_COUNTERS = `
SELECT EXISTS (SELECT FROM document_number_counters WHERE series_id = $1 AND ($2 OR archived_at IS NOT NULL)) AS found`;

const UPDATE_SERIES = `
UPDATE document_number_series s
SET (${columns}) = (SELECT ${columns} FROM jsonb_populate_record(NULL::document_number_series, $1::jsonb)),
  revision = revision + 1
WHERE id = $2
RETURNING ${seriesColumns}`;

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
  const expected = definition.expectedRevision;
  const { space, ...facts } = wanted;
  const event = { space, actor, facts };
  const codes = await codesOfSpace(wanted.space, options);
  const defined = await options.call.transaction(async (session) => {
    const values = [JSON.stringify(toRow(wanted))];
    const [created] = await selectRows<Series>(session, INSERT_SERIES, values);
    if (!created)
      return changeSeries(session, { wanted, event, expected, codes, registry: options.registry });
    await appendEvents(session, { type: 'series_defined', ...event });
    return created;
  });
  const [inherited] = await inheritFormat(defined, actor, options);
  // Saving the format has raised the revision.
  return inherited ? { ...defined, revision: defined.revision + 1 } : defined;
}

interface Change extends Omit<SpaceFacts, 'all'> {
  readonly expected: number | undefined;
  readonly wanted: CheckedSeries;
  readonly event: Omit<NewEvent, 'type'>;
}

async function changeSeries(session: SqlSession, change: Change): Promise<Series> {
  const { wanted } = change;
  const { all, series: current } = await lockSeries(session, wanted.space, wanted.series);
  const differs = (rule: keyof CheckedSeries): boolean =>
    JSON.stringify(current[rule]) !== JSON.stringify(wanted[rule]);
  const fixed = fixedRules.filter(differs);
  if (!Object.keys(wanted).some((rule) => rule !== 'id' && differs(rule as keyof CheckedSeries)))
    return current;
  const { expected = current.revision } = change;
  if (expected !== current.revision) {
    throw new SeriesChangedError(wanted.space, wanted.series, expected, current.revision);
  }
  const isReopened = (wanted.closedUntil ?? '') < (current.closedUntil ?? '');
  if (fixed.length > 0 || isReopened) {
    await session.query({ text: LOCK_SERIES, values: [current.id] });
    const { rows } = await session.query({ text: HAS_COUNTERS, values: [current.id, fixed.length > 0] });
    const inUse = fixed.length > 0 ? fixed : ['closedUntil'];
    if ((rows[0] as { found: boolean }).found) throw new SeriesInUseError(wanted.space, wanted.series, inUse);
  }
  if (fixed.length > 0) {
    const { id, identity, revision } = current;
    // The formats were checked under the previous rules.
    await checkFormats(session, { ...wanted, id, identity, revision }, { ...change, all });
  }
  const values = [JSON.stringify(toRow(wanted)), current.id];
  const [changed] = await selectRows<Series>(session, UPDATE_SERIES, values);
  await appendEvents(session, { type: 'series_changed', ...change.event });
  return changed ?? current;
}
