import type { Pool } from 'pg';

/** One numbered SQL file; the SQL may hold many statements. Names are for error messages. */
export interface TestMigration {
  readonly name: string;
  readonly sql: string;
}

export interface TestDatabaseOptions {
  /** Run in this order, once for each different text, into the template that the database is cloned from. */
  readonly migrations: readonly TestMigration[];
  /** URL of the PostgreSQL server to use, such as that of `startPostgresServer()`; default: the server of the test run. */
  readonly serverUrl?: string;
}

export interface TestDatabase extends AsyncDisposable {
  readonly url: string;
  /** Ten connections at most. Losing them (a killed back end) is no uncaught error. */
  readonly pool: Pool;
  /**
   * Closes the pool and removes the database.
   *
   * @throws ConnectionLeakError when a client was not released or another connection is still open; the database is
   * removed all the same
   */
  drop(): Promise<void>;
}
