import type { SqlSession } from '@solegate/postgres-infra';

/** Returns rows as callers see them. Statements already name and cast the columns, so only NULL is left to convert. */
export async function selectRows<Row>(session: SqlSession, text: string, values: unknown[]): Promise<Row[]> {
  const { rows } = await session.query({ text, values });
  return (rows as Record<string, unknown>[]).map((row) => {
    const entries = Object.entries(row).map(([name, value]) => [name, value ?? undefined]);
    return Object.fromEntries(entries) as Row;
  });
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
