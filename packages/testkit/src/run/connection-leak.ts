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
