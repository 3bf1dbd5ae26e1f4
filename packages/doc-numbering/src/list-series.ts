import type { SqlSession } from '@solegate/postgres-infra';
import type { Series } from './series.js';
import { type SeriesRow, toSeries } from './series-row.js';

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
