import {
  type FaultProxy,
  type PostgresTestServer,
  type RedisTestServer,
  startFaultProxy,
  startPostgresServer,
  startRedisServer,
} from '@solegate/testkit';
import { type CodeChange, GatewayProcess } from './gateway-process.js';

const DATABASE = 'nemesis';
/** The project and the region whose numbers and trips are in the second cell, if there is one. */
export const OTHER_CELL = { project: 'OTHER', region: 'other' };

export interface SystemOptions {
  /** `dist/main.js` of the second gateway, such as that of the last release. Default: the same as the first. */
  readonly otherGateway?: string | undefined;
  /** What grants node IDs, `redis` or `postgres`. */
  readonly nodeStore: string;
  readonly codeChange?: CodeChange | undefined;
  /** PostgreSQL servers that hold the gateways' data, 1 or 2. */
  readonly cellCount: number;
}

/** A PostgreSQL and the proxy through which the gateways reach it. */
export interface Cell {
  readonly server: PostgresTestServer;
  readonly proxy: FaultProxy;
}

/** The running parts, in the order of their start. */
interface Parts {
  readonly cells: [Cell, ...Cell[]];
  readonly standby: PostgresTestServer;
  readonly redis: RedisTestServer;
  readonly redisProxy: FaultProxy;
  readonly gateways: readonly GatewayProcess[];
}

/**
 * The whole system: two gateways on one Redis and one PostgreSQL with a synchronous standby, optionally with a second
 * PostgreSQL, all behind fault proxies.
 */
export class System implements AsyncDisposable {
  readonly gateways: readonly GatewayProcess[];
  readonly redis: RedisTestServer;
  readonly redisProxy: FaultProxy;
  readonly #standby: PostgresTestServer;
  readonly #started: readonly AsyncDisposable[];
  readonly #cells: [Cell, ...Cell[]];

  private constructor(parts: Parts, started: readonly AsyncDisposable[]) {
    this.gateways = parts.gateways;
    this.redis = parts.redis;
    this.redisProxy = parts.redisProxy;
    this.#standby = parts.standby;
    this.#cells = parts.cells;
    this.#started = started;
  }

  static async start({ otherGateway, nodeStore, codeChange, cellCount }: SystemOptions): Promise<System> {
    const started: AsyncDisposable[] = [];
    const keep = <Part extends AsyncDisposable>(part: Part): Part => {
      started.unshift(part);
      return part;
    };
    const startCell = async (): Promise<Cell> => {
      const server = keep(await startPostgresServer());
      await server.pool.query(`CREATE DATABASE ${DATABASE}`);
      return { server, proxy: keep(await startFaultProxy(databaseUrl(server))) };
    };
    try {
      const cells: [Cell, ...Cell[]] = [await startCell()];
      const standby = keep(await cells[0].server.startReplica({ synchronous: true }));
      while (cells.length < cellCount) cells.push(await startCell());
      const redis = keep(await startRedisServer());
      const redisProxy = keep(await startFaultProxy(redis.url));
      const codeChanges = codeChange === undefined ? [] : [codeChange];
      const place = { databaseUrl: placesOf(cells), redisUrl: redisProxy.url, nodeStore, codeChanges };
      const gateways = [undefined, otherGateway].map((program) =>
        keep(new GatewayProcess({ ...place, program })),
      );
      await startAll(gateways);
      return new System({ cells, standby, redis, redisProxy, gateways }, started);
    } catch (error) {
      await endAll(started);
      throw error;
    }
  }

  /** Each with the server that currently accepts its writes. */
  get cells(): readonly [Cell, ...Cell[]] {
    return this.#cells;
  }

  /** URLs of the gateways' databases, bypassing the proxies. */
  get databaseUrls(): readonly [string, ...string[]] {
    const [first, ...others] = this.#cells;
    return [databaseUrl(first.server), ...others.map(({ server }) => databaseUrl(server))];
  }

  /** Kills the primary of the first cell and promotes the standby, which has every acknowledged commit. */
  async failOver(): Promise<void> {
    const [{ server, proxy }] = this.#cells;
    await server.kill();
    await this.#standby.promote();
    this.#cells[0] = { server: this.#standby, proxy };
    proxy.redirect(databaseUrl(this.#standby));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await endAll(this.#started);
  }
}

/** Value of DATABASE_URL: one URL, or a list of cells, each with its share of the 1,024 nodes. */
function placesOf(cells: readonly [Cell, ...Cell[]]): string {
  const [{ proxy }] = cells;
  if (cells.length === 1) return proxy.url;
  const share = Math.floor(1024 / cells.length);
  return JSON.stringify({
    cells: cells.map((cell, index) => ({
      name: `cell-${index}`,
      url: cell.proxy.url,
      nodes: [index * share, (index + 1) * share - 1],
    })),
    projects: { [OTHER_CELL.project]: 'cell-1' },
    regions: { [OTHER_CELL.region]: 'cell-1' },
  });
}

function databaseUrl({ url }: PostgresTestServer): string {
  return Object.assign(new URL(url), { pathname: `/${DATABASE}` }).href;
}

/** Starts gateways at once, as after an outage. @throws what the first of those that do not start has thrown */
async function startAll(gateways: readonly GatewayProcess[]): Promise<void> {
  const starts = await Promise.allSettled(gateways.map((gateway) => gateway.start()));
  for (const start of starts) if (start.status === 'rejected') throw start.reason;
}

/** Ends all parts in sequence: gateways before their stores, the standby before its primary. */
async function endAll(started: readonly AsyncDisposable[]): Promise<void> {
  for (const part of started) await part[Symbol.asyncDispose]();
}
