import type { SqlSession } from '@solegate/postgres-infra';
import { checkId, checkText } from '../contract/check-request.js';
import { InvalidRequestError, UnknownSeriesError } from '../contract/numbering-error.js';
import type { DocumentFormat, Overflow, SaveFormatRequest, Series } from '../contract/series.js';
import { BusyError } from '../contract/store-error.js';
import { checkFormat, type NeighbourFormat } from '../format/check-format.js';
import { CompiledFormat } from '../format/compiled-format.js';
import { checkDate, ZoneCalendar } from '../format/period.js';
import type { TokenRegistry } from '../format/token.js';
import { appendEvents } from '../sql/append-event.js';
import type { DatabaseCall } from '../sql/public-calls.js';
import { listSeries, type SeriesRow, toSeries } from './series-row.js';

/** All series of the space stay locked: two formats that clash cannot be saved at the same time. */
const lockSpace = `
SELECT s.*, s.closed_until::text, s.open_until::text
FROM document_number_series s WHERE s.space = $1 ORDER BY s.id FOR NO KEY UPDATE`;

const selectFormats = `
SELECT f.id, f.series_id, s.space, s.code, f.version, f.template, f.overflow, f.valid_from::text, f.created_by,
  f.created_at,
  (SELECT (min(n.valid_from) - 1)::text FROM document_number_formats n
   WHERE n.series_id = f.series_id AND n.version > f.version) AS valid_until
FROM document_number_formats f
JOIN document_number_series s ON s.id = f.series_id
WHERE ($1::text IS NULL OR s.space = $1) AND ($2::text IS NULL OR s.code = $2)
ORDER BY s.space, s.code, f.version`;

const insertFormat = (hasId: boolean): string => `
INSERT INTO document_number_formats (series_id, version, template, overflow, valid_from, created_by${hasId ? ', id' : ''})
VALUES ($1, $2, $3, $4, $5, $6${hasId ? ', $7' : ''})`;

const raiseRevision = 'UPDATE document_number_series SET revision = revision + 1 WHERE id = $1';

interface FormatRow {
  readonly id: string;
  readonly series_id: string;
  readonly space: string;
  readonly code: string;
  readonly version: number;
  readonly template: string;
  readonly overflow: Overflow;
  readonly valid_from: string;
  readonly valid_until: string | null;
  readonly created_by: string;
  readonly created_at: Date;
}

type FixedCodes = Readonly<Record<string, string>>;

export interface SaveFormatOptions {
  readonly call: DatabaseCall;
  readonly registry: TokenRegistry;
  readonly now: () => number;
  /** Codes that all numbers of a series print alike. */
  readonly fixedCodes: (series: Series) => Promise<FixedCodes>;
}

const always = '-infinity';

/** Checks a template and saves it as the next version. @throws NumberingError */
export async function saveFormat(
  request: SaveFormatRequest,
  options: SaveFormatOptions,
): Promise<DocumentFormat> {
  const checked = checkSave(request);
  const codes = await codesOfSpace(checked.space, options);
  return options.call.transaction(async (session) => {
    const { rows } = await session.query({ text: lockSpace, values: [checked.space] });
    const all = (rows as SeriesRow[]).map(toSeries);
    const series = all.find((one) => one.series === checked.series);
    if (!series) throw new UnknownSeriesError(checked.space, checked.series);
    const formats = await selectFormatRows(session, { space: checked.space });
    const own = formats.filter(({ series_id }) => String(series_id) === series.id);
    const newest = own.at(-1);
    const today = new ZoneCalendar(series.timeZone).dateAt(options.now());
    const validFrom = checked.validFrom ?? (newest ? today : always);
    if (newest && isSame(newest, checked, request.validFrom)) return toFormat(newest);
    const version = {
      version: (newest?.version ?? 0) + 1,
      template: checked.template,
      overflow: checked.overflow,
      validFrom,
    };
    const neighbours = toNeighbours(formats, all, { ...options, codes });
    const fixedCodes = codesOf(codes, series);
    checkFormat({ version, series, registry: options.registry, fixedCodes, neighbours });
    await store(session, { series, version, request: checked });
    const saved = (await selectFormatRows(session, checked)).at(-1);
    if (!saved) throw new Error(`format version ${version.version} was saved and is gone`);
    return toFormat(saved);
  });
}

export async function listFormats(
  session: SqlSession,
  filter: { space?: string; series?: string } = {},
): Promise<DocumentFormat[]> {
  return (await selectFormatRows(session, filter)).map(toFormat);
}

type CheckedSave = Omit<SaveFormatRequest, 'id' | 'overflow'> & {
  readonly id: string | undefined;
  readonly overflow: Overflow;
};

function checkSave(request: SaveFormatRequest): CheckedSave {
  const { overflow = 'error' } = request;
  if (overflow !== 'error' && overflow !== 'widen') {
    throw new InvalidRequestError('overflow', 'is error or widen');
  }
  if (typeof request.template !== 'string')
    throw new InvalidRequestError('template', 'is missing; give a text');
  return {
    space: checkText('space', request.space, 100),
    series: checkText('series', request.series, 50),
    template: request.template,
    overflow,
    actor: checkText('actor', request.actor, 200),
    id: checkId('id', request.id),
    ...(request.validFrom === undefined ? {} : { validFrom: checkDate('validFrom', request.validFrom) }),
  };
}

function isSame(newest: FormatRow, wanted: CheckedSave, validFrom: string | undefined): boolean {
  return (
    newest.template === wanted.template &&
    newest.overflow === wanted.overflow &&
    (validFrom === undefined || newest.valid_from === validFrom)
  );
}

async function selectFormatRows(
  session: SqlSession,
  { space, series }: { space?: string; series?: string },
): Promise<FormatRow[]> {
  const { rows } = await session.query({ text: selectFormats, values: [space ?? null, series ?? null] });
  return rows as FormatRow[];
}

/** Looked up before the transaction begins: the app's directory may need a connection too. */
async function codesOfSpace(
  space: string,
  { call, fixedCodes }: SaveFormatOptions,
): Promise<ReadonlyMap<string, FixedCodes>> {
  const codes = new Map<string, FixedCodes>();
  for (const series of await listSeries(call.reading, { space }))
    codes.set(series.id, await fixedCodes(series));
  return codes;
}

function codesOf(codes: ReadonlyMap<string, FixedCodes>, { id }: Series): FixedCodes {
  const found = codes.get(id);
  // The series was defined a moment ago.
  if (!found) throw new BusyError();
  return found;
}

function toNeighbours(
  formats: readonly FormatRow[],
  all: readonly Series[],
  { registry, codes }: { registry: TokenRegistry; codes: ReadonlyMap<string, FixedCodes> },
): NeighbourFormat[] {
  const neighbours: NeighbourFormat[] = [];
  for (const series of all) {
    const fixedCodes = codesOf(codes, series);
    for (const row of formats.filter(({ series_id }) => String(series_id) === series.id)) {
      const facts = { ...row, validFrom: row.valid_from };
      neighbours.push({
        series: series.series,
        format: new CompiledFormat(facts, registry),
        fixedCodes,
      });
    }
  }
  return neighbours;
}

interface StoreRequest {
  readonly series: Series;
  readonly version: { version: number; template: string; overflow: Overflow; validFrom: string };
  readonly request: CheckedSave;
}

async function store(session: SqlSession, { series, version, request }: StoreRequest): Promise<void> {
  const { id, actor, space } = request;
  const values = [series.id, version.version, version.template, version.overflow, version.validFrom, actor];
  await session.query({
    text: insertFormat(id !== undefined),
    values: id === undefined ? values : [...values, id],
  });
  await session.query({ text: raiseRevision, values: [series.id] });
  await appendEvents(session, [
    { type: 'format_saved', space, actor, facts: { series: series.series, ...version } },
  ]);
}

function toFormat(row: FormatRow): DocumentFormat {
  return {
    id: String(row.id),
    space: row.space,
    series: row.code,
    version: row.version,
    template: row.template,
    overflow: row.overflow,
    validFrom: row.valid_from === always ? undefined : row.valid_from,
    validUntil: row.valid_until ?? undefined,
    createdBy: row.created_by,
    createdAt: row.created_at,
  };
}
