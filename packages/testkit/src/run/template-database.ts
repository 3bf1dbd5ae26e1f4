import { createHash } from 'node:crypto';
import { Client } from 'pg';

/*
 * The template is a database that all migrations have run in, once per server and per text of the migrations: its name
 * carries a hash of their SQL. Any number of files, workers and packages may want it at the same moment.
 *
 *   authoritative  The name in pg_database. A database with the final name is complete, for ever.
 *   building       Under an advisory lock on the name, in a database with a provisional name, renamed at the end. Whoever
 *                  waited for the lock finds the template there.
 *   builder died   Its session ends, the lock goes, and the next one throws the provisional database away.
 *   bad migration  The same, and the caller gets its error.
 *
 * The template takes no connections, so nothing can change it or stand in the way of a clone.
 */

/** One numbered SQL file; the SQL may hold many statements. Names are for error messages. */
export interface TestMigration {
  readonly name: string;
  readonly sql: string;
}

/** A migration that PostgreSQL refused; `cause` is its error. */
export class TestMigrationError extends Error {
  readonly code = 'TEST_MIGRATION';

  constructor(
    readonly migration: string,
    cause: unknown,
  ) {
    super(`Migration ${migration} failed: ${cause instanceof Error ? cause.message : String(cause)}`, {
      cause,
    });
    this.name = 'TestMigrationError';
  }
}

/**
 * Makes sure that the template for these migrations is there, and resolves with its name.
 *
 * @param admin a connection to the maintenance database, whose URL is `adminUrl`
 * @throws TestMigrationError
 */
export async function ensureTemplate(
  admin: Client,
  adminUrl: string,
  migrations: readonly TestMigration[],
): Promise<string> {
  const hash = createHash('sha256').update(JSON.stringify(migrations.map(({ sql }) => sql)));
  const template = `solegate_template_${hash.digest('hex').slice(0, 20)}`;
  if (await isThere(admin, template)) return template;
  await admin.query('SELECT pg_advisory_lock(hashtextextended($1, 0))', [template]);
  try {
    if (!(await isThere(admin, template))) await build(admin, adminUrl, { template, migrations });
  } finally {
    await admin.query('SELECT pg_advisory_unlock(hashtextextended($1, 0))', [template]);
  }
  return template;
}

async function isThere(admin: Client, template: string): Promise<boolean> {
  const { rowCount } = await admin.query('SELECT FROM pg_database WHERE datname = $1', [template]);
  return rowCount === 1;
}

async function build(
  admin: Client,
  adminUrl: string,
  { template, migrations }: { template: string; migrations: readonly TestMigration[] },
): Promise<void> {
  const building = `${template}_building`;
  await admin.query(`DROP DATABASE IF EXISTS ${building} WITH (FORCE)`);
  await admin.query(`CREATE DATABASE ${building} TEMPLATE template0`);
  const builder = new Client({ connectionString: urlOf(adminUrl, building) });
  await builder.connect();
  try {
    for (const { name, sql } of migrations) {
      await builder.query(sql).catch((cause: unknown) => {
        throw new TestMigrationError(name, cause);
      });
    }
  } finally {
    await builder.end();
  }
  await admin.query(`ALTER DATABASE ${building} WITH ALLOW_CONNECTIONS false`);
  await admin.query(`ALTER DATABASE ${building} RENAME TO ${template}`);
}

/** The same server and credentials, another database. */
export function urlOf(serverUrl: string, database: string): string {
  const url = new URL(serverUrl);
  url.pathname = `/${database}`;
  return url.href;
}
