import { join } from 'node:path';
import { type PostgresServer, startPostgres } from './postgres-server.js';
import { type RedisServer, startRedis } from './redis-server.js';

export interface StartLocalServicesOptions {
  /** What is started keeps its data below it, in `postgres` and `redis`. */
  readonly directory: string;
  /** A PostgreSQL that runs already. Default: one is started. */
  readonly databaseUrl?: string | undefined;
  /** A Redis that runs already. Default: one is started. */
  readonly redisUrl?: string | undefined;
  /** Hears what is being done, in a few words, before each slow step. */
  readonly onProgress?: (step: string) => void;
}

export interface LocalServices {
  readonly databaseUrl: string;
  readonly redisUrl: string;
  /** The PostgreSQL that was started; undefined when its URL was given. */
  readonly postgres: PostgresServer | undefined;
  /** The Redis that was started; undefined when its URL was given. */
  readonly redis: RedisServer | undefined;
  /** Ends what was started, in good order. May be called twice. */
  stop(): Promise<void>;
}

/**
 * The two stores of a Solegate: those whose URL is not given are started on this machine, with data that survives
 * crashes. If either cannot be started, the other is stopped again before the error is thrown.
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
