import { randomUUID } from 'node:crypto';
import type { SqlSession } from './sql-session.js';

/**
 * Limits how long a statement waits for locked rows, as part of the statement: no second round trip, no setting left on
 * the connection, and correct behind a pooler. The CTE that locks rows must read from `lock_limit`, which makes
 * PostgreSQL set the limit before it locks:
 *
 * ```sql
 * WITH lock_limit AS MATERIALIZED (SELECT set_config('lock_timeout', $1, true)),
 * locked AS MATERIALIZED (SELECT t.id FROM lock_limit, t WHERE … FOR UPDATE OF t) …
 * ```
 *
 * A longer wait is `BUSY` (55P03). It also limits waits for a unique key that another transaction has just written. In
 * a caller's transaction the setting would outlive the statement: use {@link withLockLimit} there.
 *
 * @param parameter placeholder of the limit, such as `$1`: whole milliseconds as text; `'0'` means no limit
 */
export const lockLimit = (parameter: string): string =>
  `lock_limit AS MATERIALIZED (SELECT set_config('lock_timeout', ${parameter}::text, true))`;

const READ_LIMIT = `SELECT current_setting('lock_timeout') AS before, set_config('lock_timeout', $1, true),
  set_config('solegate.transaction', $2, true)`;
const IS_IN_TRANSACTION = `SELECT current_setting('solegate.transaction', true) = $1 AS same`;
const SET_LIMIT = `SELECT set_config('lock_timeout', $1, true)`;

/**
 * Runs work in a caller's transaction with a lock limit, then restores the caller's own. After a failure there is
 * nothing to restore: the transaction has ended.
 *
 * @param limitMs at least 1
 * @throws what `refuse` returns if the session is in no transaction, before `work` runs
 */
export async function withLockLimit<Result>(
  session: SqlSession,
  limitMs: number,
  { work, refuse }: { readonly work: () => Promise<Result>; readonly refuse: () => Error },
): Promise<Result> {
  const mark = randomUUID();
  const values = [String(Math.max(1, Math.floor(limitMs))), mark];
  const { rows } = await session.query({ text: READ_LIMIT, values });
  const { before } = rows[0] as { before: string };
  // A setting of a transaction is gone in the next statement if each has its own.
  const next = await session.query({ text: IS_IN_TRANSACTION, values: [mark] });
  if (!(next.rows[0] as { same: boolean | null }).same) throw refuse();
  const result = await work();
  await session.query({ text: SET_LIMIT, values: [before] });
  return result;
}
