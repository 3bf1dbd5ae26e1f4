import type { SqlResult, SqlStatement } from '../sql-session.js';
import { type Adapter, hasMethods, plainValues } from './adapter.js';

/** Of `pglite.transaction((tx) => …)`. */
export interface PgliteTransaction {
  exec(text: string): Promise<unknown>;
  rollback(): Promise<unknown>;
}

/** `new PGlite()`. */
export interface PgliteDatabase {
  exec(text: string): Promise<unknown>;
  readonly waitReady: Promise<void>;
}

interface LiteResult {
  readonly rows: unknown[];
  readonly affectedRows?: number;
}

interface Lite {
  query(text: string, values: readonly unknown[]): Promise<LiteResult>;
  exec(text: string): Promise<LiteResult[]>;
}

async function run(lite: Lite, { text, values }: SqlStatement): Promise<SqlResult> {
  // Only its simple protocol takes several statements at once.
  const isSimple = values.length === 0 && text.includes(';');
  const result = isSimple ? (await lite.exec(text)).at(-1) : await lite.query(text, plainValues(values));
  const { rows, affectedRows } = result ?? { rows: [] };
  return { rows, rowCount: rows.length || (affectedRows ?? null) };
}

/** PostgreSQL in this process. Its only connection serves one caller of the pool after another. */
export const pglite: Adapter = {
  recognizes: (handle) => hasMethods(handle, 'query', 'exec', 'sql'),
  session: (handle) =>
    hasMethods(handle, 'rollback') && handle.closed !== true
      ? { query: (statement) => run(handle as unknown as Lite, statement) }
      : undefined,
  pool: (handle) => {
    let free: Promise<void> = Promise.resolve();
    return {
      connect: async () => {
        const earlier = free;
        let release = (): void => undefined;
        free = new Promise((resolve) => {
          release = resolve;
        });
        await earlier;
        const lite = handle as unknown as Lite;
        return {
          query: (statement) => run(lite, statement),
          // Nothing can close the connection: what a late statement leaves is rolled back after it.
          release: (error) => void (error ? lite.exec('ROLLBACK').then(release, release) : release()),
        };
      },
    };
  },
  transactionLine: 'pglite.transaction((tx) => …), and pass tx',
  poolLine: 'the instance of PGlite',
};
