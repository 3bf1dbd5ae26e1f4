import { type MigrationClass, migrationClasses } from '@solegate/postgres-infra/typeorm';
import { tableNames } from '../sql/0002-guards.js';
import { migrations } from '../sql/migrations.js';

/** For `migrations` of a DataSource: one class for each version. */
export const numberingMigrations: readonly MigrationClass[] = migrationClasses(migrations, {
  prefix: 'Numbering',
  firstTimestamp: 1_700_000_001_000,
  lockOrder: tableNames,
  holds: 'holds the ledger of issued numbers',
});
