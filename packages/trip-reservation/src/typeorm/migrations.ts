import { type MigrationClass, migrationClasses } from '@solegate/postgres-infra/typeorm';
import { lockOrder, migrations } from '../sql/migrations.js';

/** Migration classes, one per version, for `migrations` of a DataSource. */
export const tripMigrations: readonly MigrationClass[] = migrationClasses(migrations, {
  prefix: 'Trips',
  firstTimestamp: 1_700_000_002_000,
  holds: 'holds reservations',
  lockOrder,
});
