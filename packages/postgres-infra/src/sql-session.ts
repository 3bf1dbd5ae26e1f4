/**
 * The interface through which packages use PostgreSQL. `pg.Pool`, `pg.PoolClient` and `pg.Client` satisfy it unchanged;
 * `sessionOf` and `poolOf` make sessions and pools of what other libraries pass (sessions/session-of.ts).
 */
export interface SqlStatement {
  /** Name of a prepared statement: parsed and planned once per connection. Absent: parsed on every call. */
  readonly name?: string | undefined;
  readonly text: string;
  readonly values: unknown[];
}

/** The result of a statement, as returned by `pg`. */
export interface SqlResult {
  readonly rows: unknown[];
  readonly rowCount: number | null;
}

/** Runs statements one after another, on one connection or in one transaction. */
export interface SqlSession {
  /** Runs one statement; rejects with the driver's error. */
  query(statement: SqlStatement): Promise<SqlResult>;
}

/** A session of our own transaction, which also takes text and values apart, as `pg` and the libraries above it do. */
export interface TransactionSession extends SqlSession {
  /** Runs one statement; rejects with a PostgresFailure. */
  query(statement: SqlStatement | string, values?: unknown[]): Promise<SqlResult>;
}

/** A session on a pooled connection, which must be released. */
export interface PooledSession extends SqlSession {
  /** With an error (or `true`), the connection is closed instead of being reused. */
  release(error?: Error | boolean): void;
  /** Reports a connection that ends between two statements; without a listener, pg's error ends the process. */
  on?(event: 'error', listener: (error: Error) => void): unknown;
  /** Removes such a listener. */
  off?(event: 'error', listener: (error: Error) => void): unknown;
}

/** A source of connections. */
export interface SqlPool {
  /** Takes a connection, which its `release` returns. */
  connect(): Promise<PooledSession>;
  /** Reports each new connection before anything else can happen on it. */
  on?(event: 'connect', listener: (session: PooledSession) => void): unknown;
}
