import { type Connection, type Connections, runStatement } from './connections.js';
import { Deadline, settleBy } from './deadline.js';
import { endsConnection, noAnswer, notApplied, PostgresFailure } from './postgres-failure.js';
import type { SqlResult, SqlStatement, TransactionSession } from './sql-session.js';

/** How a transaction ends. */
export interface TransactionOptions<Result> {
  /** Whether to keep the changes: COMMIT, else ROLLBACK. Default: always COMMIT. */
  readonly keeps?: (result: Result) => boolean;
  /** A last statement without parameters, sent with the COMMIT in one message; if it fails, nothing is kept. */
  readonly last?: (result: Result) => string | undefined;
  /** Longest pause between two statements before the server ends the session. Default: the time left. */
  readonly idleMaxMs?: number;
}

export interface Transaction<Result> {
  readonly connections: Connections;
  readonly deadline: Deadline;
  readonly isNamed: boolean;
  readonly work: (session: TransactionSession) => Promise<Result>;
}

/** The server cancels a statement shortly before the client stops waiting, so that a slow one has a known outcome. */
const SERVER_SHARE = 0.9;
const ROLLBACK_MS = 500;

/** Runs work between BEGIN and COMMIT, once; the table in bounded-database.ts explains its failures. */
export async function runTransaction<Result>(
  { connections, deadline, isNamed, work }: Transaction<Result>,
  { keeps = () => true, last, idleMaxMs }: TransactionOptions<Result>,
): Promise<Result> {
  const connection = await connections.take(deadline);
  let state: 'open' | 'committing' | 'ended' = 'open';
  let unprepared: PostgresFailure | undefined;
  const run = async (statement: SqlStatement): Promise<SqlResult> => {
    try {
      return await runStatement(connection.session, statement, { deadline, isNamed });
    } catch (error) {
      if (!(error instanceof PostgresFailure)) throw error;
      if (error.isUnprepared) unprepared = error;
      throw state === 'committing' ? error : notApplied(error);
    }
  };
  const session: TransactionSession = {
    query: async (statement, values = typeof statement === 'string' ? [] : statement.values) => {
      if (state === 'open')
        return run(typeof statement === 'string' ? { text: statement, values } : { ...statement, values });
      throw new Error('the transaction has ended; its session can no longer be used');
    },
  };
  try {
    await run({ text: begin(deadline, idleMaxMs), values: [] });
    const result = await settleBy(work(session), deadline, workIsLate);
    const isKept = keeps(result);
    if (isKept) state = 'committing';
    // COMMIT of a failed transaction returns without an error; the statement before it does not.
    const commit = `${last?.(result) ?? 'SELECT 1'}; COMMIT`;
    await run({ text: isKept ? commit : 'ROLLBACK', values: [] });
    state = 'ended';
    connection.release(false);
    return result;
  } catch (thrown) {
    state = 'ended';
    // Whatever error the work throws, all of it can run again without names.
    const error = unprepared ?? thrown;
    if (error instanceof PostgresFailure && endsConnection(error)) connection.release(true);
    else void rollBack(connection);
    throw error;
  }
}

/** What waited for a lock must see what was committed meanwhile. PostgreSQL's limits are whole milliseconds; 0 means no limit. */
function begin(deadline: Deadline, idleMaxMs = deadline.leftMs): string {
  const serverMs = Math.max(1, Math.floor(deadline.leftMs * SERVER_SHARE));
  return `BEGIN ISOLATION LEVEL read committed;
    SET LOCAL statement_timeout = ${serverMs};
    SET LOCAL lock_timeout = ${serverMs};
    SET LOCAL idle_in_transaction_session_timeout = ${Math.max(1, Math.ceil(idleMaxMs))}`;
}

/** Rolls back. A connection that takes too long is closed, which makes the server roll back. */
async function rollBack(connection: Connection): Promise<void> {
  let isBroken = true;
  try {
    const rollback = connection.session.query({ text: 'ROLLBACK', values: [] });
    await settleBy(rollback, Deadline.after(ROLLBACK_MS), noAnswer);
    isBroken = false;
  } catch {
    // Whatever the error, the connection is closed.
  } finally {
    connection.release(isBroken);
  }
}

const workIsLate = () =>
  new PostgresFailure('BUSY', 'the work of the transaction did not finish before the deadline');
