import { join } from 'node:path';
import { type PostgresServer, startPostgres } from './postgres-server.js';
import { type RedisServer, startRedis } from './redis-server.js';

export interface StartLocalServicesOptions {
  /** Both keep their data below it, in `postgres` and `redis`. */
  readonly directory: string;
  /** Told what is being done, in a few words, before each slow step. */
  readonly onProgress?: (step: string) => void;
}

export interface LocalServices {
  readonly postgres: PostgresServer;
  readonly redis: RedisServer;
  /** Ends both in good order. May be called twice. */
  stop(): Promise<void>;
}

/**
 * The two stores of a Solegate on one machine, both with data that survives crashes. If either cannot be
 * started, the other is stopped again before the error is thrown.
 */
export async function startLocalServices(options: StartLocalServicesOptions): Promise<LocalServices> {
  const progress = options.onProgress === undefined ? {} : { onProgress: options.onProgress };
  const starting = [
    startPostgres({ dataDir: join(options.directory, 'postgres'), ...progress }),
    startRedis({ dataDir: join(options.directory, 'redis'), persistence: 'aof', ...progress }),
  ] as const;
  try {
    const [postgres, redis] = await Promise.all(starting);
    return {
      postgres,
      redis,
      async stop() {
        await Promise.all([postgres.stop(), redis.stop()]);
      },
    };
  } catch (error) {
    const outcomes = await Promise.allSettled(starting);
    for (const outcome of outcomes) if (outcome.status === 'fulfilled') await outcome.value.stop();
    throw error;
  }
}
