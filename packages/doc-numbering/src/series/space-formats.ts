import type { SqlSession } from '@solegate/postgres-infra';
import { BusyError } from '../contract/numbering-error.js';
import type { DocumentFormat, Series } from '../contract/series.js';
import { CompiledFormat } from '../format/compiled-format.js';
import type { SeriesFormat } from '../format/read-number.js';
import type { TokenRegistry } from '../format/token.js';
import type { DatabaseCall } from '../sql/public-calls.js';
import { rowsOf } from '../sql/rows.js';
import { listSeries, seriesColumns } from './series-catalog.js';

/** All series of the space stay locked: two formats that clash cannot be saved at the same time. */
const LOCK_SPACE = `
SELECT ${seriesColumns}
FROM document_number_series s WHERE s.space = $1 ORDER BY s.id FOR NO KEY UPDATE`;

const SELECT_FORMATS = `
SELECT f.id::text, s.space, s.code AS series, f.version, f.template, f.overflow,
  nullif(f.valid_from, '-infinity')::text AS "validFrom",
  (SELECT (min(n.valid_from) - 1)::text FROM document_number_formats n
   WHERE n.series_id = f.series_id AND n.version > f.version AND n.withdrawn_at IS NULL) AS "validUntil",
  f.created_by AS "createdBy", f.created_at AS "createdAt"
FROM document_number_formats f
JOIN document_number_series s ON s.id = f.series_id
WHERE f.withdrawn_at IS NULL AND ($1::text IS NULL OR s.space = $1) AND ($2::text IS NULL OR s.code = $2)
ORDER BY s.space, s.code, f.version`;

/** Codes by token name that all numbers of a series print alike. */
export type FixedCodes = Readonly<Record<string, string>>;

export interface SpaceOptions {
  readonly call: DatabaseCall;
  readonly registry: TokenRegistry;
  readonly fixedCodes: (series: Series) => Promise<FixedCodes>;
}

/** Locks a number space until the end of the transaction. */
export async function lockSpaceSeries(session: SqlSession, space: string): Promise<Series[]> {
  return rowsOf<Series>(await session.query({ text: LOCK_SPACE, values: [space] }));
}

/** In order of their versions; those that were withdrawn are left out. */
export async function listFormats(
  session: SqlSession,
  { space, series }: { readonly space?: string; readonly series?: string } = {},
): Promise<DocumentFormat[]> {
  const values = [space ?? null, series ?? null];
  return rowsOf<DocumentFormat>(await session.query({ text: SELECT_FORMATS, values }));
}

/** Looked up before the transaction begins: the app's directory may need a connection too. */
export async function codesOfSpace(
  space: string,
  { call, fixedCodes }: SpaceOptions,
): Promise<ReadonlyMap<string, FixedCodes>> {
  const codes = new Map<string, FixedCodes>();
  for (const series of await listSeries(call.reading, { space }))
    codes.set(series.id, await fixedCodes(series));
  return codes;
}

export function codesOf(codes: ReadonlyMap<string, FixedCodes>, { id }: Series): FixedCodes {
  const found = codes.get(id);
  // The series was defined a moment ago.
  if (!found) throw new BusyError();
  return found;
}

export interface SpaceFacts {
  readonly all: readonly Series[];
  readonly registry: TokenRegistry;
  readonly codes: ReadonlyMap<string, FixedCodes>;
}

/** Formats with the series that print by them, newest first in each. */
export function toSeriesFormats(
  formats: readonly DocumentFormat[],
  { all, registry, codes }: SpaceFacts,
): SeriesFormat[] {
  return all.flatMap((series) => {
    const own = formats.filter((format) => format.series === series.series).reverse();
    const fixedCodes = codesOf(codes, series);
    return own.map((facts) => ({ series, format: new CompiledFormat(facts, registry), fixedCodes }));
  });
}

/** All formats of a number space as they stand. */
export async function loadSpaceFormats(space: string, options: SpaceOptions): Promise<SeriesFormat[]> {
  const session = options.call.reading;
  const codes = await codesOfSpace(space, options);
  const all = (await listSeries(session, { space })).filter(({ id }) => codes.has(id));
  return toSeriesFormats(await listFormats(session, { space }), { ...options, all, codes });
}
