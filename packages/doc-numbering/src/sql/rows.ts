import type { SqlSession } from '@solegate/postgres-infra';

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

/** Calls a function of the database and returns its reply. */
export async function callFunction<Reply>(
  session: SqlSession,
  call: string,
  values: unknown[],
): Promise<Reply> {
  const { rows } = await session.query({ text: `SELECT ${call} AS reply`, values });
  return (rows as { readonly reply: Reply }[])[0]?.reply as Reply;
}
