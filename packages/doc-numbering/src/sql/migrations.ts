import {
  type MigrateOptions,
  type Migration,
  type MigrationReport,
  migrate,
  type SqlPool,
} from '@solegate/postgres-infra';
import { tablesText } from './0001-tables.js';
import { guardsText } from './0002-guards.js';

const correctionsText = `-- A format by which nothing was printed may be withdrawn: that is all that ever changes of a version.
ALTER TABLE document_number_formats ADD COLUMN withdrawn_at timestamptz;

DROP TRIGGER document_number_formats_append_only ON document_number_formats;

CREATE TRIGGER document_number_formats_append_only
  BEFORE DELETE OR TRUNCATE ON document_number_formats
  FOR EACH STATEMENT EXECUTE FUNCTION document_number_refuse_removal();

CREATE TRIGGER document_number_formats_kept
  BEFORE UPDATE ON document_number_formats
  FOR EACH ROW
  WHEN (
    OLD.withdrawn_at IS NOT NULL
    OR (OLD.id, OLD.series_id, OLD.version, OLD.template, OLD.overflow, OLD.valid_from, OLD.created_by, OLD.created_at)
      IS DISTINCT FROM
    (NEW.id, NEW.series_id, NEW.version, NEW.template, NEW.overflow, NEW.valid_from, NEW.created_by, NEW.created_at)
  )
  EXECUTE FUNCTION document_number_refuse_removal();

-- The last number of each counter of a series, and why nobody may draw from it.
ALTER TABLE document_number_series ADD COLUMN end_at bigint, ADD COLUMN blocked text;

ALTER TABLE document_number_series
  ADD CONSTRAINT document_number_series_end_check CHECK (end_at >= start_at) NOT VALID;

ALTER TABLE document_number_series VALIDATE CONSTRAINT document_number_series_end_check;
`;

const periodsText = `-- Counters may also begin again by quarter and by ISO week.
ALTER TABLE document_number_series
  DROP CONSTRAINT document_number_series_reset_check,
  ADD CONSTRAINT document_number_series_reset_check
    CHECK (reset IN ('never', 'year', 'fiscal_year', 'quarter', 'month', 'week', 'day')) NOT VALID;

ALTER TABLE document_number_series VALIDATE CONSTRAINT document_number_series_reset_check;

-- What an authority has named the series, or its authorised range: printed by {AUTHORITY}.
ALTER TABLE document_number_series ADD COLUMN authority_code text;
`;

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
  {
    name: '0004-periods',
    sql: periodsText,
    isApplied: `
SELECT EXISTS (SELECT FROM pg_attribute
  WHERE attrelid = to_regclass('document_number_series') AND attname = 'authority_code') AS applied`,
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
