import type { SqlSession } from '@solegate/postgres-infra';
import type { Reset, Series, SeriesDimension } from '../contract/series.js';

/** A row of document_number_series; dates as text, bigint as PostgreSQL's drivers give it. */
export interface SeriesRow {
  readonly id: string;
  readonly space: string;
  readonly code: string;
  readonly dimensions: readonly SeriesDimension[];
  readonly reset: Reset;
  readonly time_zone: string;
  readonly fiscal_start_month: number;
  readonly fiscal_year_named_by: 'start' | 'end';
  readonly start_at: string;
  readonly date_order: boolean;
  readonly closed_until: string | null;
  readonly open_until: string | null;
  readonly end_at: string | null;
  readonly blocked: string | null;
  readonly manual_first: string | null;
  readonly manual_last: string | null;
  readonly revision: string;
  readonly identity: string;
}

export function toSeries(row: SeriesRow): Series {
  const { manual_first: first, manual_last: last } = row;
  return {
    id: String(row.id),
    space: row.space,
    series: row.code,
    dimensions: row.dimensions,
    reset: row.reset,
    timeZone: row.time_zone,
    fiscalStartMonth: row.fiscal_start_month,
    fiscalYearNamedBy: row.fiscal_year_named_by,
    startAt: Number(row.start_at),
    dateOrder: row.date_order,
    closedUntil: row.closed_until ?? undefined,
    openUntil: row.open_until ?? undefined,
    endAt: row.end_at === null ? undefined : Number(row.end_at),
    blocked: row.blocked ?? undefined,
    manualInterval:
      first === null || last === null ? undefined : { first: Number(first), last: Number(last) },
    identity: row.identity,
    revision: Number(row.revision),
  };
}

const selectSeries = `
SELECT s.*, s.closed_until::text, s.open_until::text
FROM document_number_series s
WHERE $1::text IS NULL OR s.space = $1
ORDER BY s.space, s.code`;

export async function listSeries(
  session: SqlSession,
  filter: { readonly space?: string } = {},
): Promise<Series[]> {
  const { rows } = await session.query({ text: selectSeries, values: [filter.space ?? null] });
  return (rows as SeriesRow[]).map(toSeries);
}
