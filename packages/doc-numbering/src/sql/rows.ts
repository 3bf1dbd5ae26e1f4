import { lockLimit, type SqlSession } from '@solegate/postgres-infra';

/**
 * Returns rows as callers see them. Statements already name and cast the columns, so only NULL is left to convert.
 *
 * @param name of a statement that is worth preparing
 */
export async function selectRows<Row>(
  session: SqlSession,
  text: string,
  values: unknown[],
  name?: string,
): Promise<Row[]> {
  const { rows } = await session.query({ name, text, values });
  for (const row of rows as Record<string, unknown>[]) {
    for (const name in row) {
      if (row[name] === null) row[name] = undefined;
    }
  }
  return rows as Row[];
}

/**
 * Calls a function of the database and returns its reply.
 *
 * @param waitMs longest wait for a row, in whole milliseconds from 1, of a call that is a transaction of its own; default:
 * as long as the session allows
 */
export async function callFunction<Reply>(
  session: SqlSession,
  call: string,
  values: unknown[],
  waitMs?: number,
): Promise<Reply> {
  const select = `SELECT ${call} AS reply`;
  const limited = `WITH ${lockLimit(`$${values.length + 1}`)} ${select} FROM lock_limit`;
  const { rows } = await session.query(
    waitMs === undefined ? { text: select, values } : { text: limited, values: [...values, waitMs] },
  );
  return (rows as { readonly reply: Reply }[])[0]?.reply as Reply;
}
