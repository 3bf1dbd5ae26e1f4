import {
  type FaultProxy,
  type PostgresTestServer,
  type RedisTestServer,
  startFaultProxy,
  startPostgresServer,
  startRedisServer,
} from '@solegate/testkit';
import { GatewayProcess } from './gateway-process.js';

const DATABASE = 'nemesis';

export interface SystemOptions {
  /** `dist/main.js` of the second gateway, such as that of the last release. Default: the same as the first. */
  readonly otherGateway?: string | undefined;
  /** Gives each gateway a Redis of its own, so that their node IDs come from two pools. */
  readonly splitRedis: boolean;
}

/** What runs, from the ground up. */
interface Parts {
  readonly primary: PostgresTestServer;
  readonly standby: PostgresTestServer;
  readonly postgresProxy: FaultProxy;
  readonly redis: RedisTestServer;
  readonly redisProxy: FaultProxy;
  readonly gateways: readonly GatewayProcess[];
}

/** The whole system: two gateways on one Redis and one PostgreSQL with a synchronous standby, all behind fault proxies. */
export class System implements AsyncDisposable {
  readonly gateways: readonly GatewayProcess[];
  readonly redis: RedisTestServer;
  readonly redisProxy: FaultProxy;
  readonly postgresProxy: FaultProxy;
  readonly #standby: PostgresTestServer;
  readonly #started: readonly AsyncDisposable[];
  #primary: PostgresTestServer;

  private constructor(parts: Parts, started: readonly AsyncDisposable[]) {
    this.gateways = parts.gateways;
    this.redis = parts.redis;
    this.redisProxy = parts.redisProxy;
    this.postgresProxy = parts.postgresProxy;
    this.#standby = parts.standby;
    this.#primary = parts.primary;
    this.#started = started;
  }

  static async start({ otherGateway, splitRedis }: SystemOptions): Promise<System> {
    const started: AsyncDisposable[] = [];
    const keep = <Part extends AsyncDisposable>(part: Part): Part => {
      started.unshift(part);
      return part;
    };
    try {
      const primary = keep(await startPostgresServer());
      await primary.pool.query(`CREATE DATABASE ${DATABASE}`);
      const standby = keep(await primary.startReplica({ synchronous: true }));
      const redis = keep(await startRedisServer());
      const otherRedis = splitRedis ? keep(await startRedisServer()) : undefined;
      const redisProxy = keep(await startFaultProxy(redis.url));
      const postgresProxy = keep(await startFaultProxy(databaseUrl(primary)));
      const place = { databaseUrl: postgresProxy.url, redisUrl: redisProxy.url };
      const otherPlace = { ...place, redisUrl: otherRedis?.url ?? place.redisUrl, program: otherGateway };
      const gateways = [
        keep(await GatewayProcess.start(place)),
        keep(await GatewayProcess.start(otherPlace)),
      ];
      return new System({ primary, standby, postgresProxy, redis, redisProxy, gateways }, started);
    } catch (error) {
      await endAll(started);
      throw error;
    }
  }

  /** Whoever takes writes at present. */
  get primary(): PostgresTestServer {
    return this.#primary;
  }

  /** Of the database that the gateways use, past the proxy. */
  get databaseUrl(): string {
    return databaseUrl(this.#primary);
  }

  /** Kills the primary; the standby, which has every commit that was answered, takes its place. */
  async failOver(): Promise<void> {
    await this.#primary.kill();
    await this.#standby.promote();
    this.#primary = this.#standby;
    this.postgresProxy.redirect(this.databaseUrl);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await endAll(this.#started);
  }
}

function databaseUrl({ url }: PostgresTestServer): string {
  return Object.assign(new URL(url), { pathname: `/${DATABASE}` }).href;
}

/** One after the other: gateways before their stores, the standby before its primary. */
async function endAll(started: readonly AsyncDisposable[]): Promise<void> {
  for (const part of started) await part[Symbol.asyncDispose]();
}
