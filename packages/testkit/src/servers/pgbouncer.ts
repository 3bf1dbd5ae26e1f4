import { startPgBouncer as startServer } from '@solegate/local-services';

export interface PgBouncerOptions {
  /** Connections to PostgreSQL. Default: 4. */
  readonly poolSize?: number;
}

/** A running pooler; see `startPgBouncer`. */
export interface PgBouncer extends AsyncDisposable {
  /** URL of the database behind it. */
  readonly url: string;
  stop(): Promise<void>;
}

/**
 * Starts a PgBouncer in transaction mode in front of a database: each transaction can run in a different session, and
 * before version 1.21 named statements are lost between them. End it with `await using` or `stop()`.
 */
export async function startPgBouncer(
  databaseUrl: string,
  options: PgBouncerOptions = {},
): Promise<PgBouncer> {
  const { url, stop } = await startServer({ databaseUrl, ...options });
  return { url, stop, [Symbol.asyncDispose]: stop };
}
