import { createHash } from 'node:crypto';
import { Client } from 'pg';

/*
 * The template is a database in which all migrations have run, one per server and set of migrations: its name contains
 * a hash of their SQL. Any number of files, workers and packages can request it concurrently.
 *
 *   authoritative  The name in pg_database. A database with the final name is complete and never changes.
 *   building       Under an advisory lock on the name, in a database with a provisional name that is renamed at the
 *                  end. Callers that waited for the lock then find the template.
 *   builder died   Its session ends, its lock is released, and the next builder drops the provisional database.
 *   bad migration  The same, and the caller gets its error.
 *
 * The template accepts no connections, so nothing can change it or block a clone.
 */

/** One numbered SQL file, with any number of statements. The name appears in error messages. */
export interface TestMigration {
  readonly name: string;
  readonly sql: string;
}

/** PostgreSQL rejected a migration; `cause` is its error. */
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
 * Ensures that the template for these migrations exists, and resolves with its name.
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

/** The URL of another database on the same server, with the same credentials. */
export function urlOf(serverUrl: string, database: string): string {
  const url = new URL(serverUrl);
  url.pathname = `/${database}`;
  return url.href;
}
