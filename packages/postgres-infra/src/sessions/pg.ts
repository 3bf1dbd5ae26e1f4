import type { SqlPool, SqlSession } from '../sql-session.js';
import { type Adapter, hasMethods } from './adapter.js';

/** A `pg` client after BEGIN, or any object with such a `query`. `pg.Pool` is none: each statement has a connection. */
export type PgTransaction = SqlSession & { readonly totalCount?: never; readonly createQueryRunner?: never };

/** `pg.Pool` and `pg.Client`, and whatever has their methods. */
export const pg: Adapter = {
  recognizes: (handle) => hasMethods(handle, 'query') || hasMethods(handle, 'connect'),
  session: (handle) =>
    hasMethods(handle, 'query') && !('totalCount' in handle) ? (handle as unknown as SqlSession) : undefined,
  pool: (handle) =>
    hasMethods(handle, 'connect') && !('connectionParameters' in handle)
      ? (handle as unknown as SqlPool)
      : undefined,
  transactionLine: `const client = await pool.connect(); await client.query('BEGIN'), and pass client, not the pool`,
  poolLine: 'new Pool({ connectionString }) of pg instead of one client',
};
