import { chmod, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { startRedis } from '@solegate/local-services';
import { Redis, type RedisOptions } from 'ioredis';
import {
  copyDirectory,
  emptyDirectory,
  inTemporaryDirectory,
  type TemporaryDirectory,
} from '../processes/data-directory.js';
import { ServerProcess } from '../processes/server-process.js';
import { disconnect } from './disconnect.js';

export interface RedisServerOptions {
  /** With `aof` (default) a kill loses nothing; with `none` the server is empty after every restart. */
  readonly persistence?: 'aof' | 'none';
  /** Additional arguments of redis-server, such as `['--maxmemory', '1mb']`. */
  readonly args?: readonly string[];
}

/** A copy of a server's data at one moment, from which it can be restarted. Removed when the server stops. */
export interface RedisSnapshot {
  readonly directory: string;
}

export interface RedisRestartOptions {
  /** false empties the server, as a lost disk would; default true. */
  readonly keepData?: boolean;
  /** Starts with the data of this snapshot instead, like a restored backup. */
  readonly snapshot?: RedisSnapshot;
}

type RunningRedis = Awaited<ReturnType<typeof startRedis>>;

/** How to start and restart the process. */
interface Launch extends RedisServerOptions {
  readonly dataDir: string;
  readonly port?: number;
  /** Read before the arguments; a Sentinel keeps its state in it. */
  readonly configFile?: string;
}

/**
 * Starts a separate Redis, for faults that would disturb other tests. End it with `await using` or `stop()`; it never
 * outlives this process.
 */
export async function startRedisServer(options: RedisServerOptions = {}): Promise<RedisTestServer> {
  return inTemporaryDirectory(async (directory) => {
    const launch = { persistence: 'aof' as const, ...options, dataDir: join(directory.path, 'data') };
    return new RedisTestServer(await startRedis(launch), launch, directory);
  });
}

/**
 * Starts a Sentinel with these lines of configuration. It saves its state by replacing its configuration file, so its
 * account must be able to write to the directory.
 */
export async function startSentinelServer(configuration: readonly string[]): Promise<RedisTestServer> {
  return inTemporaryDirectory(async (directory) => {
    await chmod(directory.path, 0o777);
    const configFile = join(directory.path, 'sentinel.conf');
    await writeFile(configFile, `${configuration.join('\n')}\n`);
    await chmod(configFile, 0o666);
    const launch = { dataDir: join(directory.path, 'data'), configFile, args: ['--sentinel'] };
    return new RedisTestServer(await startRedis(launch), launch, directory);
  });
}

/** A Redis process that keeps its port through every fault and restart; see `startRedisServer`. */
export class RedisTestServer implements AsyncDisposable {
  /** `redis://127.0.0.1:<port>` */
  readonly url: string;
  readonly port: number;
  readonly #launch: Launch;
  readonly #directory: TemporaryDirectory;
  readonly #clients = new Set<Redis>();
  #running: RunningRedis;
  #process: ServerProcess;
  #snapshotCount = 0;

  constructor(running: RunningRedis, launch: Launch, directory: TemporaryDirectory) {
    this.#running = running;
    this.#process = new ServerProcess(running);
    this.#launch = { ...launch, port: running.port, dataDir: running.dataDir };
    this.#directory = directory;
    this.port = running.port;
    this.url = running.url;
  }

  /** Process ID; changes with each restart. */
  get pid(): number {
    return this.#process.pid;
  }

  /** Creates a client, disconnected when the server stops. Lost connections raise no uncaught errors. */
  client(options: RedisOptions = {}): Redis {
    const client = new Redis(this.port, '127.0.0.1', options);
    client.on('error', () => {});
    this.#clients.add(client);
    return client;
  }

  /** kill -9. Resolves when the process has ended. */
  kill(): Promise<void> {
    return this.#process.kill();
  }

  /** SIGSTOP: connections stay open and the kernel accepts new ones, without replies. */
  pause(): void {
    this.#process.pause();
  }

  /** SIGCONT: commands sent meanwhile are now carried out. */
  resume(): void {
    this.#process.resume();
  }

  /** Copies the current data, with every acknowledged write. Needs `persistence: 'aof'`. */
  async takeSnapshot(): Promise<RedisSnapshot> {
    const wasPaused = this.#process.isPaused;
    this.#snapshotCount += 1;
    const directory = join(this.#directory.path, `snapshot-${this.#snapshotCount}`);
    this.pause();
    try {
      await copyDirectory(this.#launch.dataDir, directory);
    } finally {
      if (!wasPaused) this.resume();
    }
    return { directory };
  }

  /** Restarts on the same port: after a graceful stop if the server is running, also after `kill()`. */
  async restart({ keepData = true, snapshot }: RedisRestartOptions = {}): Promise<void> {
    this.#process.resume();
    await this.#running.stop();
    if (snapshot || !keepData) await emptyDirectory(this.#launch.dataDir);
    if (snapshot) await copyDirectory(`${snapshot.directory}/.`, this.#launch.dataDir);
    this.#running = await startRedis(this.#launch);
    this.#process = new ServerProcess(this.#running);
  }

  /** Ends the server and its clients, and removes its data. Can be called twice. */
  async stop(): Promise<void> {
    for (const client of this.#clients) disconnect(client);
    await this.kill();
    await rm(this.#launch.dataDir, { recursive: true, force: true });
    await this.#directory.remove();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.stop();
  }
}
