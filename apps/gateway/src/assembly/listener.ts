import { randomUUID } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import type { Logger } from 'pino';
import { collectDefaultMetrics, type Registry } from 'prom-client';
import type { GatewayConfig } from '../config.js';
import { IncidentLog } from '../errors/incident-log.js';
import { admission } from '../execution/admission.js';
import { startGraphqlServer } from '../execution/graphql-server.js';
import { KnownOperations } from '../execution/known-operations.js';
import { createRateLimiter } from '../execution/rate-limiter.js';
import { Feeds } from '../graphql/feeds.js';
import { RequestContext } from '../graphql/request-context.js';
import { registerConsolePage } from '../http/console-page.js';
import { registerGraphqlRoute } from '../http/graphql-route.js';
import { registerOperationsRoutes } from '../http/health-routes.js';
import { createHttpServer } from '../http/http-server.js';
import { acceptLoopbackHostsOnly, isLoopbackHost } from '../http/loopback-hosts.js';
import { createAuthenticator } from '../identity/create-authenticator.js';
import { IssuedFeed } from '../numbering/issued-feed.js';
import { NumberFeed } from '../numbering/number-feed.js';
import { OperationReport } from '../operations/operation-report.js';
import type { Readiness } from '../operations/readiness.js';
import { registerSocketMetrics } from '../operations/socket-metrics.js';
import { buildGatewaySchema } from '../schema/schema.js';
import { serveWebSockets } from '../sockets/websocket-server.js';
import type { Stores } from '../stores/stores.js';
import { TripFeed } from '../trips/trip-feed.js';
import { inOrder } from './in-order.js';
import { createResolvers } from './resolvers.js';
import type { Services } from './services.js';

const IDLE_SWEEP_MS = 50;

export interface ListenerOptions {
  readonly config: GatewayConfig;
  readonly logger: Logger;
  /** The metrics of all processes that share the port. Default: those of this one. */
  readonly metricsText?: () => Promise<string>;
}

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
export async function listenerOf(options: ListenerOptions, parts: ListenerParts): Promise<Listener> {
  const { config, logger } = options;
  const { stores, services, registry, readiness } = parts;
  const incidents = new IncidentLog(logger);
  const redis = stores.redis.background;
  const schema = buildGatewaySchema(
    createResolvers(services, redis, new IssuedFeed(services.pubSub, logger)),
  );
  const feeds = new Feeds([new TripFeed(services.trips, services.pubSub), new NumberFeed(services.pubSub)]);
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
      new RequestContext({ identity, requestId: randomUUID(), address, feeds }),
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
