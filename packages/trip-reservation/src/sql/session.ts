/** One statement. `name` lets the driver prepare it once per connection. */
export interface SqlStatement {
  readonly name?: string;
  readonly text: string;
  readonly values: unknown[];
}

export interface SqlResult {
  readonly rows: unknown[];
  readonly rowCount: number | null;
}

/** What a statement is run on; `pg`'s `Client`, `PoolClient` and `Pool` fit as they are. */
export interface SqlSession {
  query(statement: SqlStatement): Promise<SqlResult>;
}

/** Where connections come from; `pg`'s `Pool` fits, so does a TypeORM data source's `driver.master`. */
export interface SqlPool extends SqlSession {
  connect(): Promise<SqlSession & { release(error?: Error | boolean): void }>;
}
