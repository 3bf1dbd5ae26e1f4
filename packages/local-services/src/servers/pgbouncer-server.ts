import { writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { type DebianProgram, type UnpackedProgram, unpackDebianProgram } from '../programs/debian-program.js';
import type { DataDirectory } from '../system/data-directory.js';
import { onFreePort } from '../system/free-port.js';
import { startGuarded } from '../system/guarded-process.js';
import { serverAccount } from '../system/server-account.js';
import { type LocalServer, startIn } from './local-server.js';

export interface StartPgBouncerOptions {
  /** URL of a PostgreSQL; every connection uses its user and password. */
  readonly databaseUrl: string;
  /** Loopback port. Default: a free one. */
  readonly port?: number;
  /** Path of another PgBouncer than the distribution's. */
  readonly program?: string | undefined;
  /** Connections to PostgreSQL. Default: 4. */
  readonly poolSize?: number;
  /** Called before each slow step with a short description of it. */
  readonly onProgress?: (step: string) => void;
}

const DEBIAN_PGBOUNCER: DebianProgram = {
  packageName: 'pgbouncer',
  command: 'usr/sbin/pgbouncer',
  usualPackages: ['pgbouncer', 'libc-ares2', 'libevent-2.1-7'],
};

/**
 * Starts a PgBouncer in transaction mode in front of a PostgreSQL: each transaction runs on any free connection. It is
 * the distribution's package, unpacked without root, unless another is named, and ends with this node process.
 *
 * @throws ServerStartError; Error if the distribution has no such package
 */
export async function startPgBouncer(options: StartPgBouncerOptions): Promise<LocalServer> {
  const account = await serverAccount();
  const program =
    options.program === undefined
      ? await unpackDebianProgram(DEBIAN_PGBOUNCER, account, options.onProgress)
      : { command: options.program, env: {} };
  return startIn(undefined, (data) => {
    options.onProgress?.('starting PgBouncer');
    return onFreePort(options.port, (port) => launch(data, program, port, options));
  });
}

async function launch(
  data: DataDirectory,
  program: UnpackedProgram,
  port: number,
  options: StartPgBouncerOptions,
): Promise<LocalServer> {
  const configFile = join(data.path, 'pgbouncer.ini');
  await writeFile(configFile, configuration(options, port), { mode: 0o644 });
  const server = await startGuarded({
    service: 'PgBouncer',
    ...program,
    args: [configFile],
    account: data.account,
    directory: data.path,
    isTemporary: data.isTemporary,
    endSignals: ['SIGTERM'],
    isReady: () => isListening(port),
  });
  const url = new URL(options.databaseUrl);
  url.host = `127.0.0.1:${port}`;
  return { ...server, url: url.href, port, dataDir: data.path };
}

function configuration(options: StartPgBouncerOptions, port: number): string {
  const { hostname, port: databasePort, username, password, pathname } = new URL(options.databaseUrl);
  const login =
    password === '' ? `user=${username}` : `user=${username} password=${decodeURIComponent(password)}`;
  return [
    '[databases]',
    `${pathname.slice(1)} = host=${hostname} port=${databasePort} ${login}`,
    '[pgbouncer]',
    'listen_addr = 127.0.0.1',
    `listen_port = ${port}`,
    'unix_socket_dir =',
    'auth_type = any',
    'pool_mode = transaction',
    `default_pool_size = ${options.poolSize ?? 4}`,
    'max_client_conn = 500',
    '',
  ].join('\n');
}

function isListening(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ host: '127.0.0.1', port, timeout: 1_000 });
    const answer = (isReady: boolean) => {
      socket.destroy();
      resolve(isReady);
    };
    socket.once('connect', () => answer(true));
    for (const event of ['error', 'timeout'] as const) socket.once(event, () => answer(false));
  });
}
