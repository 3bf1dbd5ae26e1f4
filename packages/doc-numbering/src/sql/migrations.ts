import {
  type MigrateOptions,
  type Migration,
  type MigrationReport,
  migrate,
  type SqlPool,
} from '@solegate/postgres-infra';
import { tablesText } from './0001-tables.js';
import { guardsText } from './0002-guards.js';
import { correctionsText } from './0003-corrections.js';

/** Tables, constraints and triggers: for other tools, to be run once each, in this order, each in a transaction. */
export const migrations: readonly Migration[] = [
  {
    name: '0001-tables',
    sql: tablesText,
    isApplied: `SELECT to_regclass('document_numbers') IS NOT NULL AS applied`,
  },
  {
    name: '0002-guards',
    sql: guardsText,
    isApplied: `SELECT to_regprocedure('document_number_count_inserted()') IS NOT NULL AS applied`,
  },
  {
    name: '0003-corrections',
    sql: correctionsText,
    isApplied: `
SELECT EXISTS (SELECT FROM pg_attribute
  WHERE attrelid = to_regclass('document_number_formats') AND attname = 'withdrawn_at') AS applied`,
  },
];

/**
 * Brings the tables to the newest version. Safe to call at every start, from many processes at once: one works, the others
 * wait and find everything done. A database that TypeORM migrated, or somebody by hand, is taken over.
 *
 * @throws MigrationChangedError, SchemaTooNewError before anything is changed; PostgresFailure
 */
export function migrateNumbering(
  pool: SqlPool,
  options: Pick<MigrateOptions, 'schema' | 'isDryRun' | 'timeoutMs'> = {},
): Promise<MigrationReport> {
  return migrate(pool, { ...options, package: 'doc-numbering', migrations });
}
