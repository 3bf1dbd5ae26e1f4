/**
 * The port through which a package speaks to PostgreSQL. `pg.Pool`, `pg.PoolClient` and `pg.Client` satisfy it as they
 * are; `typeormSession` of the `./typeorm` door makes one of an EntityManager or a QueryRunner.
 */
export interface SqlStatement {
  /** Name of a prepared statement: parsed and planned once a connection. Absent: parsed at every call. */
  readonly name?: string;
  readonly text: string;
  readonly values: unknown[];
}

/** The statement as it is, or without its name, which the connection may not be able to keep. */
export function withName(statement: SqlStatement, isNamed: boolean): SqlStatement {
  return isNamed || statement.name === undefined
    ? statement
    : { text: statement.text, values: statement.values };
}

/** What a statement gave, as `pg` returns it. */
export interface SqlResult {
  readonly rows: unknown[];
  readonly rowCount: number | null;
}

/** Runs statements, one after the other, on one connection or in one transaction. */
export interface SqlSession {
  /** Runs one statement; rejects with the error of the driver. */
  query(statement: SqlStatement): Promise<SqlResult>;
}

/** A session on one connection that was taken from a pool and must be given back. */
export interface PooledSession extends SqlSession {
  /** With an error (or `true`) the connection is closed instead of being used again. */
  release(error?: Error | boolean): void;
  /** A connection that ends between two statements reports it here; pg ends the process when nobody listens. */
  on?(event: 'error', listener: (error: Error) => void): unknown;
  /** Takes such a listener away again. */
  off?(event: 'error', listener: (error: Error) => void): unknown;
}

/** Where connections come from. */
export interface SqlPool {
  /** Takes a connection, which is given back by its `release`. */
  connect(): Promise<PooledSession>;
  /** Reports each new connection before anything else can happen on it. */
  on?(event: 'connect', listener: (session: PooledSession) => void): unknown;
}
