import type { SqlSession } from '@solegate/postgres-infra';
import type { CounterAddress, Position } from '../request/resolved-request.js';
import { SERVER } from './draw-statement.js';

const SELECT_COUNTERS = `
SELECT ${SERVER} AS server, c.id, c.series_id, c.dimensions, c.period, c.last_number, c.version
FROM (VALUES (1)) AS one
LEFT JOIN (
  unnest($1::bigint[], $2::text[], $3::text[]) AS w (series_id, dimensions, period)
  JOIN document_number_counters c USING (series_id, dimensions, period)
) ON true`;

/** Insert or nothing: a counter that somebody created first is never touched. */
const INSERT_COUNTERS = `
INSERT INTO document_number_counters (series_id, dimensions, period, first_number, last_number)
SELECT w.series_id, w.dimensions, w.period, s.start_at, s.start_at - 1
FROM unnest($1::bigint[], $2::text[], $3::text[]) AS w (series_id, dimensions, period)
JOIN document_number_series s ON s.id = w.series_id
ORDER BY w.series_id, w.dimensions, w.period
ON CONFLICT ON CONSTRAINT document_number_counters_scope_key DO NOTHING`;

export interface OpenedCounter {
  readonly counterId: string;
  readonly position: Position;
}

export interface OpenedCounters {
  /** The PostgreSQL that answered, by its start. */
  readonly server: string;
  /** By {@link counterKey}. */
  readonly counters: ReadonlyMap<string, OpenedCounter>;
}

interface CounterRow {
  readonly server: string;
  readonly id: string | null;
  readonly series_id: string;
  readonly dimensions: string;
  readonly period: string;
  readonly last_number: string;
  readonly version: string;
}

/** One text for one counter, in memory and in errors of this module. */
export const counterKey = ({ series, dimensionsKey, period }: CounterAddress): string =>
  `${series.id}\n${dimensionsKey}\n${period}`;

/** Finds the rows of counters, by {@link counterKey}; those that do not exist are left out. */
export async function findCounters(
  session: SqlSession,
  addresses: readonly CounterAddress[],
): Promise<OpenedCounters> {
  const { rows } = await session.query({ text: SELECT_COUNTERS, values: scopeColumns(addresses) });
  const counters = new Map<string, OpenedCounter>();
  for (const row of rows as CounterRow[]) {
    if (row.id === null) continue;
    const position = { version: Number(row.version), last: Number(row.last_number) };
    const key = `${row.series_id}\n${row.dimensions}\n${row.period}`;
    counters.set(key, { counterId: String(row.id), position });
  }
  return { server: (rows[0] as CounterRow).server, counters };
}

/** Finds the rows of counters, and creates those that do not exist. */
export async function openCounters(
  session: SqlSession,
  addresses: readonly CounterAddress[],
): Promise<OpenedCounters> {
  const found = await findCounters(session, addresses);
  const missing = addresses.filter((address) => !found.counters.has(counterKey(address)));
  if (missing.length === 0) return found;
  await session.query({ text: INSERT_COUNTERS, values: scopeColumns(missing) });
  const created = await findCounters(session, missing);
  return { server: created.server, counters: new Map([...found.counters, ...created.counters]) };
}

function scopeColumns(addresses: readonly CounterAddress[]): unknown[] {
  return [
    addresses.map(({ series }) => series.id),
    addresses.map(({ dimensionsKey }) => dimensionsKey),
    addresses.map(({ period }) => period),
  ];
}
