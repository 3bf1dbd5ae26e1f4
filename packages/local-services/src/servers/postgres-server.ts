import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { findPostgresPrograms, type PostgresPrograms } from '../programs/postgres-programs.js';
import type { DataDirectory } from '../system/data-directory.js';
import { onFreePort } from '../system/free-port.js';
import { startGuarded } from '../system/guarded-process.js';
import { runsIn } from '../system/running-process.js';
import { requireNamedUser } from '../system/server-account.js';
import { DataInUseError, ServerStartError } from '../system/start-failure.js';
import { type LocalServer, startIn } from './local-server.js';
import { createCluster, isCluster, POSTGRES_USER } from './postgres-cluster.js';

export interface StartPostgresOptions {
  /**
   * Directory of the cluster; created if missing or empty, otherwise used as it is. Default: a temporary
   * directory, in memory if plenty is free, that `stop` removes. As root, a directory that `nobody` cannot reach is replaced by one below
   * /var/lib/solegate: check `dataDir` of the result before you copy or remove anything.
   */
  readonly dataDir?: string;
  /**
   * `none` turns off fsync and related settings: fast, but data is lost in a power cut (not if the server
   * crashes). Default `full`.
   */
  readonly durability?: 'full' | 'none';
  /** Loopback port. Default: a free one. */
  readonly port?: number;
  /** Additional arguments of `postgres`, such as `['-c', 'wal_level=logical']`; they override ours. */
  readonly args?: readonly string[];
  /** Called before each slow step with a short description of it. */
  readonly onProgress?: (step: string) => void;
}

/** Its URL is `postgres://solegate@127.0.0.1:<port>/postgres`, a superuser. */
export type PostgresServer = LocalServer;

/** What PostgreSQL logs if another instance, started elsewhere, runs on the same data. */
const FOREIGN_SERVER = /lock file "postmaster.pid" already exists|pre-existing shared memory block/;

/**
 * Starts a real PostgreSQL on loopback and waits until it accepts connections. It ends with this node
 * process, however that ends.
 *
 * @throws DataInUseError if a server is already running on this data; it is left alone
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

/** postmaster.pid has the process ID (line 1) and the server's state (line 8), which `pg_ctl` waits for. */
async function isPostgresReady(dataDir: string, pid: number): Promise<boolean> {
  const lines = await readPostmasterFile(dataDir);
  return Number(lines[0]) === pid && /^(ready|standby)\s*$/.test(lines[7] ?? '');
}

/**
 * After a crash, the process ID in postmaster.pid might have been reused by another program, and PostgreSQL
 * would refuse to start because of it. So we check that process: unless its working directory is this one,
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
