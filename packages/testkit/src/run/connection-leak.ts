/** A test has left connections open: its file would keep Jest waiting, and its database could not be removed. */
export class ConnectionLeakError extends Error {
  readonly code = 'CONNECTION_LEAK';

  constructor(
    /** URL of the database without credentials. */
    readonly database: string,
    /** One line for each connection that is still open: who it says it is and what it did last. */
    readonly connections: readonly string[],
  ) {
    super(
      `${connections.length} connection(s) to ${database} are still open; release, end or quit them before drop():\n` +
        connections.map((connection) => `  ${connection}`).join('\n'),
    );
    this.name = 'ConnectionLeakError';
  }
}
