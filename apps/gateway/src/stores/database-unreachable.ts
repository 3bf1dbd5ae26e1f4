import { certificateFaultOf } from './certificate-fault.js';

/** PostgreSQL cannot be used at startup. The message names the server and what to do, never a password. */
export class DatabaseUnreachableError extends Error {
  readonly code = 'DATABASE_UNREACHABLE';
  override readonly name = 'DatabaseUnreachableError';

  constructor(url: string, cause: unknown) {
    const said = cause instanceof Error ? cause.message || cause.name : String(cause);
    super(`PostgreSQL at ${placeOf(url)} cannot be used: ${said}. ${adviceFor(said, cause)}`, { cause });
  }
}

function placeOf(url: string): string {
  if (!URL.canParse(url)) return 'the given URL';
  const { host, pathname } = new URL(url);
  return `${host}${pathname}`;
}

function adviceFor(said: string, cause: unknown): string {
  const fault = certificateFaultOf(cause);
  if (fault !== undefined) return `It ${fault.reason}. ${fault.advice}`;
  if (/ENOENT|EACCES/.test(said)) return 'Correct the file names in DATABASE_URL.';
  if (/password|authentication|role/.test(said)) return 'Correct user and password in DATABASE_URL.';
  if (/ENOTFOUND|EAI_AGAIN/.test(said)) return 'Correct the host in DATABASE_URL.';
  if (/database .* does not exist/.test(said))
    return 'Create the database, or correct its name in DATABASE_URL.';
  return 'Start it, correct DATABASE_URL, or leave DATABASE_URL out to use an embedded one.';
}
