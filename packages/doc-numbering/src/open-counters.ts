import type { Standing } from './batch.js';
import type { CounterAddress } from './resolved-request.js';
import type { SqlSession } from './sql-session.js';

const selectCounters = `
SELECT c.id, c.series_id, c.dimensions, c.period, c.last_number, c.version
FROM unnest($1::bigint[], $2::text[], $3::text[]) AS w (series_id, dimensions, period)
JOIN document_number_counters c USING (series_id, dimensions, period)`;

/** Insert or nothing: a counter that somebody created first is never touched. */
const insertCounters = `
INSERT INTO document_number_counters (series_id, dimensions, period, first_number, last_number)
SELECT w.series_id, w.dimensions, w.period, s.start_at, s.start_at - 1
FROM unnest($1::bigint[], $2::text[], $3::text[]) AS w (series_id, dimensions, period)
JOIN document_number_series s ON s.id = w.series_id
ORDER BY w.series_id, w.dimensions, w.period
ON CONFLICT ON CONSTRAINT document_number_counters_scope_key DO NOTHING`;

export interface OpenedCounter {
  readonly counterId: string;
  readonly standing: Standing;
}

interface CounterRow {
  readonly id: string;
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
): Promise<Map<string, OpenedCounter>> {
  const { rows } = await session.query({ text: selectCounters, values: scopeColumns(addresses) });
  const found = new Map<string, OpenedCounter>();
  for (const row of rows as CounterRow[]) {
    const standing = { version: Number(row.version), last: Number(row.last_number) };
    found.set(`${row.series_id}\n${row.dimensions}\n${row.period}`, { counterId: String(row.id), standing });
  }
  return found;
}

/** Finds the rows of counters, and creates those that do not exist. */
export async function openCounters(
  session: SqlSession,
  addresses: readonly CounterAddress[],
): Promise<Map<string, OpenedCounter>> {
  const found = await findCounters(session, addresses);
  const missing = addresses.filter((address) => !found.has(counterKey(address)));
  if (missing.length === 0) return found;
  await session.query({ text: insertCounters, values: scopeColumns(missing) });
  for (const [key, counter] of await findCounters(session, missing)) found.set(key, counter);
  return found;
}

function scopeColumns(addresses: readonly CounterAddress[]): unknown[] {
  return [
    addresses.map(({ series }) => series.id),
    addresses.map(({ dimensionsKey }) => dimensionsKey),
    addresses.map(({ period }) => period),
  ];
}
