import type { Numbering, NumberingOptions } from '../contract/numbering.js';
import { createNumbering } from '../create-numbering.js';
import { migrateNumbering } from '../sql/migrations.js';
import { TestDatabase } from './test-database.js';

/** Options of {@link testNumbering}: those of `createNumbering`, except for the stores. */
export type TestNumberingOptions = Omit<NumberingOptions, 'database' | 'connectionMax' | 'redis' | 'lock'>;

/** A numbering on a database that ends with it. */
export interface TestNumbering extends Numbering {
  /** For the tables and transactions of the test. */
  readonly database: TestDatabase;
  /** Ends the numbering and removes its tables. */
  close(): Promise<void>;
}

/**
 * A numbering for a test, without a server: the tables, guards and functions of production, in a schema of its own of a
 * PostgreSQL (PGlite) that starts in a thread of this process, once, within seconds. The clock of business dates is `now`.
 *
 * What needs a second connection cannot be tried: waits for a locked counter, several processes, a lost connection.
 *
 * @throws Error if `@electric-sql/pglite` is not installed; InvalidRequestError for an option out of range
 */
export async function testNumbering(options: TestNumberingOptions = {}): Promise<TestNumbering> {
  const database = new TestDatabase();
  await migrateNumbering(database);
  const numbering = createNumbering({ ...options, database, connectionMax: 1 });
  const close = async (): Promise<void> => {
    await numbering.close();
    database.close();
  };
  return { ...numbering, database, close, [Symbol.asyncDispose]: close };
}
