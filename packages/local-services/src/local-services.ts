import { join } from 'node:path';
import { type PostgresServer, startPostgres } from './servers/postgres-server.js';
import { type RedisServer, startRedis } from './servers/redis-server.js';

export interface StartLocalServicesOptions {
  /** Servers that are started keep their data below it, in `postgres` and `redis`. */
  readonly directory: string;
  /** URL of a running PostgreSQL. Default: one is started. */
  readonly databaseUrl?: string | undefined;
  /** URL of a running Redis. Default: one is started. */
  readonly redisUrl?: string | undefined;
  /** Called before each slow step with a short description of it. */
  readonly onProgress?: (step: string) => void;
}

export interface LocalServices {
  readonly databaseUrl: string;
  readonly redisUrl: string;
  /** The PostgreSQL that was started; undefined when its URL was given. */
  readonly postgres: PostgresServer | undefined;
  /** The Redis that was started; undefined when its URL was given. */
  readonly redis: RedisServer | undefined;
  /** Gracefully stops the servers that were started. Can be called twice. */
  stop(): Promise<void>;
}

/**
 * Provides the two stores of a Solegate. Those without a URL are started on this machine, with data that survives
 * crashes. If either cannot be started, the other is stopped before the error is thrown.
 */
export async function startLocalServices(options: StartLocalServicesOptions): Promise<LocalServices> {
  const { directory, databaseUrl, redisUrl } = options;
  const progress = options.onProgress === undefined ? {} : { onProgress: options.onProgress };
  const [postgres, redis] = await Promise.allSettled([
    databaseUrl === undefined
      ? startPostgres({ dataDir: join(directory, 'postgres'), ...progress })
      : undefined,
    redisUrl === undefined
      ? startRedis({ dataDir: join(directory, 'redis'), persistence: 'aof', ...progress })
      : undefined,
  ]);
  const started = {
    postgres: postgres.status === 'fulfilled' ? postgres.value : undefined,
    redis: redis.status === 'fulfilled' ? redis.value : undefined,
  };
  const stop = async (): Promise<void> => {
    await Promise.all([started.postgres?.stop(), started.redis?.stop()]);
  };
  for (const outcome of [postgres, redis]) {
    if (outcome.status === 'fulfilled') continue;
    await stop();
    throw outcome.reason;
  }
  return {
    databaseUrl: databaseUrl ?? started.postgres?.url ?? '',
    redisUrl: redisUrl ?? started.redis?.url ?? '',
    ...started,
    stop,
  };
}
