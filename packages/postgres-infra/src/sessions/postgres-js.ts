import type { SqlResult, SqlStatement } from '../sql-session.js';
import { type Adapter, hasMethods, plainValues, withTextForJson } from './adapter.js';

/** Of `sql.begin((tx) => …)`. */
export interface PostgresJsTransaction {
  unsafe(text: string, values?: never): PromiseLike<unknown>;
  savepoint(...parts: never): unknown;
}

interface Sql {
  unsafe(text: string, values: readonly unknown[]): PromiseLike<Rows>;
}

interface Rows extends Array<Record<string, unknown>> {
  readonly count: number | null;
  readonly columns?: readonly { readonly name: string; readonly type: number }[];
}

const TIMESTAMPTZ = 1184;

async function run(sql: Sql, { text, values }: SqlStatement): Promise<SqlResult> {
  const rows = await sql.unsafe(withTextForJson(text), plainValues(values));
  // Drizzle makes postgres.js leave dates as text.
  const dates = (rows.columns ?? []).filter(({ type }) => type === TIMESTAMPTZ).map(({ name }) => name);
  for (const row of rows) {
    for (const name of dates) if (typeof row[name] === 'string') row[name] = new Date(row[name]);
  }
  return { rows: [...rows], rowCount: rows.count };
}

/**
 * Its connections are not used: `reserve()` of 3.4 waits forever if a connection ends meanwhile, and one that has ended is
 * given out again, where the next statement ends the process.
 */
export const postgresJs: Adapter = {
  recognizes: (handle) => hasMethods(handle, 'unsafe'),
  session: (handle) =>
    hasMethods(handle, 'savepoint')
      ? { query: (statement) => run(handle as unknown as Sql, statement) }
      : undefined,
  transactionLine: 'sql.begin((tx) => …), and pass tx',
  poolLine: 'a pg Pool on the same database',
};
