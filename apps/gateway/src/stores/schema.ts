import type { DataSource, EntityManager } from 'typeorm';
import { runtimeGrants } from './runtime-grants.js';

/*
 * The tables are those of this program or nobody uses them: an older schema lacks what its statements name, a newer one
 * may mean something else. Who may change tables (`migrate`) need not be who serves (`checkSchema`).
 */

/** Migrations of several gateways that start at once take turns under this key: "solegate" in ASCII. */
const MIGRATION_LOCK = 0x736f6c6567617465n;

/** The tables are not those of this gateway; the message says what to do. Nothing was changed. */
class SchemaMismatchError extends Error {
  readonly code = 'SCHEMA_MISMATCH';
  override readonly name = 'SchemaMismatchError';
  readonly retryable = false;

  /**
   * @param missing migrations that this gateway needs and the database lacks
   * @param unknown migrations that the database has and this gateway does not know; both empty: it may not look
   */
  constructor(
    readonly missing: readonly string[],
    readonly unknown: readonly string[],
  ) {
    super(adviceFor(missing, unknown));
  }
}

function adviceFor(missing: readonly string[], unknown: readonly string[]): string {
  if (unknown.length > 0) {
    return `The database was migrated by a newer gateway (${unknown.join(', ')}). Start that version or a newer one.`;
  }
  if (missing.length === 0) {
    return 'This role may not read the tables. Give it its rights: node dist/main.js migrate --runtime-role NAME.';
  }
  return `The database lacks migrations of this gateway (${missing.join(', ')}). Run "node dist/main.js migrate" as a role that may change tables, then start again.`;
}

/**
 * Runs what is missing and resolves with its names. The lock belongs to a transaction and not to a session, so it works
 * through a pooler; whoever waits for it finds everything done.
 *
 * @param runtimeRole is given the rights of a gateway, and no more
 * @throws SchemaMismatchError for a schema that is newer than this program; PostgreSQL's own errors
 */
export async function migrate(dataSource: DataSource, runtimeRole?: string): Promise<readonly string[]> {
  return dataSource.transaction(async (manager) => {
    await manager.query(`SELECT set_config('lock_timeout', '0', true), set_config('statement_timeout', '0', true),
      set_config('idle_in_transaction_session_timeout', '0', true)`);
    await manager.query('SELECT pg_advisory_xact_lock($1)', [String(MIGRATION_LOCK)]);
    const { missing, unknown } = await compareSchema(dataSource, manager);
    if (unknown.length > 0) throw new SchemaMismatchError(missing, unknown);
    await dataSource.runMigrations({ transaction: 'each' });
    for (const grant of runtimeRole === undefined ? [] : runtimeGrants(runtimeRole))
      await manager.query(grant);
    return missing;
  });
}

/** @throws SchemaMismatchError unless the database has the migrations of this program and no others */
export async function checkSchema(dataSource: DataSource): Promise<void> {
  const { missing, unknown } = await compareSchema(dataSource, dataSource.manager);
  if (missing.length > 0 || unknown.length > 0) throw new SchemaMismatchError(missing, unknown);
}

async function compareSchema(
  dataSource: DataSource,
  manager: EntityManager,
): Promise<{ missing: string[]; unknown: string[] }> {
  const own = dataSource.migrations.flatMap(({ name }) => name ?? []);
  const [{ may }] = await manager.query<[{ may: boolean | null }]>(
    `SELECT has_table_privilege(to_regclass('schema_migrations'), 'SELECT') AS may`,
  );
  if (may === null) return { missing: own, unknown: [] };
  if (!may) throw new SchemaMismatchError([], []);
  const rows = await manager.query<{ name: string }[]>('SELECT name FROM schema_migrations ORDER BY id');
  const run = new Set(rows.map(({ name }) => name));
  return {
    missing: own.filter((name) => !run.has(name)),
    unknown: [...run].filter((name) => !own.includes(name)),
  };
}
