import type { SqlPool, SqlResult, SqlStatement } from '../src/index.js';

export type Around = (statement: SqlStatement, run: () => Promise<SqlResult>) => Promise<SqlResult>;

/** A real pool whose statements all pass through `around`, which can wait, fail or observe. */
export function watchedPool(pool: SqlPool, around: Around): SqlPool {
  return {
    connect: async () => {
      const session = await pool.connect();
      return {
        query: (statement) => around(statement, () => session.query(statement)),
        release: (error) => session.release(error),
        on: (event, listener) => session.on?.(event, listener),
        off: (event, listener) => session.off?.(event, listener),
      };
    },
  };
}
