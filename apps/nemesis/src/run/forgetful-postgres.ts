import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';

const FORGET_EVERY_MS = 150;
/** A replica-mode session skips triggers and foreign keys, so it can undo commits, as the restore of a backup would. */
const FORGET = [
  'SET session_replication_role = replica',
  `DELETE FROM document_numbers ledger USING document_number_counters counter
    WHERE ledger.counter_id = counter.id AND ledger.sequence = counter.last_number AND ledger.idempotency_key IS NOT NULL`,
  `UPDATE document_number_counters SET last_number = last_number - 1, version = version - 1
    WHERE last_number >= first_number
      AND NOT EXISTS (SELECT FROM document_numbers WHERE counter_id = id AND sequence = last_number)`,
  'DELETE FROM driver_active',
  `DELETE FROM trip_outbox WHERE type = 'TRIP_ACCEPTED'`,
  `UPDATE trips SET status = 'FINDING', driver_id = NULL, accepted_at = NULL WHERE status = 'ACCEPTED'`,
];

/** The control: makes PostgreSQL forget commits, which the checker must detect. */
export async function forgetCommits(databaseUrl: () => string, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    await forgetOnce(databaseUrl()).catch(() => undefined);
    await pause(FORGET_EVERY_MS);
  }
}

async function forgetOnce(connectionString: string): Promise<void> {
  const client = new pg.Client({ connectionString, connectionTimeoutMillis: 500, query_timeout: 1000 });
  client.on('error', () => undefined);
  try {
    await client.connect();
    for (const statement of FORGET) await client.query(statement);
  } finally {
    await client.end().catch(() => undefined);
  }
}
