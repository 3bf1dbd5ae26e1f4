import { Redis } from 'ioredis';
import { until } from '../judging/until.js';
import { disconnect } from '../servers/disconnect.js';
import { ConnectionLeakError, leftOpen } from './connection-leak.js';
import { testServerUrl } from './test-run.js';

/*
 * One hash in database 0 records the owner of each logical database of the shared server: number → client ID of a
 * keeper connection that stays open while the database is in use. HSETNX acquires a database, so no two callers get the
 * same one. The server never reuses a client ID, so an entry whose client has disconnected belongs to a process that
 * died; such entries are removed (in an optimistic transaction) when no database is free.
 */
const REGISTRY = 'solegate:testkit:databases';

/** How long to wait when all databases are taken; a server started elsewhere might have only 16. */
const FREE_PATIENCE_MS = 60_000;

/**
 * Acquires one empty logical database of the shared Redis for this file alone. End it with `await using` or `drop()`.
 *
 * Channels, scripts, configuration and `INFO` belong to the whole server: use unique channel names, and use
 * `startRedisServer()` for anything that would disturb other tests (FLUSHALL is not available here). Redis Cluster has
 * no logical databases: there, `startRedisCluster()` gives every file its own cluster.
 *
 * @throws TestServerError if there is no server, UntilTimeoutError if all its databases stay taken
 */
export async function createTestRedis(): Promise<TestRedis> {
  const serverUrl = new URL(await testServerUrl('redis'));
  serverUrl.pathname = '/0';
  const keeper = new Redis(serverUrl.href, { lazyConnect: true, retryStrategy: () => null });
  keeper.on('error', () => {});
  await keeper.connect();
  try {
    const number = await takeDatabase(keeper);
    serverUrl.pathname = `/${number}`;
    const client = new Redis(serverUrl.href, {
      lazyConnect: true,
      retryStrategy: (attempt) => Math.min(attempt * 20, 500),
    });
    client.on('error', () => {});
    await client.connect();
    await client.flushdb();
    return new TestRedis({ url: serverUrl.href, number, client, keeper });
  } catch (error) {
    disconnect(keeper);
    throw error;
  }
}

/** A logical database for one test file; see `createTestRedis`. */
export class TestRedis implements AsyncDisposable {
  /** `redis://host:port/number` */
  readonly url: string;
  readonly client: Redis;
  readonly #number: number;
  readonly #keeper: Redis;
  #dropped: Promise<void> | undefined;

  constructor({
    url,
    number,
    client,
    keeper,
  }: { url: string; number: number; client: Redis; keeper: Redis }) {
    this.url = url;
    this.client = client;
    this.#number = number;
    this.#keeper = keeper;
  }

  /**
   * Closes the client, empties the database and releases it. Can be called twice.
   *
   * @throws ConnectionLeakError if another connection to the database is still open; the database is then not released,
   * since that connection could write to it
   */
  drop(): Promise<void> {
    this.#dropped ??= this.#drop();
    return this.#dropped;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.drop();
  }

  async #drop(): Promise<void> {
    disconnect(this.client);
    try {
      const leaks = await this.#leaks();
      if (leaks.length > 0) throw new ConnectionLeakError(this.url, leaks);
      await this.#keeper
        .multi()
        .select(this.#number)
        .flushdb()
        .select(0)
        .hdel(REGISTRY, String(this.#number))
        .exec();
    } finally {
      disconnect(this.#keeper);
    }
  }

  #leaks(): Promise<string[]> {
    const inDatabase = (line: string) => line.includes(` db=${this.#number} `);
    return leftOpen(async () => (await clientList(this.#keeper)).filter(inDatabase));
  }
}

async function takeDatabase(keeper: Redis): Promise<number> {
  const [, databases] = (await keeper.config('GET', 'databases')) as string[];
  const count = Number(databases);
  const id = await keeper.client('ID');
  const take = async () => {
    const taken = await keeper.hkeys(REGISTRY);
    for (const number of freeNumbers(count, taken)) {
      if ((await keeper.hsetnx(REGISTRY, String(number), String(id))) === 1) return number;
    }
    await strikeOutTheDead(keeper);
    return undefined;
  };
  const number = await until(take, {
    timeoutMs: FREE_PATIENCE_MS,
    what: `A free logical database among the ${count} of the test Redis`,
  });
  return number as number;
}

/** All free numbers but 0, from a random start, so that files which start together do not all try the same one. */
function freeNumbers(count: number, taken: readonly string[]): number[] {
  const isTaken = new Set(taken.map(Number));
  const start = Math.floor(Math.random() * count);
  return Array.from({ length: count }, (_, index) => (start + index) % count).filter(
    (number) => number !== 0 && !isTaken.has(number),
  );
}

/** Reads the client list after the registry: the clients in the registry had connected before. */
async function strikeOutTheDead(keeper: Redis): Promise<void> {
  await keeper.watch(REGISTRY);
  const owners = Object.entries(await keeper.hgetall(REGISTRY));
  const living = new Set((await clientList(keeper)).map((line) => /\bid=(\d+)/.exec(line)?.[1]));
  const dead = owners.filter(([, id]) => !living.has(id)).map(([number]) => number);
  if (dead.length === 0) await keeper.unwatch();
  else
    await keeper
      .multi()
      .hdel(REGISTRY, ...dead)
      .exec();
}

async function clientList(keeper: Redis): Promise<string[]> {
  const list = (await keeper.client('LIST')) as string;
  return list.split('\n').filter((line) => line !== '');
}
