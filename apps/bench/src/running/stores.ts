import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type PostgresServer, type RedisServer, startPostgres, startRedis } from '@solegate/local-services';
import { Redis } from 'ioredis';
import pg from 'pg';

/** The PostgreSQL and Redis of one run: separate, empty, durable, and removed afterwards. */
export interface BenchStores extends AsyncDisposable {
  readonly redisUrl: string;
  /** Folder of PostgreSQL's data. */
  readonly folder: string;
  readonly versions: { readonly postgres: string; readonly redis: string };
  /** Creates an empty database, removed with the server. */
  createDatabase(name: string): Promise<string>;
  /** Starts a second Redis for fault scenarios, with an append-only file, so that its keys survive a restart. */
  startFaultyRedis(place: { readonly name: string; readonly port?: number }): Promise<RedisServer>;
}

/**
 * PostgreSQL runs with fsync on: a number that a power cut can undo was never issued, so a bench without fsync would
 * measure a configuration that must not be used. Data is under `.data` of the checkout, not in a memory file system.
 */
export async function openStores(onProgress?: (text: string) => void): Promise<BenchStores> {
  const parent = fileURLToPath(new URL('../../../../.data/', import.meta.url));
  await mkdir(parent, { recursive: true });
  const directory = await mkdtemp(join(parent, 'bench-'));
  const report = onProgress === undefined ? {} : { onProgress };
  const opened: { stop(): Promise<void> }[] = [];
  try {
    const postgres = await startPostgres({
      dataDir: join(directory, 'postgres'),
      durability: 'full',
      ...report,
    });
    opened.push(postgres);
    const redis = await startRedis({ dataDir: join(directory, 'redis'), persistence: 'none', ...report });
    opened.push(redis);
    const stores = await OpenStores.over(postgres, redis, directory);
    stores.closeOnSignals();
    return stores;
  } catch (error) {
    await Promise.all(opened.map((server) => server.stop()));
    await rm(directory, { recursive: true, force: true });
    throw error;
  }
}

const END_SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
/** Exit code that shells report for a program ended by Ctrl-C. */
const INTERRUPTED = 130;

class OpenStores implements BenchStores {
  readonly #faulty: RedisServer[] = [];

  private constructor(
    private readonly postgres: PostgresServer,
    private readonly redis: RedisServer,
    private readonly directory: string,
    readonly versions: BenchStores['versions'],
  ) {}

  static async over(postgres: PostgresServer, redis: RedisServer, directory: string): Promise<OpenStores> {
    const versions = { postgres: await postgresVersion(postgres.url), redis: await redisVersion(redis.url) };
    return new OpenStores(postgres, redis, directory, versions);
  }

  get redisUrl(): string {
    return this.redis.url;
  }

  get folder(): string {
    return this.postgres.dataDir;
  }

  async createDatabase(name: string): Promise<string> {
    const client = new pg.Client({ connectionString: this.postgres.url });
    await client.connect();
    try {
      await client.query(`CREATE DATABASE ${pg.escapeIdentifier(name)}`);
    } finally {
      await client.end();
    }
    const url = new URL(this.postgres.url);
    url.pathname = `/${name}`;
    return url.href;
  }

  async startFaultyRedis({ name, port }: { name: string; port?: number }): Promise<RedisServer> {
    const server = await startRedis({
      dataDir: join(this.directory, name),
      persistence: 'aof',
      ...(port === undefined ? {} : { port }),
    });
    this.#faulty.push(server);
    return server;
  }

  /** Cleans up on Ctrl-C: leaves neither servers nor their data behind. */
  closeOnSignals(): void {
    for (const signal of END_SIGNALS) process.once(signal, this.#interrupted);
  }

  readonly #interrupted = (): void => {
    void this[Symbol.asyncDispose]().finally(() => process.exit(INTERRUPTED));
  };

  async [Symbol.asyncDispose](): Promise<void> {
    for (const signal of END_SIGNALS) process.off(signal, this.#interrupted);
    await Promise.allSettled([...this.#faulty, this.redis, this.postgres].map((server) => server.stop()));
    // As root, the servers keep their data where their account can reach it, outside of our folder.
    const folders = [this.directory, this.postgres, this.redis, ...this.#faulty].map((place) =>
      typeof place === 'string' ? place : place.dataDir,
    );
    await Promise.all(folders.map((folder) => rm(folder, { recursive: true, force: true })));
  }
}

async function postgresVersion(url: string): Promise<string> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const { rows } = await client.query<{ server_version: string }>('SHOW server_version');
    return rows[0]?.server_version ?? 'unknown';
  } finally {
    await client.end();
  }
}

async function redisVersion(url: string): Promise<string> {
  const client = new Redis(url, { lazyConnect: true });
  try {
    await client.connect();
    return /redis_version:(\S+)/.exec(await client.info('server'))?.[1] ?? 'unknown';
  } finally {
    client.disconnect();
  }
}
