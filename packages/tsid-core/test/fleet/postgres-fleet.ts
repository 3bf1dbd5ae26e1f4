import type { SqlPool } from '@solegate/postgres-infra';
import pg from 'pg';
import { TSID_42_10_12 } from '../../src/index.js';
import { nodeLeaseMigrations, postgresLeaseStore } from '../../src/node-lease/postgres/index.js';
import { type LeasedProcess, mintingMeanwhile, startWhenFree, windowFleet } from './fleet.js';
import { MintLog } from './mint-log.js';
import type { Weakening } from './weakened-redis.js';

/** Long enough for servers that share two processors, short enough for a test. */
export const WINDOW_MS = 3_000;
const SKEW_MS = 500;
export const QUARANTINE_MS = WINDOW_MS + SKEW_MS;
const PATIENCE_MS = 40_000;

/** Creates the tables and functions, with some of their text replaced. Fails if a part is not there. */
export async function createTables(url: string, ...weakenings: readonly Weakening[]): Promise<void> {
  let text = nodeLeaseMigrations.map(({ sql }) => sql).join('\n');
  for (const [guard, without] of weakenings) {
    if (!text.includes(guard)) throw new Error(`No function contains: ${guard}`);
    text = text.replaceAll(guard, () => without);
  }
  const client = new pg.Client(url);
  await client.connect();
  await client.query(text);
  await client.end();
}

/** A pool whose address moves to another server, as behind a virtual address or a DNS name. */
export class MovingPool implements SqlPool, AsyncDisposable {
  readonly #pools: pg.Pool[] = [];

  constructor(url: string) {
    this.moveTo(url);
  }

  moveTo(url: string): void {
    const pool = new pg.Pool({ connectionString: url, max: 10 });
    pool.on('connect', (client) => client.on('error', () => {}));
    pool.on('error', () => {});
    this.#pools.unshift(pool);
  }

  connect() {
    return (this.#pools[0] as pg.Pool).connect();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    // Not awaited: connections to a killed server stay pending.
    for (const pool of this.#pools) pool.end().catch(() => {});
  }
}

/** A fleet that leases from PostgreSQL and renews by itself; its members can use another pool. */
export function postgresFleet(pool: SqlPool) {
  const fleet = windowFleet(new MintLog(), postgresLeaseStore(pool), {
    layout: TSID_42_10_12,
    automatic: true,
    windowMs: WINDOW_MS,
    skewMaxMs: SKEW_MS,
    renewEveryMs: 800,
  });
  const start = (name: string, through: SqlPool = pool, lease = {}): Promise<LeasedProcess> =>
    startWhenFree(fleet, name, { store: postgresLeaseStore(through), lease }, PATIENCE_MS);
  return {
    log: fleet.log,
    start,
    /** All mint, many times a millisecond, for this long. */
    mint: (processes: readonly LeasedProcess[], ms: number) =>
      mintingMeanwhile(processes, new Promise<void>((resolve) => setTimeout(resolve, ms))),
    async stop() {
      await fleet.stop();
      return { duplicates: fleet.log.duplicateCount(), orderBreaks: fleet.log.orderBreakCount() };
    },
  };
}
