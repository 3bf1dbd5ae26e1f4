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

const archiveText = `-- When the counter's rows went to the archive. It draws no more.
ALTER TABLE document_number_counters
  DROP CONSTRAINT document_number_counters_range_check,
  ADD COLUMN archived_at timestamptz;

-- The guard of counters as a function: PostgreSQL reads the trees of a WHEN clause and of a CHECK anew for each statement,
-- which cost a sixth of a draw. Beside its ledger rows only the archive changes a counter, once and nothing else of it.
CREATE OR REPLACE FUNCTION document_number_refuse_counter_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF pg_trigger_depth() > 1 THEN
    IF NEW.last_number > OLD.last_number AND NEW.version > OLD.version AND NEW.last_number <= 9007199254740991
      AND OLD.archived_at IS NULL AND NEW.archived_at IS NULL THEN
      RETURN NEW;
    END IF;
  ELSIF OLD.archived_at IS NULL AND to_jsonb(NEW) - 'archived_at' = to_jsonb(OLD) - 'archived_at' THEN
    RETURN NEW;
  END IF;
  RAISE EXCEPTION 'counter % is raised by its ledger rows alone: last_number % to %, version % to % refused',
    OLD.id, OLD.last_number, NEW.last_number, OLD.version, NEW.version
    USING ERRCODE = 'integrity_constraint_violation', CONSTRAINT = 'document_number_counters_only_rise';
END $$;

DROP TRIGGER document_number_counters_only_rise ON document_number_counters;

CREATE TRIGGER document_number_counters_only_rise
  BEFORE UPDATE ON document_number_counters
  FOR EACH ROW EXECUTE FUNCTION document_number_refuse_counter_change();

DROP TRIGGER document_number_counters_begin_empty ON document_number_counters;

CREATE TRIGGER document_number_counters_begin_empty
  BEFORE INSERT ON document_number_counters
  FOR EACH ROW
  WHEN (NEW.last_number <> NEW.first_number - 1 OR NEW.version <> 0 OR NEW.first_number NOT BETWEEN 1 AND 9007199254740991
    OR NEW.archived_at IS NOT NULL)
  EXECUTE FUNCTION document_number_refuse_used_counter();

-- The ledger's rows of counters that draw no more, and both together.
CREATE TABLE document_numbers_archive (
  LIKE document_numbers INCLUDING DEFAULTS,
  CONSTRAINT document_numbers_archive_pkey PRIMARY KEY (counter_id, sequence)
);

CREATE UNIQUE INDEX document_numbers_archive_number_key ON document_numbers_archive (space, number);

CREATE UNIQUE INDEX document_numbers_archive_key_key ON document_numbers_archive (space, idempotency_key, key_part)
  WHERE idempotency_key IS NOT NULL;

CREATE UNIQUE INDEX document_numbers_archive_id_key ON document_numbers_archive (id) WHERE id IS NOT NULL;

CREATE VIEW document_numbers_all AS
  SELECT * FROM document_numbers UNION ALL SELECT * FROM document_numbers_archive;

CREATE TRIGGER document_numbers_archive_kept
  BEFORE UPDATE OR DELETE OR TRUNCATE ON document_numbers_archive
  FOR EACH STATEMENT EXECUTE FUNCTION document_number_refuse_removal();

CREATE TRIGGER document_numbers_archive_filled
  BEFORE INSERT ON document_numbers_archive
  FOR EACH STATEMENT WHEN (pg_trigger_depth() = 0) EXECUTE FUNCTION document_number_refuse_removal();

DROP TRIGGER document_numbers_append_only ON document_numbers;

CREATE TRIGGER document_numbers_append_only
  BEFORE DELETE ON document_numbers
  FOR EACH STATEMENT WHEN (pg_trigger_depth() = 0) EXECUTE FUNCTION document_number_refuse_removal();

CREATE TRIGGER document_numbers_never_emptied
  BEFORE TRUNCATE ON document_numbers
  FOR EACH STATEMENT EXECUTE FUNCTION document_number_refuse_removal();

-- Whoever may mark a counter as archived needs no privilege to remove ledger rows: this moves them, all or none.
CREATE FUNCTION document_number_archive_counter() RETURNS trigger LANGUAGE plpgsql
SECURITY DEFINER SET search_path FROM CURRENT AS $$
DECLARE
  moved_count bigint;
BEGIN
  INSERT INTO document_numbers_archive SELECT * FROM document_numbers WHERE counter_id = NEW.id;
  SELECT count(*) INTO moved_count FROM document_numbers
  WHERE counter_id = NEW.id AND status <> 'reserved' AND sequence BETWEEN NEW.first_number AND NEW.last_number;
  IF moved_count <> NEW.last_number - NEW.first_number + 1 THEN
    RAISE EXCEPTION 'counter % has a hole or a reservation: % of its numbers are final', NEW.id, moved_count
      USING ERRCODE = 'integrity_constraint_violation', CONSTRAINT = 'document_number_counters_complete';
  END IF;
  DELETE FROM document_numbers WHERE counter_id = NEW.id;
  RETURN NULL;
END $$;

CREATE TRIGGER document_number_counters_archived
  AFTER UPDATE OF archived_at ON document_number_counters
  FOR EACH ROW EXECUTE FUNCTION document_number_archive_counter();

-- What series of a number space begin with that are given no format of their own.
CREATE TABLE document_number_spaces (
  space text COLLATE "C" PRIMARY KEY,
  template text NOT NULL,
  overflow text NOT NULL CHECK (overflow IN ('error', 'widen'))
);
`;

/** Tables, constraints and triggers. Other tools must run each once, in this order, each in its own transaction. */
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
  {
    name: '0005-archive',
    sql: archiveText,
    isApplied: `SELECT to_regclass('document_number_spaces') IS NOT NULL AS applied`,
  },
];

/**
 * Updates the tables to the newest version. Safe to call at every start, from many processes at once: one does the
 * work, the others wait and find it done. A database migrated by TypeORM or by hand is taken over.
 *
 * @throws DistributedSchemaError, MigrationChangedError, SchemaTooNewError before anything is changed; PostgresFailure
 */
export function migrateNumbering(
  pool: SqlPool,
  options: Pick<MigrateOptions, 'schema' | 'isDryRun' | 'timeoutMs'> = {},
): Promise<MigrationReport> {
  return migrate(pool, { ...options, package: 'doc-numbering', migrations });
}
