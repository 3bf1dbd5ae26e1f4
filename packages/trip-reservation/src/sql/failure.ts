/**
 * What a failed statement means:
 * - `RETRY`: PostgreSQL rolled it back because of others; the same statement may succeed at once.
 * - `UNPREPARED`: the connection does not keep prepared statements (a pooler in transaction mode); not
 *   applied.
 * - `UNAVAILABLE`: surely not applied, the server is not there or takes no work.
 * - `UNKNOWN`: it was under way when the connection broke.
 * - `SILENT`: it was under way and no answer came in the driver's patience; asking again would only wait
 *   again.
 * - `FAULT`: the server understood and refused: a bug or a missing migration.
 */
export type SqlFailure = 'RETRY' | 'UNPREPARED' | 'UNAVAILABLE' | 'UNKNOWN' | 'SILENT' | 'FAULT';

const FAILURE_BY_SQLSTATE: Readonly<Record<string, SqlFailure>> = {
  '40001': 'RETRY',
  '40P01': 'RETRY',
  '55P03': 'RETRY',
  '26000': 'UNPREPARED',
  '42P05': 'UNPREPARED',
  '08P01': 'UNKNOWN',
  '25006': 'UNAVAILABLE',
  '57014': 'UNAVAILABLE',
  '57P01': 'UNKNOWN',
  '57P02': 'UNKNOWN',
  '57P03': 'UNAVAILABLE',
};

const FAILURE_BY_SQLSTATE_CLASS: Readonly<Record<string, SqlFailure>> = {
  '08': 'UNKNOWN',
  '28': 'UNAVAILABLE',
  '53': 'UNAVAILABLE',
  '58': 'UNAVAILABLE',
};

/** Five characters, none of whose classes begins like Node's codes (EPIPE). */
const SQLSTATE = /^[0-9FHPX][0-9A-Z]{4}$/;

/** Errors of Node and of the driver before anything was sent. */
const NEVER_SENT = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOENT',
]);
const NEVER_CONNECTED = /timeout exceeded when trying to connect|connection timeout|Cannot use a pool after/i;
/** What `pg` says when its `query_timeout` ends a statement. */
const NO_ANSWER = 'Query read timeout';

export function sqlFailureOf(error: unknown): SqlFailure {
  if (!(error instanceof Error)) return 'UNKNOWN';
  const code = 'code' in error && typeof error.code === 'string' ? error.code : '';
  if (SQLSTATE.test(code)) {
    return FAILURE_BY_SQLSTATE[code] ?? FAILURE_BY_SQLSTATE_CLASS[code.slice(0, 2)] ?? 'FAULT';
  }
  if (error.message === NO_ANSWER) return 'SILENT';
  return NEVER_SENT.has(code) || NEVER_CONNECTED.test(error.message) ? 'UNAVAILABLE' : 'UNKNOWN';
}
