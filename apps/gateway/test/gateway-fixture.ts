import { once } from 'node:events';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll } from '@jest/globals';
import {
  createTestDatabase,
  type RedisTestServer,
  startRedisServer,
  type TestDatabase,
} from '@solegate/testkit';
import { type Answer, type AskOptions, ask } from './gateway-client.js';
import type { GatewayOrder, RunningGateway, StartRefusal } from './gateway-host.js';

export { type Answer, type AskOptions, ask, type Json, RUNTIME_ROLE } from './gateway-client.js';

/** Even a loaded machine starts a gateway and its stores within this time. */
const START_MAX_MS = 120_000;

export interface StoreUrls {
  readonly databaseUrl: string;
  readonly redisUrl: string;
}

export interface TestGateway extends RunningGateway {
  readonly url: string;
  ask(query: string, options?: AskOptions): Promise<Answer>;
  /** Shuts down gracefully, like a gateway that receives SIGTERM. */
  stop(): Promise<void>;
}

type Environment = Readonly<Record<string, string>>;

/** A gateway with its own stores, for all tests of a file; in demo mode unless the environment says otherwise. */
export function gatewayOfFile(environment: Environment | (() => Environment) = {}): FileGateway {
  return new FileStores().gateway(environment);
}

/**
 * The stores of one test file, and any number of gateways on them, which stop before the stores do. Each file has its own
 * Redis server, because pub/sub ignores logical databases: other files would receive offers to all drivers.
 */
export class FileStores implements StoreUrls {
  #stores:
    | { readonly database: TestDatabase; readonly redis: RedisTestServer; readonly databaseUrl: string }
    | undefined;
  readonly #gateways: FileGateway[] = [];

  constructor() {
    beforeAll(async () => {
      const [database, redis] = await Promise.all([
        createTestDatabase({ migrations: [] }),
        startRedisServer(),
      ]);
      this.#stores = { database, redis, databaseUrl: await asRuntimeRole(database.url) };
    }, START_MAX_MS);
    afterAll(async () => {
      await Promise.all(this.#gateways.map((gateway) => gateway.stop()));
      await Promise.all([this.#stores?.database.drop(), this.#stores?.redis.stop()]);
    });
  }

  /** With the gateways' role, which cannot change tables. */
  get databaseUrl(): string {
    return started(this.#stores).databaseUrl;
  }

  /** With the role that owns the tables. */
  get ownerUrl(): string {
    return this.database.url;
  }

  get redisUrl(): string {
    return started(this.#stores).redis.url;
  }

  get database(): TestDatabase {
    return started(this.#stores).database;
  }

  /** @param environment or a function that returns it, called after the `beforeAll` hooks registered earlier */
  gateway(environment: Environment | (() => Environment) = {}): FileGateway {
    const gateway = new FileGateway(this, environment);
    this.#gateways.push(gateway);
    return gateway;
  }
}

/** Runs from before the first test of the file until after the last. */
export class FileGateway implements TestGateway {
  #running: TestGateway | undefined;

  constructor(
    readonly stores: FileStores,
    environment: Environment | (() => Environment),
  ) {
    beforeAll(async () => {
      this.#running = await startTestGateway(
        stores,
        typeof environment === 'function' ? environment() : environment,
      );
    }, START_MAX_MS);
  }

  get port(): number {
    return started(this.#running).port;
  }

  get node(): number | undefined {
    return started(this.#running).node;
  }

  get pid(): number {
    return started(this.#running).pid;
  }

  get url(): string {
    return started(this.#running).url;
  }

  ask(query: string, options?: AskOptions): Promise<Answer> {
    return started(this.#running).ask(query, options);
  }

  async stop(): Promise<void> {
    await this.#running?.stop();
  }
}

function started<T>(part: T | undefined): T {
  if (part === undefined) throw new Error('it starts before the first test of the file, not earlier');
  return part;
}

/**
 * Starts a gateway in this worker's host process, on a free port, in demo mode unless the environment says otherwise.
 *
 * @param migrates if true, the gateway connects with the role of `databaseUrl` and creates the tables; default: it uses the
 *   role that cannot change them
 */
export async function startTestGateway(
  { databaseUrl, redisUrl }: StoreUrls,
  environment: Environment = {},
  { migrates = false } = {},
): Promise<TestGateway> {
  const host = await gatewayHost();
  const order: GatewayOrder = { databaseUrl, redisUrl, environment, migrates };
  const response = await fetch(host, { method: 'POST', body: JSON.stringify(order) });
  const answer = (await response.json()) as RunningGateway | StartRefusal;
  if ('refused' in answer) throw Object.assign(new Error(answer.refused.message), answer.refused);
  const url = `http://127.0.0.1:${answer.port}`;
  return {
    ...answer,
    url,
    ask: (query, options) => ask(url, query, options),
    async stop() {
      await fetch(`${host}/${answer.port}`, { method: 'DELETE' });
    },
  };
}

/** Creates the tables, and returns the URL of the same database with the gateways' role. */
export async function asRuntimeRole(ownerUrl: string): Promise<string> {
  const response = await fetch(await gatewayHost(), { method: 'PUT', body: JSON.stringify(ownerUrl) });
  return (await response.json()) as string;
}

/** URL of the process that runs this worker's gateways; the first call starts it. */
async function gatewayHost(): Promise<string> {
  const socket = connect({ host: '127.0.0.1', port: Number(process.env.SOLEGATE_GATEWAY_HOSTS) });
  await once(socket, 'connect');
  socket.write(`${process.env.JEST_WORKER_ID}\n`);
  const port = await text(socket);
  if (port === '') throw new Error('the host of gateways did not start; see the output above');
  return `http://127.0.0.1:${port}`;
}
