import type { Pool } from 'pg';
import type { Logger } from 'pino';
import type { DataSource } from 'typeorm';
import type { GatewayConfig } from '../config.js';
import { createDataSource, poolOf } from './data-source.js';
import { DatabaseUnreachableError } from './database-unreachable.js';
import { closeRedisConnections, openRedisConnections, type RedisConnections } from './redis-connections.js';
import { checkSchema, migrate } from './schema.js';

export interface StoreUrls {
  readonly databaseUrl: string;
  readonly redisUrl: string;
}

/** Both stores, connected, with the tables of this program. */
export interface Stores {
  readonly dataSource: DataSource;
  readonly pool: Pool;
  readonly redis: RedisConnections;
  close(): Promise<void>;
}

export interface OpenStoresOptions {
  readonly config: GatewayConfig;
  /** Classes that TypeORM reads, beside those of the packages. */
  readonly entities: readonly NewableFunction[];
  readonly logger: Logger;
  /** Runs missing migrations first; else a schema of another version is refused. */
  readonly migrates: boolean;
}

/** @throws what the first store said that could not be used; nothing is left open then */
export async function openStores(
  urls: StoreUrls,
  { config, entities, logger, migrates }: OpenStoresOptions,
): Promise<Stores> {
  let isClosing = false;
  const dataSource = createDataSource({
    url: urls.databaseUrl,
    entities,
    poolMax: config.databasePoolMax,
    statementTimeoutMs: config.statementTimeoutMs,
    onPoolError: (error) => {
      if (!isClosing) logger.warn({ err: error }, 'a database connection broke and is replaced');
    },
  });
  await dataSource.initialize().catch((cause: unknown) => {
    throw new DatabaseUnreachableError(urls.databaseUrl, cause);
  });
  try {
    const { unknown } = await (migrates ? migrate(dataSource) : checkSchema(dataSource));
    if (unknown.length > 0) {
      logger.warn({ migrations: unknown }, 'the database was migrated by a newer gateway; upgrade this one');
    }
    const redis = await openRedisConnections(urls.redisUrl, config.developmentNode);
    return {
      dataSource,
      pool: poolOf(dataSource),
      redis,
      async close() {
        isClosing = true;
        closeRedisConnections(redis);
        await dataSource.destroy();
      },
    };
  } catch (error) {
    await dataSource.destroy();
    throw error;
  }
}
