import type { Pool } from 'pg';

/** A PostgreSQL of the test's own, on one port for its whole life, with full durability. */
export interface PostgresTestServer extends AsyncDisposable {
  /** URL of its maintenance database; give it to `createTestDatabase({ serverUrl })`. */
  readonly url: string;
  readonly port: number;
  readonly pid: number;
  readonly dataDir: string;
  /** Connections of an administrator, for questions and settings. */
  readonly pool: Pool;
  /** kill -9 of the whole server. Resolves when it is gone; `restart()` recovers it. */
  kill(): Promise<void>;
  /** kill -9 of one back end: the server throws everybody out, recovers, and takes connections when this resolves. */
  crash(): Promise<void>;
  /** Starts again on the same port: an orderly stop first if it runs, recovery if it was killed. */
  restart(): Promise<void>;
  /** SIGSTOP of the whole server. */
  pause(): Promise<void>;
  /** SIGCONT */
  resume(): Promise<void>;
  /** Ends all client connections except the administrator's (of one database, if named); resolves with their count. */
  terminateBackends(databaseName?: string): Promise<number>;
  /**
   * A streaming replica, caught up when this resolves. With `synchronous: true` every commit waits for it from then on,
   * with false commits return before it has them.
   */
  startReplica(options: { synchronous: boolean }): Promise<PostgresTestServer>;
  /** Makes this replica a primary. Kill the old primary first, else both take writes. */
  promote(): Promise<void>;
  stop(): Promise<void>;
}
