import type { RedisConnection } from '@solegate/redis-infra';
import { listNodeLeases } from '@solegate/tsid-core/node-lease';
import type { Pool } from 'pg';
import type { Logger } from 'pino';

/** Connections to PostgreSQL that the fleet may open, against those that the server has. */
export interface ConnectionBudget {
  /** Processes of the fleet: gateways times workers. */
  readonly processCount: number;
  /** Connections of each; taken to be the same everywhere. */
  readonly poolMax: number;
  /** Of the server, without those that it keeps for others; of the role or the database, if that is less. */
  readonly availableCount: number;
}

/** How the pools of this process are used, added up. */
export function poolUse(pools: readonly Pool[]) {
  const sum = (read: (pool: Pool) => number) => pools.reduce((total, pool) => total + read(pool), 0);
  return {
    usedCount: sum(({ totalCount, idleCount }) => totalCount - idleCount),
    idleCount: sum(({ idleCount }) => idleCount),
    waitingCount: sum(({ waitingCount }) => waitingCount),
  };
}

const AVAILABLE = `
SELECT least(
  current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int
    - coalesce(current_setting('reserved_connections', true), '0')::int,
  (SELECT nullif(rolconnlimit, -1) FROM pg_roles WHERE rolname = current_user),
  (SELECT nullif(datconnlimit, -1) FROM pg_database WHERE datname = current_database())
)::int AS available`;

/** @param processCount of the fleet, this process included */
export async function readConnectionBudget(
  pool: Pool,
  { processCount, poolMax }: Omit<ConnectionBudget, 'availableCount'>,
): Promise<ConnectionBudget> {
  const { rows } = await pool.query<{ available: number }>(AVAILABLE);
  return { processCount, poolMax, availableCount: rows[0]?.available ?? 0 };
}

/** The sum in words when the fleet may ask for more than there are; undefined when it cannot. */
export function budgetFault({ processCount, poolMax, availableCount }: ConnectionBudget): string | undefined {
  const wanted = processCount * poolMax;
  if (wanted <= availableCount) return undefined;
  return (
    `PostgreSQL has ${availableCount} connections for this fleet (max_connections without the reserved ones, or the limit ` +
    `of role or database), and ${processCount} processes (gateways times WORKERS) with DATABASE_POOL_MAX ${poolMax} may ` +
    `open ${wanted}. Lower DATABASE_POOL_MAX to ${Math.max(2, Math.floor(availableCount / processCount))}, start fewer, ` +
    'raise max_connections, or put a pooler between.'
  );
}

/**
 * Warns when the process that starts is one too many for the connections of PostgreSQL. It refuses nothing: behind a pooler
 * the sum may be larger, and processes that were killed count until their leases end.
 */
export async function checkConnectionBudget(
  {
    pools,
    redis,
    poolMax,
  }: { readonly pools: readonly Pool[]; readonly redis: RedisConnection; readonly poolMax: number },
  logger: Logger,
): Promise<void> {
  try {
    const { leases } = await listNodeLeases(redis);
    // A process has a node for each of its pools.
    const processCount = Math.max(1, Math.ceil(leases.length / pools.length));
    for (const pool of pools) {
      const budget = await readConnectionBudget(pool, { processCount, poolMax });
      const fault = budgetFault(budget);
      if (fault !== undefined) logger.warn(budget, fault);
    }
  } catch (error) {
    logger.warn({ err: error }, 'the budget of connections could not be read');
  }
}
