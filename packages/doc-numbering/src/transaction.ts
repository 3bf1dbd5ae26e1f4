import type { Batch } from './batch.js';
import type { PooledSession, SqlPool, SqlSession } from './sql-session.js';
import { within } from './within.js';

/**
 * A session whose program has died in mid-transaction would hold its counters for ever; PostgreSQL ends it after this.
 * Set for the transaction alone, so that a pooler may give its connection to anybody afterwards.
 */
const begin = "BEGIN; SET LOCAL idle_in_transaction_session_timeout = '15s'";

/** COMMIT of a transaction that has failed answers like a good one; the statement before it does not. */
const commit = 'SELECT 1; COMMIT';

const lockRows = `
SELECT id FROM document_number_counters WHERE id = ANY ($1::bigint[]) ORDER BY id FOR NO KEY UPDATE`;

/** Runs SQL without values. */
export const run = (session: SqlSession, text: string) => session.query({ text, values: [] });

export interface TransactionOptions<Result> {
  /** Default: whatever the result, COMMIT. */
  readonly keeps?: (result: Result) => boolean;
  /** Longest run of one statement, kept by PostgreSQL itself. Default: what the server is set to. */
  readonly statementTimeoutMs?: number;
}

/**
 * Runs work on one connection between BEGIN and COMMIT; with `keeps` false for its result, ROLLBACK. A connection whose
 * state is in doubt is closed, which makes PostgreSQL roll back.
 */
export async function inTransaction<Result>(
  database: SqlPool,
  work: (session: SqlSession) => Promise<Result>,
  { keeps = () => true, statementTimeoutMs }: TransactionOptions<Result> = {},
): Promise<Result> {
  const session = await database.connect();
  session.on?.('error', ignore);
  let isDone = false;
  try {
    await run(session, statementTimeoutMs === undefined ? begin : `${begin}; ${limit(statementTimeoutMs)}`);
    const result = await work(session);
    await run(session, keeps(result) ? commit : 'ROLLBACK');
    isDone = true;
    return result;
  } finally {
    if (!isDone) await rollBack(session);
    session.off?.('error', ignore);
    if (isDone) session.release();
  }
}

/** The next statement fails and tells the same. */
const ignore = (): void => undefined;

const limit = (timeoutMs: number): string => `SET LOCAL statement_timeout = '${Math.ceil(timeoutMs)}ms'`;

/** Locks the counters of a batch in id order, so that what follows sees everything committed under them. */
export async function lockCounters(session: SqlSession, { lines }: Batch): Promise<void> {
  await session.query({ text: lockRows, values: [lines.map(({ counterId }) => counterId)] });
}

/** A connection that does not roll back soon is busy with a statement that nobody waits for any more. */
const rollBackMs = 500;

async function rollBack(session: PooledSession): Promise<void> {
  try {
    await within(run(session, 'ROLLBACK'), rollBackMs, () => new Error('no ROLLBACK in time'));
    session.release();
  } catch {
    session.release(true);
  }
}
