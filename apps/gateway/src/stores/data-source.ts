import {
  CounterEntity,
  EventEntity,
  FormatEntity,
  NumberEntity,
  numberingMigrations,
  SeriesEntity,
} from '@solegate/doc-numbering/typeorm';
import { migrationClasses } from '@solegate/postgres-infra/typeorm';
import {
  DriverActiveEntity,
  TripAttemptEntity,
  TripEntity,
  TripOutboxEntity,
  tripMigrations,
} from '@solegate/trip-reservation/typeorm';
import { nodeLeaseMigrations, nodeLeaseTables } from '@solegate/tsid-core/node-lease/postgres';
import { Pool } from 'pg';
import { DataSource } from 'typeorm';
import { PostgresDriver } from 'typeorm/driver/postgres/PostgresDriver.js';
import { MasterData1700000000001, ProjectCell1700000000002 } from './master-data-migration.js';

export interface DataSourceOptions {
  /** The gateway's own entities, in addition to those of the packages. */
  readonly entities: readonly NewableFunction[];
  readonly url: string;
  readonly poolMax: number;
  readonly statementTimeoutMs: number;
  /** Default: 80% of the statement timeout. */
  readonly lockTimeoutMs?: number;
  /** Called when an idle connection breaks; the pool replaces it. */
  readonly onPoolError: (error: Error) => void;
}

const NUMBERING_ENTITIES = [SeriesEntity, FormatEntity, CounterEntity, NumberEntity, EventEntity];
const NODE_LEASES = {
  prefix: 'NodeLeases',
  firstTimestamp: 1_700_000_000_100,
  holds: 'holds node leases',
  lockOrder: nodeLeaseTables,
};
const TRIP_ENTITIES = [TripEntity, DriverActiveEntity, TripOutboxEntity, TripAttemptEntity];

/** Share of the statement timeout after which a wait for a lock fails, so that it fails before the statement does. */
const LOCK_SHARE = 0.8;
const CONNECT_TIMEOUT_MS = 3_000;

/** Creates the data source: one pool for the entities, migrations and statements of the packages and the gateway. */
export function createDataSource(options: DataSourceOptions): DataSource {
  return new DataSource({
    type: 'postgres',
    url: options.url,
    applicationName: 'solegate',
    entities: [...options.entities, ...NUMBERING_ENTITIES, ...TRIP_ENTITIES],
    migrations: [
      MasterData1700000000001,
      ProjectCell1700000000002,
      ...migrationClasses(nodeLeaseMigrations, NODE_LEASES),
      ...numberingMigrations,
      ...tripMigrations,
    ],
    migrationsTableName: 'schema_migrations',
    connectTimeoutMS: CONNECT_TIMEOUT_MS,
    poolErrorHandler: options.onPoolError,
    extra: {
      max: options.poolMax,
      statement_timeout: options.statementTimeoutMs,
      lock_timeout: options.lockTimeoutMs ?? Math.round(options.statementTimeoutMs * LOCK_SHARE),
      idle_in_transaction_session_timeout: options.statementTimeoutMs * 2,
      query_timeout: options.statementTimeoutMs + 1_000,
      keepAlive: true,
    },
  });
}

/** Returns TypeORM's underlying pool, for statements that decide a race. */
export function poolOf(dataSource: DataSource): Pool {
  if (!(dataSource.driver instanceof PostgresDriver))
    throw new TypeError('the data source is not PostgreSQL');
  return dataSource.driver.master;
}

/** Opens a pool of one connection to the same server, for work that must not wait behind requests. */
export function ownConnection(pool: Pool, onError: (error: Error) => void): Pool {
  // With the password, which is not enumerable.
  const own = new Pool({
    ...Object.defineProperties({}, Object.getOwnPropertyDescriptors(pool.options)),
    max: 1,
  });
  return own.on('error', onError);
}
