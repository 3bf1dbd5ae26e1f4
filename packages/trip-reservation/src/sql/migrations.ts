import { type Migration, type MigrationReport, migrate, type SqlPool } from '@solegate/postgres-infra';
import { tripsText } from './0001-trips.js';
import { tripOutboxText } from './0002-trip-outbox.js';
import { tripAttemptsText } from './0003-trip-attempts.js';
import { retentionText } from './0004-retention.js';
import { nearestText } from './0005-nearest.js';
import { arrivalsText } from './0006-arrivals.js';

const hasRelation = (name: string) => `SELECT to_regclass('${name}') IS NOT NULL AS applied`;

/** Versions of the tables, in order. Each says how a database shows that it has it, however it was made. */
export const migrations: readonly Migration[] = [
  { name: '0001-trips', sql: tripsText, isApplied: hasRelation('driver_active') },
  { name: '0002-trip-outbox', sql: tripOutboxText, isApplied: hasRelation('trip_outbox') },
  { name: '0003-trip-attempts', sql: tripAttemptsText, isApplied: hasRelation('trip_attempts') },
  { name: '0004-retention', sql: retentionText, isApplied: hasRelation('trip_outbox_ended') },
  { name: '0005-nearest', sql: nearestText, isApplied: hasRelation('trip_nearest') },
  { name: '0006-arrivals', sql: arrivalsText, isApplied: hasRelation('trips_scheduled') },
];

/** Which schema is migrated, and how long it may take. */
export interface MigrateTripsOptions {
  /** Made if it is missing. Default: the first of the connection's search path. */
  readonly schema?: string;
  /** Reports what would be run, and runs nothing. Default: false. */
  readonly isDryRun?: boolean;
  /** For everything together, waiting for other starters included, in milliseconds. Default: 10 minutes. */
  readonly timeoutMs?: number;
}

/**
 * Brings the tables to the newest version. Run it at every start: any number of processes may at once, and what is there
 * already, also by way of TypeORM or by running the texts, is left as it is.
 *
 * @throws DistributedSchemaError, MigrationChangedError, SchemaTooNewError, PostgresFailure; nothing was changed then
 */
export function migrateTrips(database: SqlPool, options: MigrateTripsOptions = {}): Promise<MigrationReport> {
  return migrate(database, { ...options, package: 'trip-reservation', migrations });
}
