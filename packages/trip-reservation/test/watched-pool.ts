import type { SqlPool, SqlResult, SqlStatement } from '../src/index.js';

export type Around = (statement: SqlStatement, run: () => Promise<SqlResult>) => Promise<SqlResult>;

/** A real pool; each statement on each of its connections goes through `around`, which may wait, fail or look. */
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
