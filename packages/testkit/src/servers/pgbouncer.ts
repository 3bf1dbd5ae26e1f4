import { startPgBouncer as startServer } from '@solegate/local-services';

export interface PgBouncerOptions {
  /** Connections to PostgreSQL. Default: 4. */
  readonly poolSize?: number;
}

/** A running pooler; see `startPgBouncer`. */
export interface PgBouncer extends AsyncDisposable {
  /** URL of the database behind it. */
  readonly url: string;
  /** kill -9: every client loses its connection, and PostgreSQL finishes what it was asked for. */
  kill(): Promise<void>;
  /** Starts it again on the same port, after `kill()`. */
  restart(): Promise<void>;
  stop(): Promise<void>;
}

/**
 * Starts a PgBouncer in transaction mode in front of a database: each transaction can run in a different session, and
 * before version 1.21 named statements are lost between them. It is the distribution's, or the program at the path
 * TEST_PGBOUNCER. End it with `await using` or `stop()`.
 */
export async function startPgBouncer(
  databaseUrl: string,
  options: PgBouncerOptions = {},
): Promise<PgBouncer> {
  const settings = { databaseUrl, program: process.env.TEST_PGBOUNCER, ...options };
  let server = await startServer(settings);
  const stop = () => server.stop();
  return {
    url: server.url,
    async kill() {
      process.kill(server.pid, 'SIGKILL');
      await server.exited;
      await server.stop();
    },
    async restart() {
      server = await startServer({ ...settings, port: server.port });
    },
    stop,
    [Symbol.asyncDispose]: stop,
  };
}
