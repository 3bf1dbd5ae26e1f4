import { connect } from 'node:net';
import { findRedisBinary, type RedisProgram } from '../programs/redis-program.js';
import type { DataDirectory } from '../system/data-directory.js';
import { onFreePort } from '../system/free-port.js';
import { startGuarded } from '../system/guarded-process.js';
import { type LocalServer, startIn } from './local-server.js';

export interface StartRedisOptions {
  /**
   * Directory of Redis' files. Default: a temporary directory that `stop` removes. See
   * StartPostgresOptions.
   */
  readonly dataDir?: string;
  /** Loopback port. Default: a free one. */
  readonly port?: number;
  /**
   * `aof`: every write survives a crash of Redis, and a power cut loses at most the last second. Default
   * `none`.
   */
  readonly persistence?: 'aof' | 'none';
  /**
   * A configuration file (a Sentinel needs one, writable by the server's account). Our arguments override
   * it.
   */
  readonly configFile?: string;
  /** Additional arguments of `redis-server`, such as `['--replicaof', '127.0.0.1 6379']`; they override ours. */
  readonly args?: readonly string[];
  /** Called before each slow step with a short description of it. */
  readonly onProgress?: (step: string) => void;
}

/** Its URL is `redis://127.0.0.1:<port>`. */
export type RedisServer = LocalServer;

/**
 * Starts a real Redis on loopback and waits until it responds. It ends with this node process, however
 * that ends.
 *
 * @throws DataInUseError if a server is already running on this data; it is left alone
 * @throws ServerStartError, ProgramMissingError
 */
export async function startRedis(options: StartRedisOptions = {}): Promise<RedisServer> {
  const program = await findRedisBinary(options.onProgress);
  return startIn(options.dataDir, (data) => {
    options.onProgress?.('starting Redis');
    return onFreePort(options.port, (port) => launch(data, program, port, options));
  });
}

async function launch(
  data: DataDirectory,
  program: RedisProgram,
  port: number,
  options: StartRedisOptions,
): Promise<RedisServer> {
  const server = await startGuarded({
    service: 'Redis',
    ...program,
    args: redisArguments(options, data.path, port),
    account: data.account,
    directory: data.path,
    isTemporary: data.isTemporary,
    endSignals: ['SIGTERM'],
    isReady: (pid) => isRedisReady(port, pid),
  });
  return { ...server, url: `redis://127.0.0.1:${port}`, port, dataDir: data.path };
}

function redisArguments(options: StartRedisOptions, dataDir: string, port: number): string[] {
  const settings: [string, string][] = [
    ['--port', String(port)],
    ['--bind', '127.0.0.1'],
    ['--dir', dataDir],
    ['--daemonize', 'no'],
    ['--logfile', ''],
    ['--save', ''],
    ['--appendonly', options.persistence === 'aof' ? 'yes' : 'no'],
    ['--appendfsync', 'everysec'],
    ['--maxmemory-policy', 'noeviction'],
  ];
  const configFile = options.configFile === undefined ? [] : [options.configFile];
  return [...configFile, ...settings.flat(), ...(options.args ?? [])];
}

/**
 * Whether Redis answers PING with PONG (while it loads its data, it answers with an error) and is ours:
 * between the choice of a free port and its use, another server could have started there.
 */
function isRedisReady(port: number, pid: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ host: '127.0.0.1', port, timeout: 1_000 });
    let reply = '';
    const answer = (ready: boolean) => {
      socket.destroy();
      resolve(ready);
    };
    socket.once('connect', () => socket.write('PING\r\nINFO server\r\n'));
    socket.on('data', (chunk) => {
      reply += chunk.toString();
      const process = /^process_id:(\d+)/m.exec(reply)?.[1];
      if (!'+PONG'.startsWith(reply.slice(0, 5))) answer(false);
      else if (process !== undefined) answer(Number(process) === pid);
    });
    for (const event of ['error', 'timeout', 'close']) socket.once(event, () => answer(false));
  });
}
