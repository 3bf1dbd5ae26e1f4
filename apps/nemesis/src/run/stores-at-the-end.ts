import pg from 'pg';
import type { Counter, LedgerRow, StoredAccept } from '../history/history.js';

const LEDGER = `
  SELECT counter_id::text AS counter, sequence::float8 AS sequence, number, idempotency_key AS key
    FROM document_numbers`;
const COUNTERS = 'SELECT id::text AS counter, last_number::float8 AS last FROM document_number_counters';
const ACCEPTS = `
  SELECT trip_id::text AS "tripId", epoch, driver_id::text AS "driverId"
    FROM trip_outbox WHERE type = 'TRIP_ACCEPTED'`;

interface StoresAtTheEnd {
  readonly ledger: readonly LedgerRow[];
  readonly counters: readonly Counter[];
  readonly accepts: readonly StoredAccept[];
}

/** Reads the final state of PostgreSQL, in all cells. */
export async function readStores(databaseUrls: readonly string[]): Promise<StoresAtTheEnd> {
  const cells = await Promise.all(databaseUrls.map(readCell));
  // Each cell numbers its counters from 1.
  const named = <Row extends { readonly counter: string }>(rows: readonly Row[], cell: number): Row[] =>
    rows.map((row) => ({ ...row, counter: `${cell}/${row.counter}` }));
  return {
    ledger: cells.flatMap(({ ledger }, cell) => named(ledger, cell)),
    counters: cells.flatMap(({ counters }, cell) => named(counters, cell)),
    accepts: cells.flatMap(({ accepts }) => accepts),
  };
}

async function readCell(databaseUrl: string): Promise<StoresAtTheEnd> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    const ledger = await client.query<LedgerRow>(LEDGER);
    const counters = await client.query<Counter>(COUNTERS);
    const accepts = await client.query<StoredAccept>(ACCEPTS);
    return { ledger: ledger.rows, counters: counters.rows, accepts: accepts.rows };
  } finally {
    await client.end();
  }
}
