import { fileURLToPath } from 'node:url';
import { type ServiceOptions, ServiceProcess, type ServiceRun } from '../processes/service-process.js';
import { createTestDatabase, type TestDatabase } from '../run/test-database.js';
import { type RedisTestServer, startRedisServer } from '../servers/redis-server.js';

/** The gateway of this checkout as `npm start` runs it. It must have been built, which `npm test` does first. */
export const GATEWAY_PROGRAM = fileURLToPath(
  new URL('../../../../apps/gateway/dist/main.js', import.meta.url),
);

export interface GatewayOptions extends Pick<ServiceOptions, 'hasChannel'> {
  /** Its stores and settings; without a database or a Redis, it starts embedded ones. */
  readonly environment: Readonly<Record<string, string>>;
  /** Arguments such as `serve`. Default: none, which brings the tables up to date, then serves. */
  readonly command?: readonly string[];
  /** Flags of Node. Default: none. */
  readonly nodeFlags?: readonly string[];
  /** `dist/main.js` of another release. Default: GATEWAY_PROGRAM. */
  readonly program?: string | undefined;
}

/** Makes gateways that a test does not configure otherwise run only documents that they know by ID. */
const ARE_DOCUMENTS_TRUSTED = process.env.SOLEGATE_TRUSTED_DOCUMENTS_ONLY === 'on';

/** A gateway in its own process, on one port across restarts; it listens on loopback unless HOST differs. */
export class GatewayProcess extends ServiceProcess {
  /** With trusted documents, a second gateway on the same stores, for documents of the tests. */
  readonly #untrusting: GatewayProcess | undefined;
  #untrustingStart: Promise<void> | undefined;

  constructor(gateway: GatewayOptions) {
    const { environment, command = [], nodeFlags = [], program, ...options } = gateway;
    const isTrusting = ARE_DOCUMENTS_TRUSTED && environment.TRUSTED_DOCUMENTS_ONLY === undefined;
    super({
      ...options,
      args: [...nodeFlags, program ?? GATEWAY_PROGRAM, ...command],
      environment: {
        LOG_LEVEL: 'error',
        ...environment,
        ...(isTrusting && { TRUSTED_DOCUMENTS_ONLY: 'on' }),
      },
      announcement: /ready at (http:\/\/\S+)\/graphql/,
      readyPath: '/health/ready',
    });
    if (!isTrusting) return;
    // In production, it leases a node like any other; elsewhere, the tests count one node for one gateway.
    const node = environment.NODE_ENV === 'production' ? {} : { DEVELOPMENT_NODE: 'on' };
    this.#untrusting = new GatewayProcess({
      ...gateway,
      environment: { ...environment, ...node, TRUSTED_DOCUMENTS_ONLY: 'off' },
    });
  }

  /** Its GraphQL endpoint. */
  get url(): string {
    return `${this.origin}/graphql`;
  }

  /**
   * Sends one GraphQL request and returns its data.
   *
   * @throws Error with the errors of the answer as JSON
   */
  async ask<Data>(
    query: string,
    options: { readonly variables?: object; readonly headers?: Readonly<Record<string, string>> } = {},
  ): Promise<Data> {
    this.#untrustingStart ??= this.#untrusting?.start();
    await this.#untrustingStart;
    const response = await fetch((this.#untrusting ?? this).url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...options.headers },
      body: JSON.stringify({ query, variables: options.variables }),
    });
    const { data, errors } = (await response.json()) as { data: Data; errors?: unknown };
    if (errors !== undefined) throw new Error(JSON.stringify(errors));
    return data;
  }

  override async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all([this.end(), this.#untrusting?.end()]);
  }
}

/** Starts a gateway in its own process; resolves when it is ready. See `ServiceProcess.start` for what it throws. */
export async function startGateway(options: GatewayOptions): Promise<GatewayProcess> {
  const gateway = new GatewayProcess(options);
  await gateway.start();
  return gateway;
}

/**
 * Starts a gateway on a database and a Redis that only it uses, which are removed when it is disposed. Redis is a server
 * of its own, because channels know no logical database: events would reach the tests of other files.
 *
 * @param environment its further settings. Default: demo mode
 */
export async function startGatewayWithStores(
  environment: Readonly<Record<string, string>> = {},
): Promise<GatewayProcess> {
  const [database, redis] = await Promise.all([createTestDatabase({ migrations: [] }), startRedisServer()]);
  const gateway = new GatewayWithStores(database, redis, environment);
  await gateway.start();
  return gateway;
}

class GatewayWithStores extends GatewayProcess {
  readonly #database: TestDatabase;
  readonly #redis: RedisTestServer;

  constructor(database: TestDatabase, redis: RedisTestServer, environment: Readonly<Record<string, string>>) {
    super({ environment: { DATABASE_URL: database.url, REDIS_URL: redis.url, ...environment } });
    this.#database = database;
    this.#redis = redis;
  }

  override async [Symbol.asyncDispose](): Promise<void> {
    await super[Symbol.asyncDispose]();
    await Promise.all([this.#database.drop(), this.#redis.stop()]);
  }
}

/** Runs a command of the gateway that ends by itself, such as `migrate`, or a start that is refused. */
export async function runGateway(options: GatewayOptions): Promise<ServiceRun> {
  await using gateway = new GatewayProcess(options);
  return await gateway.run();
}
