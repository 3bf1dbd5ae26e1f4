import type { SqlSession } from '@solegate/postgres-infra';
import type { DocumentFormat, Overflow, Series } from '../contract/series.js';
import { BusyError } from '../contract/store-error.js';
import type { NeighbourFormat } from '../format/check-format.js';
import { CompiledFormat } from '../format/compiled-format.js';
import type { TokenRegistry } from '../format/token.js';
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
   WHERE n.series_id = f.series_id AND n.version > f.version AND n.withdrawn_at IS NULL) AS valid_until
FROM document_number_formats f
JOIN document_number_series s ON s.id = f.series_id
WHERE f.withdrawn_at IS NULL AND ($1::text IS NULL OR s.space = $1) AND ($2::text IS NULL OR s.code = $2)
ORDER BY s.space, s.code, f.version`;

export interface FormatRow {
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

export type FixedCodes = Readonly<Record<string, string>>;

export interface SpaceOptions {
  readonly call: DatabaseCall;
  readonly registry: TokenRegistry;
  /** Codes that all numbers of a series print alike. */
  readonly fixedCodes: (series: Series) => Promise<FixedCodes>;
}

/** Of a version that holds from ever. */
export const always = '-infinity';

/** Locks a number space until the end of the transaction. */
export async function lockSpaceSeries(session: SqlSession, space: string): Promise<Series[]> {
  const { rows } = await session.query({ text: lockSpace, values: [space] });
  return (rows as SeriesRow[]).map(toSeries);
}

export async function listFormats(
  session: SqlSession,
  filter: { space?: string; series?: string } = {},
): Promise<DocumentFormat[]> {
  return (await selectFormatRows(session, filter)).map(toFormat);
}

/** In order of their versions; those that were withdrawn are left out. */
export async function selectFormatRows(
  session: SqlSession,
  { space, series }: { space?: string; series?: string },
): Promise<FormatRow[]> {
  const { rows } = await session.query({ text: selectFormats, values: [space ?? null, series ?? null] });
  return rows as FormatRow[];
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

export function toNeighbours(
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

export function toFormat(row: FormatRow): DocumentFormat {
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
