import { quoteIdentifier } from '../quoting.js';
import type { SqlSession } from '../sql-session.js';

/**
 * Longest wait for all tables together. Programs wait behind it, so it is short; and it is shorter than PostgreSQL's
 * deadlock_timeout (1 s), so that of a migration and a program that wait for each other, the migration gives up.
 */
const WAIT_MS = 500;

const SELECT_EXISTING = `
SELECT w.name FROM unnest($1::text[]) WITH ORDINALITY AS w (name, place)
WHERE to_regclass(quote_ident(w.name)) IS NOT NULL
ORDER BY w.place`;

const SET_LIMITS = `
SELECT current_setting('statement_timeout') AS before, set_config('statement_timeout', $1, true),
  set_config('lock_timeout', $1, true)`;

const RESTORE_LIMIT = `SELECT set_config('statement_timeout', $1, true)`;

/**
 * Locks those of the tables that exist, in this order, for the rest of the transaction. Later statements of the
 * transaction wait as briefly for any other lock.
 *
 * @throws PostgresFailure `BUSY` if one of them is in use for too long
 */
export async function lockTables(session: SqlSession, names: readonly string[]): Promise<void> {
  const { rows } = await session.query({ text: SELECT_EXISTING, values: [names] });
  const tables = (rows as { name: string }[]).map(({ name }) => quoteIdentifier(name));
  if (tables.length === 0) return;
  const limits = await session.query({ text: SET_LIMITS, values: [String(WAIT_MS)] });
  const { before } = limits.rows[0] as { before: string };
  await session.query({ text: `LOCK TABLE ${tables.join(', ')} IN ACCESS EXCLUSIVE MODE`, values: [] });
  await session.query({ text: RESTORE_LIMIT, values: [before] });
}
