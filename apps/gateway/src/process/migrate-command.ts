import 'reflect-metadata';
import { createDataSource } from '../stores/data-source.js';
import { DatabaseUnreachableError } from '../stores/database-unreachable.js';
import { migrate } from '../stores/schema.js';

/** Enough to build an index on a table that has grown for years. */
const STATEMENT_TIMEOUT_MS = 3_600_000;
/** A statement that waits for a table lock blocks others behind it, so it is better to fail and be run again. */
const LOCK_TIMEOUT_MS = 10_000;

export interface MigrateCommandOptions {
  readonly databaseUrl: string;
  readonly runtimeRole: string | undefined;
}

/** Runs the migrations. @throws DatabaseUnreachableError, SchemaMismatchError, and PostgreSQL's errors */
export async function runMigrate({ databaseUrl, runtimeRole }: MigrateCommandOptions): Promise<void> {
  const dataSource = createDataSource({
    url: databaseUrl,
    entities: [],
    poolMax: 2,
    statementTimeoutMs: STATEMENT_TIMEOUT_MS,
    lockTimeoutMs: LOCK_TIMEOUT_MS,
    onPoolError: () => undefined,
  });
  await dataSource.initialize().catch((cause: unknown) => {
    throw new DatabaseUnreachableError(databaseUrl, cause);
  });
  try {
    const { missing, unknown } = await migrate(dataSource, runtimeRole);
    process.stdout.write(
      missing.length === 0 ? 'The tables are up to date.\n' : `Migrated: ${missing.join(', ')}.\n`,
    );
    if (unknown.length > 0) process.stdout.write(`A newer gateway has already run: ${unknown.join(', ')}.\n`);
    if (runtimeRole !== undefined) process.stdout.write(`${runtimeRole} has the rights of a gateway.\n`);
  } finally {
    await dataSource.destroy();
  }
}
