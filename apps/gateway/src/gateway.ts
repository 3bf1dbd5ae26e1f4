import 'reflect-metadata';
import { randomUUID } from 'node:crypto';
import type { AddressInfo } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';
import type { Logger } from 'pino';
import { collectDefaultMetrics, Registry } from 'prom-client';
import type { GatewayConfig } from './config.js';
import { IncidentLog } from './errors/incident-log.js';
import { registerConsolePage } from './http/console-page.js';
import { registerGraphqlRoute } from './http/graphql-route.js';
import { startGraphqlServer } from './http/graphql-server.js';
import { createHttpServer } from './http/http-server.js';
import { createLoaders } from './http/loaders.js';
import { acceptLoopbackHostsOnly, isLoopbackHost } from './http/loopback-hosts.js';
import { RequestContext } from './http/request-context.js';
import { createAuthenticator } from './identity/create-authenticator.js';
import { createRateLimiter } from './limits/rate-limiter.js';
import { IssuedFeed } from './numbering/issued-feed.js';
import { OperationReport } from './operations/operation-report.js';
import { registerOperationsRoutes } from './operations/operations-routes.js';
import { Readiness } from './operations/readiness.js';
import { registerSocketMetrics } from './operations/socket-metrics.js';
import { leaseProbe, postgresProbe, redisProbe } from './operations/store-probes.js';
import { createResolvers } from './resolvers.js';
import { buildGatewaySchema } from './schema.js';
import { type Services, startServices } from './services.js';
import { seedDemoData } from './stores/demo-data.js';
import { openStores, type Stores, type StoreUrls } from './stores/stores.js';
import { NumberFeed } from './subscriptions/number-feed.js';
import { TripFeed } from './subscriptions/trip-feed.js';
import { serveWebSockets } from './subscriptions/websocket-server.js';

/*
 * One gateway: the only place where the packages meet.
 *
 * Start: stores (migrated under a lock, so any number may start at once), node ID, demo data, schema, listener. A start
 * that fails closes what it had opened and throws.
 *
 * Stop, in this order, so that nothing is asked for what is gone already:
 *   unready      balancers send no more; answers give their connection back
 *   WebSocket    subscribers are told to go elsewhere
 *   HTTP         the listener closes; requests that were accepted are answered
 *   GraphQL      the engine
 *   services     shared commits under way finish; the node is given back with the time of its last ID
 *   stores       Redis, then PostgreSQL
 * A part that fails to stop is logged and does not keep the others from stopping.
 */

const IDLE_SWEEP_MS = 50;

export interface GatewayOptions extends StoreUrls {
  readonly config: GatewayConfig;
  readonly logger: Logger;
  /** The Redis is this gateway's own; an empty one has forgotten nothing. Default false. */
  readonly trustEmptyRedis?: boolean;
  /** Where this process counts. Default: a registry of its own. */
  readonly registry?: Registry;
  /** The metrics of all processes that share the port. Default: those of this one. */
  readonly metricsText?: () => Promise<string>;
}

export interface Gateway {
  readonly port: number;
  /** Node ID at the start. */
  readonly node: number | undefined;
  /** Everything in good order; may be called twice. */
  stop(): Promise<void>;
}

/** @throws what kept it from starting, with nothing left open */
export async function startGateway(options: GatewayOptions): Promise<Gateway> {
  const stores = await openStores(options, options.config, options.logger);
  const registry = options.registry ?? new Registry();
  try {
    const services = await startServices(stores, {
      config: options.config,
      trustEmptyRedis: options.trustEmptyRedis ?? false,
      logger: options.logger,
      registry,
    });
    return await serve(options, stores, services, registry).catch(async (error: unknown) => {
      await services.close();
      throw error;
    });
  } catch (error) {
    await stores.close();
    throw error;
  }
}

async function serve(
  options: GatewayOptions,
  stores: Stores,
  services: Services,
  registry: Registry,
): Promise<Gateway> {
  const { config, logger } = options;
  if (config.identity.mode === 'demo') {
    await seedDemoData(stores.dataSource, services.data, services.numbering);
  }
  const readiness = new Readiness({
    probes: {
      postgres: postgresProbe(stores.pool),
      redis: redisProbe(stores.redis.background),
      nodeLease: leaseProbe(services.node.lease),
    },
  });
  const app = await listenerOf(options, { stores, services, registry, readiness });
  await readiness.start();
  try {
    await app.http.listen({ host: config.host, port: config.port });
  } catch (error) {
    readiness.stop();
    await app.close();
    throw error;
  }
  let stopping: Promise<void> | undefined;
  return {
    port: (app.http.server.address() as AddressInfo).port,
    node: services.node.lease.node,
    stop() {
      stopping ??= inOrder(logger, [
        async () => {
          readiness.drain();
          await pause(config.drainDelayMs);
        },
        app.close,
        async () => readiness.stop(),
        () => services.close(),
        () => stores.close(),
      ]);
      return stopping;
    },
  };
}

interface ListenerParts {
  readonly stores: Stores;
  readonly services: Services;
  readonly registry: Registry;
  readonly readiness: Readiness;
}

interface Listener {
  readonly http: FastifyInstance;
  /** WebSocket, HTTP, GraphQL. */
  readonly close: () => Promise<void>;
}

async function listenerOf(options: GatewayOptions, parts: ListenerParts): Promise<Listener> {
  const { config, logger } = options;
  const { stores, services, registry, readiness } = parts;
  const incidents = new IncidentLog(logger);
  const redis = stores.redis.background;
  const schema = buildGatewaySchema(
    createResolvers(services, redis, new IssuedFeed(services.pubSub, logger)),
  );
  const feeds = {
    trips: new TripFeed(services.trips, services.pubSub),
    numbers: new NumberFeed(services.pubSub),
  };
  const makeLoaders = () => createLoaders(services);
  const rateLimiter =
    config.rateLimitPerSecond > 0 ? createRateLimiter(redis, config.rateLimitPerSecond) : undefined;
  const authenticate = await createAuthenticator(config.identity);
  collectDefaultMetrics({ register: registry });
  const graphql = await startGraphqlServer(schema, config, { incidents, logger, rateLimiter });
  const http = await createHttpServer({ ...config, incidents });
  registerGraphqlRoute(http, {
    server: graphql,
    authenticate,
    rateLimiter,
    report: new OperationReport(registry, logger),
    feeds,
    makeLoaders,
    isDraining: () => readiness.isDraining,
    requestTimeoutMs: config.requestTimeoutMs,
  });
  if (config.identity.mode === 'demo') {
    acceptLoopbackHostsOnly(http);
    registerConsolePage(http);
  }
  registerOperationsRoutes(http, {
    readiness,
    metricsText: options.metricsText ?? (() => registry.metrics()),
  });
  const sockets = serveWebSockets(http, {
    schema,
    authenticate,
    rateLimiter,
    incidents,
    logger,
    makeContext: (identity, address) =>
      new RequestContext({ identity, requestId: randomUUID(), address, feeds, makeLoaders }),
    now: Date.now,
    isOwnHost: config.identity.mode === 'demo' ? isLoopbackHost : () => true,
  });
  registerSocketMetrics(registry, sockets, services.pubSub);
  return {
    http,
    close: () => inOrder(logger, [() => sockets.close(), () => closeListener(http), () => graphql.stop()]),
  };
}

/**
 * Closes the listener and waits for the requests that were accepted. A connection whose answer was on its way when the
 * stop began is kept alive by its client, so connections without a request are closed again and again.
 */
async function closeListener(http: FastifyInstance): Promise<void> {
  const sweep = setInterval(() => http.server.closeIdleConnections(), IDLE_SWEEP_MS);
  try {
    await http.close();
  } finally {
    clearInterval(sweep);
  }
}

/** One after the other; what fails is logged and keeps nothing from its turn. */
async function inOrder(logger: Logger, steps: readonly (() => Promise<void>)[]): Promise<void> {
  for (const step of steps) {
    try {
      await step();
    } catch (error) {
      logger.error({ err: error }, 'a part did not stop in good order');
    }
  }
}
