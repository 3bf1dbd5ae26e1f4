import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { DataDirectory } from './data-directory.js';
import { onFreePort } from './free-port.js';
import { startGuarded } from './guarded-process.js';
import { type LocalServer, startIn } from './local-server.js';
import { createCluster, isCluster, POSTGRES_USER } from './postgres-cluster.js';
import { findPostgresPrograms, type PostgresPrograms } from './postgres-programs.js';
import { runsIn } from './running-process.js';
import { requireNamedUser } from './server-account.js';
import { DataInUseError, ServerStartError } from './start-failure.js';

export interface StartPostgresOptions {
  /**
   * Where the cluster lies; made when missing or empty, used as it is otherwise. Default: a temporary
   * directory that `stop` removes. As root, a directory that `nobody` cannot reach is replaced by one below
   * /var/lib/solegate: look at `dataDir` of the result before you copy or remove anything.
   */
  readonly dataDir?: string;
  /**
   * `none` turns fsync and its kin off: fast, and lost in a power cut (not in a crash of the server).
   * Default `full`.
   */
  readonly durability?: 'full' | 'none';
  /** Loopback port. Default: a free one. */
  readonly port?: number;
  /** Further arguments of `postgres`, such as `['-c', 'wal_level=logical']`; they win over ours. */
  readonly args?: readonly string[];
  /** Hears what is being done, in a few words, before each slow step. */
  readonly onProgress?: (step: string) => void;
}

/** Its URL is `postgres://solegate@127.0.0.1:<port>/postgres`, a superuser. */
export type PostgresServer = LocalServer;

/** What PostgreSQL says when one that somebody else started runs on the same data. */
const FOREIGN_SERVER = /lock file "postmaster.pid" already exists|pre-existing shared memory block/;

/**
 * Starts a real PostgreSQL of our own on loopback and waits until it takes connections. It ends with this
 * node process, whatever ends that.
 *
 * @throws DataInUseError when a server runs on this data already; it is not touched
 * @throws ServerStartError, ProgramMissingError, AccountMissingError
 */
export async function startPostgres(options: StartPostgresOptions = {}): Promise<PostgresServer> {
  requireNamedUser();
  return startIn(options.dataDir, async (data) => {
    const programs = await findPostgresPrograms(data.account);
    if (!(await isCluster(data.path))) {
      options.onProgress?.('creating the PostgreSQL cluster');
      await createCluster(data, programs, { sync: options.durability !== 'none' });
    }
    options.onProgress?.('starting PostgreSQL');
    return onFreePort(options.port, (port) => launch(data, programs, port, options));
  });
}

async function launch(
  data: DataDirectory,
  programs: PostgresPrograms,
  port: number,
  options: StartPostgresOptions,
): Promise<PostgresServer> {
  const stale = await stalePostmasterLine(data.path);
  try {
    const server = await startGuarded({
      service: 'PostgreSQL',
      command: programs.postgres,
      args: [...postgresArguments(data.path, port, options.durability), ...(options.args ?? [])],
      account: data.account,
      directory: data.path,
      isTemporary: data.isTemporary,
      endSignals: ['SIGINT', 'SIGQUIT'],
      ...(stale === undefined ? {} : { stale: { file: postmasterFile(data.path), line: stale } }),
      isReady: (pid) => isPostgresReady(data.path, pid),
    });
    const url = `postgres://${POSTGRES_USER}@127.0.0.1:${port}/postgres`;
    return { ...server, url, port, dataDir: data.path };
  } catch (error) {
    if (error instanceof ServerStartError && FOREIGN_SERVER.test(error.log)) {
      throw new DataInUseError('PostgreSQL', data.path, { cause: error });
    }
    throw error;
  }
}

function postgresArguments(dataDir: string, port: number, durability = 'full'): string[] {
  const settings = [
    'listen_addresses=127.0.0.1',
    'unix_socket_directories=',
    'max_connections=300',
    ...(durability === 'full' ? [] : ['fsync=off', 'synchronous_commit=off', 'full_page_writes=off']),
  ];
  return ['-D', dataDir, '-p', String(port), ...settings.flatMap((setting) => ['-c', setting])];
}

/** postmaster.pid says who runs (line 1) and in which state (line 8): what `pg_ctl` waits for. */
async function isPostgresReady(dataDir: string, pid: number): Promise<boolean> {
  const lines = await readPostmasterFile(dataDir);
  return Number(lines[0]) === pid && /^(ready|standby)\s*$/.test(lines[7] ?? '');
}

/**
 * After a crash the process ID in postmaster.pid may belong to any other program by now, and PostgreSQL
 * would refuse to start for its sake. So we look at that process: unless it works in this very directory,
 * the file is stale.
 */
async function stalePostmasterLine(dataDir: string): Promise<string | undefined> {
  const [line] = await readPostmasterFile(dataDir);
  if (line === undefined || (await runsIn(dataDir, Number(line)))) return undefined;
  return line;
}

async function readPostmasterFile(dataDir: string): Promise<string[]> {
  const text = await readFile(postmasterFile(dataDir), 'utf8').catch(() => '');
  return text === '' ? [] : text.split('\n');
}

function postmasterFile(dataDir: string): string {
  return join(dataDir, 'postmaster.pid');
}
