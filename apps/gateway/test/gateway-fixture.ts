import { createTestDatabase, createTestRedis } from '@solegate/testkit';
import { pino } from 'pino';
import { type Gateway, startGateway } from '../src/assembly/gateway.js';
import { type GatewayConfig, readConfig } from '../src/config.js';
import { asRuntimeRole } from './runtime-role.js';

/** What a test asked for, as JSON: the test knows its shape, and fails where it is wrong. */
// biome-ignore lint/suspicious/noExplicitAny: see above
export type Told = any; // oxlint-disable-line typescript/no-explicit-any

/** A GraphQL answer as it came over HTTP. */
export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly data: Told;
  readonly errors: readonly {
    readonly message: string;
    readonly extensions: Readonly<Record<string, unknown>>;
  }[];
}

export interface AskOptions {
  readonly variables?: Readonly<Record<string, unknown>>;
  /** Demo user such as `driver-7`. Default: everybody in one. */
  readonly as?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface TestStores extends AsyncDisposable {
  /** As the role that gateways run with. */
  readonly databaseUrl: string;
  /** As the role that owns the tables, for what only that role may do. */
  readonly ownerUrl: string;
  readonly redisUrl: string;
}

export async function createTestStores(): Promise<TestStores> {
  const [database, redis] = await Promise.all([createTestDatabase({ migrations: [] }), createTestRedis()]);
  return {
    databaseUrl: await asRuntimeRole(database.url),
    ownerUrl: database.url,
    redisUrl: redis.url,
    async [Symbol.asyncDispose]() {
      await Promise.all([database.drop(), redis.drop()]);
    },
  };
}

export interface TestGateway extends Gateway {
  readonly url: string;
  ask(query: string, options?: AskOptions): Promise<Answer>;
}

/** A gateway in this process on a free port, without the right to change tables, in demo mode unless the environment says otherwise. */
export async function startTestGateway(
  stores: { readonly databaseUrl: string; readonly redisUrl: string },
  environment: Readonly<Record<string, string>> = {},
): Promise<TestGateway> {
  const { redisUrl } = stores;
  const databaseUrl = await asRuntimeRole(stores.databaseUrl);
  const config: GatewayConfig = readConfig({
    PORT: '0',
    LOG_LEVEL: 'silent',
    DATABASE_URL: databaseUrl,
    REDIS_URL: redisUrl,
    ...environment,
  });
  const logger = pino({ level: config.logLevel });
  const gateway = await startGateway({ config, logger, databaseUrl, redisUrl, migrates: false });
  const url = `http://127.0.0.1:${gateway.port}`;
  return { ...gateway, url, ask: (query, options) => ask(url, query, options) };
}

/** One GraphQL request over HTTP. */
export async function ask(url: string, query: string, options: AskOptions = {}): Promise<Answer> {
  const response = await fetch(`${url}/graphql`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/graphql-response+json',
      ...(options.as && { 'x-demo-user': options.as }),
      ...options.headers,
    },
    body: JSON.stringify({ query, variables: options.variables }),
  });
  const { data, errors = [] } = (await response.json()) as Partial<Answer>;
  return { status: response.status, headers: response.headers, data, errors };
}
