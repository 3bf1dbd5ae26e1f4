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

/** The whole system: two gateways on one Redis and one PostgreSQL with a synchronous standby, all behind fault proxies. */
export class System implements AsyncDisposable {
  /** Whoever takes writes at present. */
  primary: PostgresTestServer;

  private constructor(
    readonly gateways: readonly [GatewayProcess, GatewayProcess],
    readonly redis: RedisTestServer,
    readonly redisProxy: FaultProxy,
    readonly postgresProxy: FaultProxy,
    readonly standby: PostgresTestServer,
    primary: PostgresTestServer,
    private readonly parts: readonly AsyncDisposable[],
  ) {
    this.primary = primary;
  }

  static async start({ otherGateway, splitRedis }: SystemOptions): Promise<System> {
    const parts: AsyncDisposable[] = [];
    const keep = <Started extends AsyncDisposable>(started: Started): Started => {
      parts.unshift(started);
      return started;
    };
    try {
      const primary = keep(await startPostgresServer());
      await primary.pool.query(`CREATE DATABASE ${DATABASE}`);
      const standby = keep(await primary.startReplica({ synchronous: true }));
      const redis = keep(await startRedisServer());
      const redisProxy = keep(await startFaultProxy(redis.url));
      const otherRedis = splitRedis ? keep(await startRedisServer()) : undefined;
      const postgresProxy = keep(await startFaultProxy(databaseUrl(primary)));
      const place = { databaseUrl: postgresProxy.url, redisUrl: redisProxy.url };
      const first = keep(await GatewayProcess.start(place));
      const otherPlace = { ...place, redisUrl: otherRedis?.url ?? place.redisUrl, program: otherGateway };
      const second = keep(await GatewayProcess.start(otherPlace));
      return new System([first, second], redis, redisProxy, postgresProxy, standby, primary, parts);
    } catch (error) {
      await endAll(parts);
      throw error;
    }
  }

  /** Of the database that the gateways use, past the proxy. */
  get databaseUrl(): string {
    return databaseUrl(this.primary);
  }

  /** Kills the primary; the standby, which has every commit that was answered, takes its place. */
  async failOver(): Promise<void> {
    await this.primary.kill();
    await this.standby.promote();
    this.primary = this.standby;
    this.postgresProxy.redirect(this.databaseUrl);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await endAll(this.parts);
  }
}

function databaseUrl({ url }: PostgresTestServer): string {
  return Object.assign(new URL(url), { pathname: `/${DATABASE}` }).href;
}

/** One after the other: gateways before their stores, the standby before its primary. */
async function endAll(parts: readonly AsyncDisposable[]): Promise<void> {
  for (const part of parts) await part[Symbol.asyncDispose]();
}
