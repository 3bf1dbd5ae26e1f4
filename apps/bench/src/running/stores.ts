import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { findRedisBinary, type PostgresServer, startPostgres, startRedis } from '@solegate/local-services';
import pg from 'pg';

/** The PostgreSQL and Redis of one run: separate, empty, durable, and removed afterwards. */
export interface BenchStores extends AsyncDisposable {
  readonly redisUrl: string;
  readonly versions: { readonly postgres: string; readonly redis: string };
  /** Creates an empty database, removed with the server. */
  createDatabase(name: string): Promise<string>;
}

const END_SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
/** Exit code that shells report for a program ended by Ctrl-C. */
const INTERRUPTED = 130;

/**
 * PostgreSQL runs with fsync on: a number that a power cut can undo was never issued, so a bench without fsync would
 * measure a configuration that must not be used. Data is under `.data` of the checkout, not in a memory file system.
 * Ctrl-C leaves neither servers nor their data behind.
 */
export async function openStores(onProgress?: (text: string) => void): Promise<BenchStores> {
  const parent = fileURLToPath(new URL('../../../../.data/', import.meta.url));
  await mkdir(parent, { recursive: true });
  const directory = await mkdtemp(join(parent, 'bench-'));
  const report = onProgress === undefined ? {} : { onProgress };
  const servers: Pick<PostgresServer, 'dataDir' | 'stop'>[] = [];
  const close = async (): Promise<void> => {
    for (const signal of END_SIGNALS) process.off(signal, interrupted);
    await Promise.allSettled(servers.map((server) => server.stop()));
    // As root, the servers keep their data where their account can reach it, outside of our folder.
    const folders = [directory, ...servers.map(({ dataDir }) => dataDir)];
    await Promise.all(folders.map((folder) => rm(folder, { recursive: true, force: true })));
  };
  const interrupted = (): void => void close().finally(() => process.exit(INTERRUPTED));
  for (const signal of END_SIGNALS) process.once(signal, interrupted);
  try {
    const dataDir = join(directory, 'postgres');
    const postgres = await startPostgres({ dataDir, durability: 'full', ...report });
    servers.push(postgres);
    const redis = await startRedis({ dataDir: join(directory, 'redis'), persistence: 'none', ...report });
    servers.push(redis);
    const [row] = await ask(postgres.url, 'SHOW server_version');
    return {
      redisUrl: redis.url,
      versions: { postgres: row?.server_version ?? 'unknown', redis: (await findRedisBinary()).version },
      createDatabase: async (name) => {
        await ask(postgres.url, `CREATE DATABASE ${pg.escapeIdentifier(name)}`);
        return Object.assign(new URL(postgres.url), { pathname: `/${name}` }).href;
      },
      [Symbol.asyncDispose]: close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

async function ask(connectionString: string, text: string): Promise<Record<string, string>[]> {
  const client = new pg.Client({ connectionString });
  await client.connect();
  try {
    return (await client.query(text)).rows;
  } finally {
    await client.end();
  }
}
