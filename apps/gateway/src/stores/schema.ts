import { setTimeout as pause } from 'node:timers/promises';
import { postgresFailureIn, refuseDistributedSchema, sessionOf } from '@solegate/postgres-infra';
import type { DataSource, EntityManager } from 'typeorm';
import { runtimeGrants } from './runtime-grants.js';

/*
 * A schema older than the program is rejected, because statements would fail on it. A newer one is accepted with a
 * warning: migrations first only add, so old and new gateways can run side by side and a release can be rolled back.
 * The role that changes tables (`migrate`) can differ from the role that serves (`checkSchema`).
 */

/** Advisory lock key that serializes migrations of gateways that start simultaneously: "solegate" in ASCII. */
const MIGRATION_LOCK = 0x736f6c6567617465n;

/** The tables do not match this gateway; the message states what to do. Nothing was changed. */
class SchemaMismatchError extends Error {
  readonly code = 'SCHEMA_MISMATCH';
  override readonly name = 'SchemaMismatchError';
  readonly retryable = false;

  /** @param missing migrations that the database lacks; empty if the role is not allowed to read the tables */
  constructor(readonly missing: readonly string[]) {
    super(
      missing.length === 0
        ? 'This role cannot read the tables. Grant its rights: node dist/main.js migrate --runtime-role NAME.'
        : `The database lacks migrations of this gateway (${missing.join(', ')}). Run "node dist/main.js migrate" as a role that may change tables, then start again.`,
    );
  }
}

/** How the database's migrations differ from those of this program. */
export interface SchemaDifference {
  readonly missing: readonly string[];
  /** Migrations run by a newer gateway. */
  readonly unknown: readonly string[];
}

/**
 * Runs missing migrations. The lock belongs to a transaction, not to a session, so it works through a pooler.
 * Concurrent callers wait for it and then find nothing to do.
 *
 * @param runtimeRole role to be granted the rights of a gateway, and no others
 * @returns the migrations that were missing, and those run by a newer gateway
 * @throws SchemaMismatchError if the role is not allowed to read; DistributedSchemaError; PostgreSQL's own errors
 */
export async function migrate(dataSource: DataSource, runtimeRole?: string): Promise<SchemaDifference> {
  return dataSource.transaction(async (manager) => {
    await manager.query(`SELECT set_config('lock_timeout', '0', true), set_config('statement_timeout', '0', true),
      set_config('idle_in_transaction_session_timeout', '0', true)`);
    // The client would give up a statement that waits.
    while (!(await tryLock(manager))) await pause(PAUSE_MS);
    await refuseDistributedSchema(sessionOf(manager));
    const difference = await compareSchema(dataSource, manager);
    await runMissing(dataSource);
    for (const grant of runtimeRole === undefined ? [] : runtimeGrants(runtimeRole))
      await manager.query(grant);
    return difference;
  });
}

/** Between two attempts at tables in use: longer than one attempt, so that gateways make up for it. */
const PAUSE_MS = 1000;
const ATTEMPT_MAX = 300;

async function tryLock(manager: EntityManager): Promise<boolean> {
  const [row] = await manager.query<{ is_mine: boolean }[]>(
    'SELECT pg_try_advisory_xact_lock($1) AS is_mine',
    [String(MIGRATION_LOCK)],
  );
  return row?.is_mine === true;
}

/** Migrations give up tables that are in use for more than a moment; until then, they are run again. */
async function runMissing(dataSource: DataSource): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      await dataSource.runMigrations({ transaction: 'each' });
      return;
    } catch (error) {
      if (postgresFailureIn(error)?.kind !== 'BUSY' || attempt === ATTEMPT_MAX) throw error;
      await pause(PAUSE_MS * (1 + Math.random()));
    }
  }
}

/** Checks the schema. @throws SchemaMismatchError unless the database has all migrations of this program */
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
