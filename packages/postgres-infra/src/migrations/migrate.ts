import { createHash } from 'node:crypto';
import { BoundedDatabase } from '../bounded-database.js';
import { Deadline, pauseUntil } from '../deadline.js';
import { PostgresFailure } from '../postgres-failure.js';
import { quoteIdentifier } from '../quoting.js';
import { poolOf, type SqlDatabase } from '../sessions/session-of.js';
import type { SqlSession } from '../sql-session.js';
import { bareText } from './bare-text.js';
import { refuseDistributedSchema } from './distributed-schema.js';
import { lockTables } from './lock-tables.js';
import { MigrationChangedError, SchemaTooNewError } from './migration-error.js';

/*
 * Migrations of one package: numbered SQL texts, each run once.
 *
 * The table solegate_migrations of the schema is authoritative. A version is applied if its row exists; text and row
 * are committed together. An advisory lock serializes processes that start together; later ones find everything done.
 *
 * A database whose tables were created without that table (by TypeORM, or by running the texts) is taken over: a
 * version whose `isApplied` query returns true is recorded without being run.
 *
 * Old and new programs share one database while a release is rolled out or back, so a version only adds what old
 * programs tolerate (expand). A version that removes something (contract) names in `compatibleFrom` the oldest program
 * that still works: a program is as new as the newest version that it includes. Constraints on existing rows are added
 * NOT VALID and validated by a separate statement, so that no table is locked while it is scanned.
 *
 * Tables in use are locked first, in the order in which programs lock them, and each attempt waits for a moment only
 * (lock-tables.ts): a migration that cannot have them gives up, lets the programs continue, and tries again.
 */

/** One version of a package's schema. */
export interface Migration {
  /** Such as `0001-tables`; versions run in the order of their names. */
  readonly name: string;
  /** One or more statements; table names are not qualified. After its release, only comments and white space may change. */
  readonly sql: string;
  /** Returns one row with a boolean `applied`: whether the schema on the search path has what this version creates. */
  readonly isApplied?: string;
  /** The oldest version that a program must include to work after this one. Default: any program. */
  readonly compatibleFrom?: string;
}

/** Options of {@link migrate}. */
export interface MigrateOptions {
  /** Owner of the versions, such as `doc-numbering`; each package has its own sequence. */
  readonly package: string;
  readonly migrations: readonly Migration[];
  /** Created if missing. Default: the first schema on the connection's search path. */
  readonly schema?: string;
  /** Tables that running programs use, in the order in which they lock them; those that exist are locked first. */
  readonly lockOrder?: readonly string[];
  /** Reports what would run, without changing anything. Default: false. */
  readonly isDryRun?: boolean;
  /** Time limit in milliseconds, including the wait for other processes. Default: 10 minutes. */
  readonly timeoutMs?: number;
}

/** Names of versions, in order. */
export interface MigrationReport {
  readonly applied: readonly string[];
  /** Found in a database that had no record of versions. */
  readonly takenOver: readonly string[];
}

const TIMEOUT_MS = 600_000;
/** Between two attempts at locked tables: longer than an attempt, so that programs make up for it. */
const PAUSE_MS = 1000;
/** "solegate" in ASCII. The lock is released with its transaction, so it works through a pooler. */
const LOCK = '8317134930886978661';

const TABLE = `
CREATE TABLE IF NOT EXISTS solegate_migrations (
  package text NOT NULL,
  name text NOT NULL,
  checksum text NOT NULL,
  compatible_from text NOT NULL,
  applied_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (package, name)
)`;
const HAS_TABLE = `SELECT to_regclass('solegate_migrations') IS NOT NULL AS applied`;
const READ =
  'SELECT name, checksum, compatible_from FROM solegate_migrations WHERE package = $1 ORDER BY name';
const RECORD = `
INSERT INTO solegate_migrations (package, name, checksum, compatible_from) VALUES ($1, $2, $3, $4)`;

interface VersionRow {
  readonly name: string;
  readonly checksum: string;
  readonly compatible_from: string;
}

/**
 * Migrates the schema to the newest version in one transaction: all missing versions are applied, or none.
 *
 * @throws TypeError for anything but a database; DistributedSchemaError, MigrationChangedError, SchemaTooNewError before
 *   anything is changed; PostgresFailure
 */
export async function migrate(source: SqlDatabase, options: MigrateOptions): Promise<MigrationReport> {
  const pool = poolOf(source);
  const deadline = Deadline.after(options.timeoutMs ?? TIMEOUT_MS);
  const database = new BoundedDatabase({ pool, connectionMax: 1 });
  for (;;) {
    try {
      return await migrateOnce(database, deadline, options);
    } catch (error) {
      const isLocked =
        error instanceof PostgresFailure && (error.kind === 'BUSY' || error.sqlState === '40P01');
      if (!isLocked || deadline.leftMs <= PAUSE_MS) throw error;
      await pauseUntil(PAUSE_MS * (1 + Math.random()), deadline);
    }
  }
}

async function migrateOnce(
  database: BoundedDatabase,
  deadline: Deadline,
  { migrations, isDryRun = false, lockOrder = [], ...options }: MigrateOptions,
): Promise<MigrationReport> {
  return database.transaction(
    deadline,
    async (session) => {
      await run(session, `SELECT pg_advisory_xact_lock(${LOCK})`);
      await useSchema(session, options.schema);
      await refuseDistributedSchema(session);
      // A role that may not create it can still find that there is nothing to do.
      if (!(await isTrue(session, HAS_TABLE))) await run(session, TABLE);
      const rows = (await session.query({ text: READ, values: [options.package] })).rows as VersionRow[];
      assertCompatible(rows, { ...options, migrations });
      const report = { applied: [] as string[], takenOver: [] as string[] };
      const recorded = new Set(rows.map(({ name }) => name));
      const missing = migrations.filter(({ name }) => !recorded.has(name));
      if (missing.length > 0) await lockTables(session, lockOrder);
      for (const migration of missing) {
        const isThere = await wasApplied(session, migration);
        if (!isThere) await run(session, migration.sql);
        await record(session, options.package, migration);
        report[isThere ? 'takenOver' : 'applied'].push(migration.name);
      }
      return report;
    },
    { keeps: () => !isDryRun },
  );
}

/**
 * Checks that this program can use the schema as it is; for programs that do not migrate themselves.
 *
 * @throws SchemaTooNewError; PostgresFailure
 */
export async function checkSchema(session: SqlSession, options: MigrateOptions): Promise<void> {
  if (!(await isTrue(session, HAS_TABLE))) return;
  const { rows } = await session.query({ text: READ, values: [options.package] });
  assertCompatible(rows as VersionRow[], options);
}

function assertCompatible(rows: readonly VersionRow[], { package: name, migrations }: MigrateOptions): void {
  const known = new Map(migrations.map((migration) => [migration.name, migration]));
  const newest = migrations.at(-1)?.name ?? '';
  for (const row of rows) {
    const migration = known.get(row.name);
    if (migration && checksumOf(migration) !== row.checksum) throw new MigrationChangedError(name, row.name);
    if (!migration && row.compatible_from > newest) {
      throw new SchemaTooNewError(name, { version: row.name, needed: row.compatible_from, newest });
    }
  }
}

async function useSchema(session: SqlSession, schema: string | undefined): Promise<void> {
  if (schema === undefined) return;
  const quoted = quoteIdentifier(schema);
  const { rows } = await session.query({
    text: 'SELECT to_regnamespace($1) IS NOT NULL AS exists',
    values: [quoted],
  });
  if (!(rows[0] as { exists: boolean }).exists) await run(session, `CREATE SCHEMA IF NOT EXISTS ${quoted}`);
  await run(session, `SET LOCAL search_path TO ${quoted}`);
}

async function wasApplied(session: SqlSession, { isApplied }: Migration): Promise<boolean> {
  return isApplied !== undefined && (await isTrue(session, isApplied));
}

async function isTrue(session: SqlSession, text: string): Promise<boolean> {
  const { rows } = await session.query({ text, values: [] });
  return (rows[0] as { applied?: boolean } | undefined)?.applied === true;
}

async function record(session: SqlSession, name: string, migration: Migration): Promise<void> {
  const { compatibleFrom = '' } = migration;
  await session.query({
    text: RECORD,
    values: [name, migration.name, checksumOf(migration), compatibleFrom],
  });
}

const run = (session: SqlSession, text: string) => session.query({ text, values: [] });

function checksumOf({ sql }: Migration): string {
  return createHash('sha256').update(bareText(sql)).digest('hex');
}
