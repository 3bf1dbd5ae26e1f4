/** What node says when a connection is refused, cut or silent. */
const CONNECTION_CODES = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
]);
/** SQLSTATE classes 08 (connection), 53 (resources), 57 (operator: shutting down, statement timeout), 25006 (read only). */
const SQL_STATES = /^(?:08|53|57)|^25006$/;
/** What pg and its pool say without a code. */
const MESSAGES =
  /Connection terminated|timeout exceeded when trying to connect|Client has encountered a connection error/;

/** Whether PostgreSQL could not answer a read, as opposed to having refused it. */
export function isDatabaseAway(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const code = 'code' in error ? error.code : undefined;
  if (typeof code === 'string' && (CONNECTION_CODES.has(code) || SQL_STATES.test(code))) return true;
  return MESSAGES.test(error.message);
}
