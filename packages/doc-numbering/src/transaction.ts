import type { Batch } from './draw-batch.js';
import type { PooledSession, SqlPool, SqlSession } from './sql-session.js';

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

/**
 * Runs work on one connection between BEGIN and COMMIT; with `keeps` false for its result, ROLLBACK. A connection whose
 * state is in doubt is closed, which makes PostgreSQL roll back.
 */
export async function inTransaction<Result>(
  database: SqlPool,
  work: (session: SqlSession) => Promise<Result>,
  keeps: (result: Result) => boolean = () => true,
): Promise<Result> {
  const session = await database.connect();
  let isDone = false;
  try {
    await run(session, begin);
    const result = await work(session);
    await run(session, keeps(result) ? commit : 'ROLLBACK');
    isDone = true;
    return result;
  } finally {
    if (isDone) session.release();
    else await rollBack(session);
  }
}

/** Locks the counters of a batch in id order, so that what follows sees everything committed under them. */
export async function lockCounters(session: SqlSession, { lines }: Batch): Promise<void> {
  await session.query({ text: lockRows, values: [lines.map(({ counterId }) => counterId)] });
}

/** A connection that does not roll back soon is busy with a statement that nobody waits for any more. */
const rollBackMs = 500;

async function rollBack(session: PooledSession): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error('no ROLLBACK in time')), rollBackMs);
  });
  try {
    await Promise.race([run(session, 'ROLLBACK'), timeout]);
    session.release();
  } catch {
    session.release(true);
  } finally {
    clearTimeout(timer);
  }
}
