import pg from 'pg';

/**
 * Opens a pool that tolerates the loss of idle connections: calls that need a stopped or killed server report the
 * failure themselves.
 */
export function openPool(connectionString: string, connectionMax: number): pg.Pool {
  const pool = new pg.Pool({ connectionString, max: connectionMax });
  pool.on('error', () => undefined);
  return pool;
}
