import { type Migration, type MigrationReport, migrate, type SqlDatabase } from '@solegate/postgres-infra';
import { tripsText } from './migrations/0001-trips.js';
import { tripOutboxText } from './migrations/0002-trip-outbox.js';
import { tripNearestText } from './migrations/0003-trip-nearest.js';
import { tripAttemptsText } from './migrations/0004-trip-attempts.js';

const hasRelation = (name: string) => `SELECT to_regclass('${name}') IS NOT NULL AS applied`;

/** The migrations, in order. `isApplied` detects each one in a database, however it was applied. */
export const migrations: readonly Migration[] = [
  { name: '0001-trips', sql: tripsText, isApplied: hasRelation('trip_namespace') },
  { name: '0002-trip-outbox', sql: tripOutboxText, isApplied: hasRelation('trip_outbox') },
  { name: '0003-trip-nearest', sql: tripNearestText, isApplied: hasRelation('trip_nearest') },
  { name: '0004-trip-attempts', sql: tripAttemptsText, isApplied: hasRelation('trip_attempts') },
];

/** All tables that running programs use, in the order in which accepts and feeds lock them. */
export const lockOrder = [
  'driver_active',
  'trips',
  'trip_feed',
  'trip_outbox',
  'trip_nearest',
  'trip_attempts',
] as const;

/** Options of `migrateTrips`. */
export interface MigrateTripsOptions {
  /** The schema to migrate; created if missing. Default: the first of the connection's search path. */
  readonly schema?: string;
  /** Reports what would run without running it. Default: false. */
  readonly isDryRun?: boolean;
  /** Limit for the whole migration, including the wait for other processes, in milliseconds. Default: 10 minutes. */
  readonly timeoutMs?: number;
}

/**
 * Migrates the tables to the newest version. Call it at every start, from any number of processes concurrently. What
 * exists already, even if created by TypeORM or from the texts, is left as it is.
 *
 * @throws DistributedSchemaError, MigrationChangedError, SchemaTooNewError, PostgresFailure; nothing is changed then
 */
export function migrateTrips(
  database: SqlDatabase,
  options: MigrateTripsOptions = {},
): Promise<MigrationReport> {
  return migrate(database, { ...options, package: 'trip-reservation', migrations, lockOrder });
}
