import { refuseDistributedSchema } from '@solegate/postgres-infra';
import { typeormSession } from '@solegate/postgres-infra/typeorm';
import type { DataSource, EntityManager } from 'typeorm';
import { runtimeGrants } from './runtime-grants.js';

/*
 * A schema that is older than the program lacks what its statements name, so nobody serves on it. A newer one is served with
 * a warning: migrations first only add, so that old and new gateways run side by side and a release can be rolled back.
 * Who may change tables (`migrate`) need not be who serves (`checkSchema`).
 */

/** Migrations of several gateways that start at once take turns under this key: "solegate" in ASCII. */
const MIGRATION_LOCK = 0x736f6c6567617465n;

/** The tables are not what this gateway needs; the message says what to do. Nothing was changed. */
class SchemaMismatchError extends Error {
  readonly code = 'SCHEMA_MISMATCH';
  override readonly name = 'SchemaMismatchError';
  readonly retryable = false;

  /** @param missing migrations that this gateway needs and the database lacks; empty: it may not look */
  constructor(readonly missing: readonly string[]) {
    super(
      missing.length === 0
        ? 'This role may not read the tables. Give it its rights: node dist/main.js migrate --runtime-role NAME.'
        : `The database lacks migrations of this gateway (${missing.join(', ')}). Run "node dist/main.js migrate" as a role that may change tables, then start again.`,
    );
  }
}

/** How the database's migrations differ from those of this program. */
export interface SchemaDifference {
  readonly missing: readonly string[];
  /** Run by a newer gateway. */
  readonly unknown: readonly string[];
}

/**
 * Runs what is missing. The lock belongs to a transaction and not to a session, so it works
 * through a pooler; whoever waits for it finds everything done.
 *
 * @param runtimeRole is given the rights of a gateway, and no more
 * @returns what was missing, and what a newer gateway has run
 * @throws SchemaMismatchError if the role may not look; DistributedSchemaError; PostgreSQL's own errors
 */
export async function migrate(dataSource: DataSource, runtimeRole?: string): Promise<SchemaDifference> {
  return dataSource.transaction(async (manager) => {
    await manager.query(`SELECT set_config('lock_timeout', '0', true), set_config('statement_timeout', '0', true),
      set_config('idle_in_transaction_session_timeout', '0', true)`);
    await manager.query('SELECT pg_advisory_xact_lock($1)', [String(MIGRATION_LOCK)]);
    await refuseDistributedSchema(typeormSession(manager));
    const difference = await compareSchema(dataSource, manager);
    await dataSource.runMigrations({ transaction: 'each' });
    for (const grant of runtimeRole === undefined ? [] : runtimeGrants(runtimeRole))
      await manager.query(grant);
    return difference;
  });
}

/** @throws SchemaMismatchError unless the database has the migrations of this program */
export async function checkSchema(dataSource: DataSource): Promise<SchemaDifference> {
  const difference = await compareSchema(dataSource, dataSource.manager);
  if (difference.missing.length > 0) throw new SchemaMismatchError(difference.missing);
  return difference;
}

async function compareSchema(dataSource: DataSource, manager: EntityManager): Promise<SchemaDifference> {
  const own = dataSource.migrations.flatMap(({ name }) => name ?? []);
  const [{ may }] = await manager.query<[{ may: boolean | null }]>(
    `SELECT has_table_privilege(to_regclass('schema_migrations'), 'SELECT') AS may`,
  );
  if (may === null) return { missing: own, unknown: [] };
  if (!may) throw new SchemaMismatchError([]);
  const rows = await manager.query<{ name: string }[]>('SELECT name FROM schema_migrations ORDER BY id');
  const run = new Set(rows.map(({ name }) => name));
  return {
    missing: own.filter((name) => !run.has(name)),
    unknown: [...run].filter((name) => !own.includes(name)),
  };
}
