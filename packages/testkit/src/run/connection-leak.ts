import { UntilTimeoutError, until } from '../judging/until.js';

/** A server takes a moment to forget connections that were closed at the end of a test. */
const LEAK_PATIENCE_MS = 3_000;

/** Resolves with the connections that are still open then: those of the last reading, and none if all have ended. */
export async function leftOpen(read: () => Promise<string[]>): Promise<string[]> {
  let open: string[] = [];
  const isEverybodyGone = async () => {
    open = await read();
    return open.length === 0;
  };
  await until(isEverybodyGone, { timeoutMs: LEAK_PATIENCE_MS, intervalMs: 2 }).catch((error: unknown) => {
    if (!(error instanceof UntilTimeoutError)) throw error;
  });
  return open;
}

/** A test left connections open: Jest would wait for them, and the database could not be removed. */
export class ConnectionLeakError extends Error {
  readonly code = 'CONNECTION_LEAK';

  constructor(
    /** URL of the database without credentials. */
    readonly database: string,
    /** One line for each open connection: its application name and its last statement or command. */
    readonly connections: readonly string[],
  ) {
    super(
      `${connections.length} connection(s) to ${database} are still open; release, end or quit them before drop():\n` +
        connections.map((connection) => `  ${connection}`).join('\n'),
    );
    this.name = 'ConnectionLeakError';
  }
}
