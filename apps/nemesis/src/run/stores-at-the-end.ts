import { UntilTimeoutError, until } from '@solegate/testkit';
import pg from 'pg';
import type { Stores } from '../history/history.js';

/** How long after recovery relays have to publish what is left, in milliseconds. */
const PUBLISHED_WITHIN_MS = 15_000;

const SELECTS: { readonly [Table in keyof Stores]: string } = {
  ledger: `
    SELECT counter_id::text AS counter, sequence::float8 AS sequence, number, idempotency_key AS key, status::text AS status,
           replaced_by AS "replacedBy", document AS "documentId"
    FROM document_numbers`,
  counters: 'SELECT id::text AS counter, last_number::float8 AS last FROM document_number_counters',
  seals: `
    SELECT chain, position::float8, counter_id::text AS counter, sequence::float8, previous, seal
    FROM document_number_seals`,
  documents: 'SELECT id::text AS id, document_number AS number FROM correspondences',
  trips: `
    SELECT id::text AS "tripId", rider_id::text AS "riderId", idempotency_key::text AS key, status::text AS status, epoch::int AS epoch,
           revision::int AS revision, driver_id::text AS "driverId", offered_driver_ids::text[] AS offered,
           excluded_driver_ids::text[] AS excluded
    FROM trips`,
  events: `
    SELECT trip_id::text AS "tripId", revision::int AS revision, type, status::text AS status, epoch,
           driver_id::text AS "driverId", published_at IS NOT NULL AS "isPublished"
    FROM trip_outbox`,
  active: 'SELECT driver_id::text AS "driverId", trip_id::text AS "tripId" FROM driver_active',
};

type Row = Readonly<Record<string, unknown>>;

/** Reads the final state of PostgreSQL, in all cells, after relays have had time to publish what is left. */
export async function readStores(databaseUrls: readonly string[]): Promise<Stores> {
  const cells = await Promise.all(databaseUrls.map(readCell));
  const tables = Object.keys(SELECTS).map((table) => [table, cells.flatMap((cell) => cell.get(table) ?? [])]);
  return Object.fromEntries(tables) as unknown as Stores;
}

async function readCell(databaseUrl: string, cell: number): Promise<Map<string, Row[]>> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    const isPublished = async () =>
      (await client.query('SELECT FROM trip_outbox WHERE published_at IS NULL LIMIT 1')).rowCount === 0;
    await until(isPublished, { timeoutMs: PUBLISHED_WITHIN_MS, intervalMs: 50 }).catch((error: unknown) => {
      if (!(error instanceof UntilTimeoutError)) throw error;
    });
    await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
    const read = new Map<string, Row[]>();
    for (const [table, text] of Object.entries(SELECTS)) {
      const { rows } = await client.query<Row>(text);
      read.set(
        table,
        rows.map((row) => inCell(row, cell)),
      );
    }
    return read;
  } finally {
    await client.end();
  }
}

/** Each cell numbers its counters from 1, and has chains and busy drivers of its own. */
function inCell(row: Row, cell: number): Row {
  const own = ['counter', 'chain'].filter((name) => name in row);
  return { ...row, cell, ...Object.fromEntries(own.map((name) => [name, `${cell}/${row[name]}`])) };
}
