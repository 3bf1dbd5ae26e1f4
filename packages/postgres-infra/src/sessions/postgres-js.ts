import type { SqlResult, SqlStatement } from '../sql-session.js';
import { type Adapter, hasMethods, plainValues, withTextForJson } from './adapter.js';

/** Of `sql.begin((tx) => …)`. */
export interface PostgresJsTransaction {
  unsafe(text: string, values?: never): PromiseLike<unknown>;
  savepoint(...parts: never): unknown;
}

/** What `postgres()` returns. */
export interface PostgresJsDatabase {
  unsafe(text: string, values?: never): PromiseLike<unknown>;
  reserve(): PromiseLike<unknown>;
}

interface Sql {
  unsafe(text: string, values: readonly unknown[]): PromiseLike<Rows>;
}

interface Reserved extends Sql {
  release(): void;
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

export const postgresJs: Adapter = {
  recognizes: (handle) => hasMethods(handle, 'unsafe'),
  session: (handle) =>
    hasMethods(handle, 'savepoint')
      ? { query: (statement) => run(handle as unknown as Sql, statement) }
      : undefined,
  pool: (handle) => {
    if (!hasMethods(handle, 'reserve')) return undefined;
    const sql = handle as unknown as { reserve(): Promise<Reserved> };
    return {
      connect: async () => {
        const reserved = await sql.reserve();
        let running: Promise<unknown> = Promise.resolve();
        const query = (statement: SqlStatement): Promise<SqlResult> => {
          const result = run(reserved, statement);
          running = result.catch(() => undefined);
          return result;
        };
        return {
          query,
          // It cannot close one connection: a late one is given back when its statement and its transaction have ended.
          release: (error) => {
            if (error)
              void running.then(() => query({ text: 'ROLLBACK', values: [] })).catch(() => undefined);
            void running.then(() => running).then(() => reserved.release());
          },
        };
      },
    };
  },
  transactionLine: 'sql.begin((tx) => …), and pass tx',
  poolLine: 'sql itself, not a transaction of it',
};
