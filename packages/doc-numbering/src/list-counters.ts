import type { SqlSession } from '@solegate/postgres-infra';
import type { CounterFilter, CounterState, Page, PageRequest } from './ledger-entry.js';
import { readPage, toPage, writeCursor } from './page-cursor.js';

/** The width is that of the newest format: the one that the next numbers will have. */
const selectCounters = `
SELECT c.id, s.space, s.code, c.dimensions, c.period, c.last_number, c.version, c.last_date::text, c.updated_at,
  (SELECT substring(f.template FROM '\\{SEQ:(\\d+)\\}') FROM document_number_formats f
   WHERE f.series_id = s.id ORDER BY f.version DESC LIMIT 1) AS width
FROM document_number_counters c
JOIN document_number_series s ON s.id = c.series_id
WHERE ($1::text IS NULL OR s.space = $1)
  AND ($2::text IS NULL OR s.code = $2)
  AND ($3::jsonb IS NULL OR c.dimensions::jsonb @> $3)
  AND ($4::text IS NULL OR c.period = $4)
  AND ($5::bigint IS NULL OR c.id > $5)
ORDER BY c.id
LIMIT $6`;

interface CounterRow {
  readonly id: string;
  readonly space: string;
  readonly code: string;
  readonly dimensions: string;
  readonly period: string;
  readonly last_number: string;
  readonly version: string;
  readonly last_date: string | null;
  readonly updated_at: Date;
  readonly width: string | null;
}

export async function listCounters(
  session: SqlSession,
  filter: CounterFilter,
  page?: PageRequest,
): Promise<Page<CounterState>> {
  const start = readPage(page, 'counter');
  const { space = null, series = null, period = null } = filter;
  const dimensions = filter.dimensions === undefined ? null : JSON.stringify(filter.dimensions);
  const { rows } = await session.query({
    text: selectCounters,
    values: [space, series, dimensions, period, start.after?.[0] ?? null, start.first + 1],
  });
  return toPage((rows as CounterRow[]).map(toState), start, ({ counterId }) =>
    writeCursor('counter', [counterId]),
  );
}

function toState(row: CounterRow): CounterState {
  const lastNumber = Number(row.last_number);
  return {
    counterId: String(row.id),
    space: row.space,
    series: row.code,
    dimensions: JSON.parse(row.dimensions),
    period: row.period,
    lastNumber,
    version: Number(row.version),
    lastDate: row.last_date ?? undefined,
    updatedAt: row.updated_at,
    widthUsed: row.width === null ? undefined : lastNumber / (10 ** Number(row.width) - 1),
  };
}
