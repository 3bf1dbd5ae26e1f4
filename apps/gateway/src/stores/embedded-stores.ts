import { join } from 'node:path';
import { startPostgres, startRedis } from '@solegate/local-services';
import type { GatewayConfig } from '../config.js';
import type { StoreUrls } from './stores.js';

/** Where the stores are, and which of them this process runs itself. */
export interface EmbeddedStores extends StoreUrls {
  readonly embedded: readonly ('PostgreSQL' | 'Redis')[];
  /** The Redis is ours, so an empty one has forgotten nothing. */
  readonly trustEmptyRedis: boolean;
  stop(): Promise<void>;
}

/** Starts a PostgreSQL and a Redis of our own for each URL that the configuration does not give. */
export async function startEmbeddedStores(
  config: GatewayConfig,
  onProgress: (step: string) => void,
): Promise<EmbeddedStores> {
  const { databaseUrl, redisUrl, dataDirectory } = config;
  const [postgres, redis] = await Promise.allSettled([
    databaseUrl === undefined
      ? startPostgres({ dataDir: join(dataDirectory, 'postgres'), onProgress })
      : undefined,
    redisUrl === undefined
      ? startRedis({ dataDir: join(dataDirectory, 'redis'), persistence: 'aof', onProgress })
      : undefined,
  ]);
  const stop = async (): Promise<void> => {
    const started = [postgres, redis].flatMap((service) =>
      service.status === 'fulfilled' ? [service.value] : [],
    );
    await Promise.all(started.map(async (service) => service?.stop()));
  };
  const failure = [postgres, redis].find((service) => service.status === 'rejected');
  if (failure !== undefined) {
    await stop();
    throw failure.reason;
  }
  const ownPostgres = postgres.status === 'fulfilled' ? postgres.value : undefined;
  const ownRedis = redis.status === 'fulfilled' ? redis.value : undefined;
  return {
    databaseUrl: databaseUrl ?? ownPostgres?.url ?? '',
    redisUrl: redisUrl ?? ownRedis?.url ?? '',
    embedded: [...(ownPostgres ? (['PostgreSQL'] as const) : []), ...(ownRedis ? (['Redis'] as const) : [])],
    trustEmptyRedis: ownRedis !== undefined,
    stop,
  };
}
