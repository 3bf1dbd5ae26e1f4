import pg from 'pg';

/**
 * A pool whose idle connections may be lost without ending the process: a server that is stopped, or killed by a fault, is
 * reported by every call that needs it.
 */
export function openPool(connectionString: string, connectionMax: number): pg.Pool {
  const pool = new pg.Pool({ connectionString, max: connectionMax });
  pool.on('error', () => undefined);
  return pool;
}
