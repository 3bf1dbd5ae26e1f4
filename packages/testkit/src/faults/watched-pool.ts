/** A statement, as the packages send it to `pg`. */
interface Statement {
  readonly name?: string | undefined;
  readonly text: string;
  readonly values: unknown[];
}

interface Result {
  readonly rows: unknown[];
  readonly rowCount: number | null;
}

type OnError = (event: 'error', listener: (error: Error) => void) => unknown;

interface Session {
  query(statement: Statement): Promise<Result>;
  release(error?: Error | boolean): void;
  on?: OnError;
  off?: OnError;
}

/** A real pool whose statements all pass through `around`, which can wait, fail or observe. */
export function watchedPool(
  pool: { connect(): Promise<Session> },
  around: (statement: Statement, run: () => Promise<Result>) => Promise<Result>,
) {
  return {
    connect: async (): Promise<Session> => {
      const session = await pool.connect();
      return {
        query: (statement) => around(statement, () => session.query(statement)),
        release: (error) => session.release(error),
        on: (event, listener) => session.on?.(event, listener),
        off: (event, listener) => session.off?.(event, listener),
      };
    },
  };
}
