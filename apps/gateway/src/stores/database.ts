import type { Pool } from 'pg';
import type { Logger } from 'pino';
import type { DataSource } from 'typeorm';
import type { GatewayConfig } from '../config.js';
import { createDataSource, poolOf } from './data-source.js';
import { DatabaseUnreachableError } from './database-unreachable.js';
import { checkSchema, migrate } from './schema.js';

export interface StoreUrls {
  readonly databaseUrl: string;
  readonly redisUrl: string;
}

/** An open PostgreSQL database with this program's tables. */
export interface Database {
  readonly dataSource: DataSource;
  readonly pool: Pool;
  close(): Promise<void>;
}

export interface OpenDatabaseOptions {
  readonly config: GatewayConfig;
  /** TypeORM entities, in addition to those of the packages. */
  readonly entities: readonly NewableFunction[];
  readonly logger: Logger;
  /** Runs missing migrations first; if false, a schema that lacks them is rejected. */
  readonly migrates: boolean;
}

/** Opens a database. @throws DatabaseUnreachableError, SchemaMismatchError; nothing is left open */
export async function openDatabase(
  url: string,
  { config, entities, logger, migrates }: OpenDatabaseOptions,
): Promise<Database> {
  let isClosing = false;
  const dataSource = createDataSource({
    url,
    entities,
    poolMax: config.databasePoolMax,
    statementTimeoutMs: config.statementTimeoutMs,
    onPoolError: (error) => {
      if (!isClosing) logger.warn({ err: error }, 'a database connection broke and will be replaced');
    },
  });
  await dataSource.initialize().catch((cause: unknown) => {
    throw new DatabaseUnreachableError(url, cause);
  });
  const close = async (): Promise<void> => {
    isClosing = true;
    await dataSource.destroy();
  };
  try {
    const { unknown } = await (migrates ? migrate(dataSource) : checkSchema(dataSource));
    if (unknown.length > 0) {
      logger.warn({ migrations: unknown }, 'the database was migrated by a newer gateway; upgrade this one');
    }
    return { dataSource, pool: poolOf(dataSource), close };
  } catch (error) {
    await close();
    throw error;
  }
}
