import pg from 'pg';

/**
 * Opens a pool that tolerates the loss of idle connections: calls that need a stopped or killed server report the
 * failure themselves.
 */
export function openPool(connectionString: string, connectionMax: number): pg.Pool & AsyncDisposable {
  const pool = new pg.Pool({ connectionString, max: connectionMax });
  pool.on('error', () => undefined);
  return Object.assign(pool, { [Symbol.asyncDispose]: () => pool.end() });
}

/** Does the work in one transaction of the pool. */
export async function inTransaction<Result>(
  pool: pg.Pool,
  work: (client: pg.PoolClient) => Promise<Result>,
): Promise<Result> {
  const client = await pool.connect();
  try {
    await client.query('BEGIN');
    const result = await work(client);
    await client.query('COMMIT');
    return result;
  } catch (error) {
    await client.query('ROLLBACK').catch(() => undefined);
    throw error;
  } finally {
    client.release();
  }
}
