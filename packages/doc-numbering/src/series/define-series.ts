import type { SqlSession } from '@solegate/postgres-infra';
import { checkId, checkOptionalText, checkText, checkWhole } from '../contract/check-request.js';
import { InvalidRequestError, SeriesInUseError } from '../contract/numbering-error.js';
import type { Reset, Series, SeriesDefinition, SeriesDimension } from '../contract/series.js';
import { checkFormat } from '../format/check-format.js';
import { sequenceMax } from '../format/compiled-format.js';
import { checkDate, ZoneCalendar } from '../format/period.js';
import { codeProblem, type TokenRegistry } from '../format/token.js';
import { appendEvents } from '../sql/append-event.js';
import { type SeriesRow, toSeries } from './series-row.js';
import {
  codesOf,
  codesOfSpace,
  type FixedCodes,
  lockSpaceSeries,
  type SpaceOptions,
  selectFormatRows,
  toNeighbours,
} from './space-formats.js';

/** A definition with defaults filled in; `id`, `identity` and `revision` are the store's. */
type CheckedSeries = Omit<Series, 'id' | 'revision' | 'identity'> & {
  readonly id: string | undefined;
};

const resets: readonly Reset[] = ['never', 'year', 'fiscal_year', 'month', 'day'];

/** Checks a definition. @throws InvalidRequestError */
function checkSeries(definition: SeriesDefinition, registry: TokenRegistry): CheckedSeries {
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
    endAt:
      definition.endAt === undefined
        ? undefined
        : checkWhole('endAt', definition.endAt, [startAt, sequenceMax]),
    blocked: checkOptionalText('blocked', definition.blocked, 1000),
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

const columns = `space, code, dimensions, reset, time_zone, fiscal_start_month, fiscal_year_named_by, start_at,
  date_order, closed_until, open_until, manual_first, manual_last, end_at, blocked`;

const insertSeries = (hasId: boolean): string => `
INSERT INTO document_number_series (${columns}${hasId ? ', id' : ''})
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15${hasId ? ', $16' : ''})
ON CONFLICT ON CONSTRAINT document_number_series_code_key DO NOTHING
RETURNING *, closed_until::text, open_until::text`;

const selectSeries = `
SELECT s.*, s.closed_until::text, s.open_until::text,
  EXISTS (SELECT FROM document_number_counters c WHERE c.series_id = s.id) AS has_counters
FROM document_number_series s
WHERE s.space = $1 AND s.code = $2
FOR UPDATE`;

const updateSeries = `
UPDATE document_number_series
SET (${columns}) = ROW ($1, $2, $3::jsonb, $4, $5, $6::smallint, $7, $8::bigint, $9::boolean, $10::date, $11::date,
    $12::bigint, $13::bigint, $14::bigint, $15),
  revision = revision + 1
WHERE id = $16
RETURNING *, closed_until::text, open_until::text`;

/** Rules that decide which counter a request belongs to, or where it begins and ends. */
const fixedRules = [
  'dimensions',
  'reset',
  'timeZone',
  'fiscalStartMonth',
  'fiscalYearNamedBy',
  'startAt',
  'manualInterval',
] as const;

const changeableRules = ['dateOrder', 'closedUntil', 'openUntil', 'endAt', 'blocked'] as const;

/**
 * A rule that decides counters may change until the first of them is opened, if the formats fit it.
 *
 * @throws InvalidRequestError, SeriesInUseError, InvalidFormatError, AmbiguousFormatError
 */
export async function defineSeries(definition: SeriesDefinition, options: SpaceOptions): Promise<Series> {
  const wanted = checkSeries(definition, options.registry);
  const actor = checkText('actor', definition.actor, 200);
  const codes = await codesOfSpace(wanted.space, options);
  return options.call.transaction(async (session) => {
    const inserted = await session.query({
      text: insertSeries(wanted.id !== undefined),
      values: [...toValues(wanted), ...(wanted.id === undefined ? [] : [wanted.id])],
    });
    const [created] = inserted.rows as SeriesRow[];
    if (created) {
      await appendEvents(session, [toEvent('series_defined', wanted, actor)]);
      return toSeries(created);
    }
    return changeSeries(session, { wanted, actor, codes, registry: options.registry });
  });
}

interface Change {
  readonly wanted: CheckedSeries;
  readonly actor: string;
  readonly codes: ReadonlyMap<string, FixedCodes>;
  readonly registry: TokenRegistry;
}

async function changeSeries(session: SqlSession, change: Change): Promise<Series> {
  const { wanted, actor } = change;
  const all = await lockSpaceSeries(session, wanted.space);
  const { rows } = await session.query({ text: selectSeries, values: [wanted.space, wanted.series] });
  const [row] = rows as (SeriesRow & { has_counters: boolean })[];
  if (!row) throw new Error(`series ${wanted.series} of ${wanted.space} was there and is gone`);
  const current = toSeries(row);
  const differs = (rule: keyof CheckedSeries): boolean =>
    JSON.stringify(current[rule]) !== JSON.stringify(wanted[rule]);
  const fixed = fixedRules.filter(differs);
  if (fixed.length > 0 && row.has_counters) throw new SeriesInUseError(wanted.space, wanted.series, fixed);
  if (fixed.length === 0 && !changeableRules.some(differs)) return current;
  if (fixed.length > 0) {
    const { id, identity, revision } = current;
    await checkOwnFormats(session, { ...change, all, series: { ...wanted, id, identity, revision } });
  }
  const updated = await session.query({ text: updateSeries, values: [...toValues(wanted), current.id] });
  const [changed] = updated.rows as SeriesRow[];
  await appendEvents(session, [toEvent('series_changed', wanted, actor)]);
  return changed ? toSeries(changed) : current;
}

/** Its formats were checked under the rules of then. */
async function checkOwnFormats(
  session: SqlSession,
  { series, all, codes, registry }: Change & { readonly series: Series; readonly all: readonly Series[] },
): Promise<void> {
  const formats = await selectFormatRows(session, { space: series.space });
  for (const row of formats.filter(({ series_id }) => String(series_id) === series.id)) {
    const neighbours = toNeighbours(
      formats.filter((other) => other !== row),
      all,
      { registry, codes },
    );
    const version = { ...row, validFrom: row.valid_from };
    checkFormat({ version, series, registry, fixedCodes: codesOf(codes, series), neighbours });
  }
}

function toEvent(type: 'series_defined' | 'series_changed', rules: CheckedSeries, actor: string) {
  const { space, ...facts } = rules;
  return { type, space, actor, facts };
}

function toValues(series: CheckedSeries): unknown[] {
  return [
    series.space,
    series.series,
    JSON.stringify(series.dimensions),
    series.reset,
    series.timeZone,
    series.fiscalStartMonth,
    series.fiscalYearNamedBy,
    series.startAt,
    series.dateOrder,
    series.closedUntil ?? null,
    series.openUntil ?? null,
    series.manualInterval?.first ?? null,
    series.manualInterval?.last ?? null,
    series.endAt ?? null,
    series.blocked ?? null,
  ];
}
