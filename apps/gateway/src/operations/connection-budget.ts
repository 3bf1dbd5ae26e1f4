import type { NodeLeaseList } from '@solegate/tsid-core/node-lease';
import type { Pool } from 'pg';
import type { Logger } from 'pino';
import type { GatewayConfig } from '../config.js';

/** The PostgreSQL connections that the fleet might open, compared with those available. */
export interface ConnectionBudget {
  /** Processes in the fleet: gateways times workers. */
  readonly processCount: number;
  /** DATABASE_POOL_MAX; assumed to be the same everywhere. */
  readonly poolMax: number;
  /** Further connections of each process, for leasing its node. */
  readonly extraCount: number;
  /** Connections of the server without the reserved ones; the limit of the role or database if that is lower. */
  readonly availableCount: number;
}

/** Returns the use of this process's pools, added up. */
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

/** Reads the budget from the server. @param processCount processes in the fleet, including this one */
export async function readConnectionBudget(
  pool: Pool,
  wanted: Omit<ConnectionBudget, 'availableCount'>,
): Promise<ConnectionBudget> {
  const { rows } = await pool.query<{ available: number }>(AVAILABLE);
  return { ...wanted, availableCount: rows[0]?.available ?? 0 };
}

/** Describes a fleet that might open more connections than are available; undefined if it cannot. */
export function budgetFault(budget: ConnectionBudget): string | undefined {
  const { processCount, poolMax, extraCount, availableCount } = budget;
  const wanted = processCount * (poolMax + extraCount);
  if (wanted <= availableCount) return undefined;
  const fitting = Math.floor(availableCount / processCount) - extraCount;
  return (
    `PostgreSQL has ${availableCount} connections for this fleet (max_connections without the reserved ones, or the limit ` +
    `of role or database), but ${processCount} processes (gateways times WORKERS) with DATABASE_POOL_MAX ${poolMax} ` +
    `${extraCount > 0 ? `and ${extraCount} for node IDs ` : ''}can open ${wanted}. ` +
    `${fitting < 2 ? 'Run' : `Lower DATABASE_POOL_MAX to ${fitting}, run`} fewer processes, raise max_connections, or ` +
    'add a connection pooler.'
  );
}

/**
 * Warns if the fleet, including this process, could exhaust the PostgreSQL connections. It is only a warning: behind a
 * pooler the sum can be larger, and killed processes count until their leases expire.
 */
export async function checkConnectionBudget(
  {
    pools,
    list,
    config,
  }: {
    readonly pools: readonly Pool[];
    readonly list: () => Promise<Pick<NodeLeaseList, 'leases'>>;
    readonly config: Pick<GatewayConfig, 'databasePoolMax' | 'nodeStore'>;
  },
  logger: Logger,
): Promise<void> {
  try {
    const { leases } = await list();
    // A process leases one node per pool.
    const processCount = Math.max(1, Math.ceil(leases.length / pools.length));
    const extraCount = config.nodeStore === 'postgres' ? 1 : 0;
    const wanted = { processCount, poolMax: config.databasePoolMax, extraCount };
    for (const pool of pools) {
      const budget = await readConnectionBudget(pool, wanted);
      const fault = budgetFault(budget);
      if (fault !== undefined) logger.warn(budget, fault);
    }
  } catch (error) {
    logger.warn({ err: error }, 'the connection budget could not be read');
  }
}
