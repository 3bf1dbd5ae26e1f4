import { execFile } from 'node:child_process';
import { readdir, realpath } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { serverAccount, unpackDebianProgram } from '@solegate/local-services';

/** A PostgreSQL with its administration tools: `psql`, `pg_basebackup`, `pg_rewind` and so on. */
export interface PostgresTools {
  /** Folder of the programs. */
  readonly directory: string;
  readonly env: Readonly<Record<string, string>>;
}

const INSTALLED = '/usr/lib/postgresql';
/** Debian 12's. */
const DEBIAN_POSTGRES = {
  packageName: 'postgresql-15',
  command: 'usr/lib/postgresql/15/bin/pg_basebackup',
  usualPackages: ['postgresql-15', 'postgresql-client-15', 'libpq5'],
};

/**
 * Finds the newest installed PostgreSQL, else unpacks the distribution's below `.cache` like Redis. The one from npm
 * has no tools.
 *
 * @throws Error that says what to install
 */
export async function findPostgresTools(): Promise<PostgresTools> {
  const found = await promisify(execFile)('/bin/sh', ['-c', 'command -v pg_basebackup']).catch(
    () => undefined,
  );
  if (found) {
    const directory = dirname(await realpath(found.stdout.trim()));
    // Debian's wrapper stands for all installed versions and needs its configuration.
    if (!directory.endsWith('postgresql-common')) return { directory, env: {} };
  }
  const versions = (await readdir(INSTALLED).catch(() => [])).sort(
    (one, other) => Number(other) - Number(one),
  );
  if (versions[0] !== undefined) return { directory: join(INSTALLED, versions[0], 'bin'), env: {} };
  try {
    const { command, env } = await unpackDebianProgram(DEBIAN_POSTGRES, await serverAccount());
    return { directory: dirname(command), env };
  } catch (cause) {
    const advice = 'brew install postgresql@18, apt-get install postgresql, or the like';
    throw new Error(`This drill needs PostgreSQL with its tools: ${advice}`, { cause });
  }
}
