import { randomUUID } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import { collectDefaultMetrics, type Registry } from 'prom-client';
import { IncidentLog } from './errors/incident-log.js';
import type { GatewayOptions } from './gateway.js';
import { registerConsolePage } from './http/console-page.js';
import { registerGraphqlRoute } from './http/graphql-route.js';
import { startGraphqlServer } from './http/graphql-server.js';
import { createHttpServer } from './http/http-server.js';
import { KnownOperations } from './http/known-operations.js';
import { createLoaders } from './http/loaders.js';
import { acceptLoopbackHostsOnly, isLoopbackHost } from './http/loopback-hosts.js';
import { admission } from './http/operation-guard.js';
import { RequestContext } from './http/request-context.js';
import { createAuthenticator } from './identity/create-authenticator.js';
import { inOrder } from './in-order.js';
import { createRateLimiter } from './limits/rate-limiter.js';
import { IssuedFeed } from './numbering/issued-feed.js';
import { OperationReport } from './operations/operation-report.js';
import { registerOperationsRoutes } from './operations/operations-routes.js';
import type { Readiness } from './operations/readiness.js';
import { registerSocketMetrics } from './operations/socket-metrics.js';
import { createResolvers } from './resolvers.js';
import { buildGatewaySchema } from './schema.js';
import type { Services } from './services.js';
import type { Stores } from './stores/stores.js';
import { NumberFeed } from './subscriptions/number-feed.js';
import { TripFeed } from './subscriptions/trip-feed.js';
import { serveWebSockets } from './subscriptions/websocket-server.js';

const IDLE_SWEEP_MS = 50;

export interface ListenerParts {
  readonly stores: Stores;
  readonly services: Services;
  readonly registry: Registry;
  readonly readiness: Readiness;
}

export interface Listener {
  readonly http: FastifyInstance;
  /** WebSocket, HTTP, GraphQL. */
  readonly close: () => Promise<void>;
}

/** Everything that clients reach, put together and not yet listening. */
export async function listenerOf(options: GatewayOptions, parts: ListenerParts): Promise<Listener> {
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
  const admit = admission(rateLimiter);
  const known = new KnownOperations(schema, admit, incidents);
  const graphql = await startGraphqlServer(schema, config, { admit, known, incidents, logger });
  const http = await createHttpServer({ ...config, incidents });
  registerGraphqlRoute(http, {
    server: graphql,
    known,
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
