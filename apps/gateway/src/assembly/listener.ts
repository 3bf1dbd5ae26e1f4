import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import type { FastifyInstance } from 'fastify';
import type { Logger } from 'pino';
import { collectDefaultMetrics, type Registry } from 'prom-client';
import { demoBreaker } from '../breaking/demo-breaker.js';
import { HeldBytes } from '../budget/held-bytes.js';
import { SubscriberPlaces } from '../budget/subscriber-places.js';
import type { GatewayConfig } from '../config.js';
import { IncidentLog } from '../errors/incident-log.js';
import { FactReaders } from '../graphql/fact-readers.js';
import { Feeds } from '../graphql/request-context.js';
import { registerBreakRoutes } from '../http/break-routes.js';
import { addressReader } from '../http/caller.js';
import { registerConsolePage } from '../http/console-page.js';
import { EventStreams } from '../http/event-stream.js';
import { registerExportRoute } from '../http/export-route.js';
import { registerGraphqlRoute } from '../http/graphql-route.js';
import { registerHealthRoutes, registerMetricsRoute } from '../http/health-routes.js';
import { createHttpServer, type HttpServerOptions } from '../http/http-server.js';
import { listenerCloser } from '../http/listener-closer.js';
import { acceptLoopbackOnly, allowOrigins, isLoopbackRequest, Origins } from '../http/origins.js';
import type { Authenticate } from '../identity/identity.js';
import { NumberFactFeed, NumberFeed } from '../numbering/facts/number-feeds.js';
import { IssuedFeed } from '../numbering/issue/issued-feed.js';
import { LedgerExport } from '../numbering/ledger/ledger-export.js';
import { untraced } from '../operations/background-trace.js';
import { registerFeedMetrics } from '../operations/feed-metrics.js';
import { OperationReport } from '../operations/operation-report.js';
import type { PromiseStatus } from '../operations/promise-table.js';
import type { Readiness } from '../operations/readiness.js';
import { registerSocketMetrics } from '../operations/socket-metrics.js';
import { registerStateMetrics } from '../operations/state-metrics.js';
import { serveWebSockets } from '../sockets/websocket-server.js';
import { TripEventFeed, TripFeed } from '../trips/trip-feed.js';
import { startEngine } from './engine.js';
import { inOrder } from './in-order.js';
import { startOverview } from './overview.js';
import { buildGatewaySchema } from './schema.js';
import type { Services } from './services.js';

const { version } = createRequire(import.meta.url)('../../package.json') as { version: string };

export interface ListenerOptions {
  readonly config: GatewayConfig;
  readonly logger: Logger;
  /** Whether both stores are embedded, so that the console may try to break them; demo mode only. Default false. */
  readonly isBreakable?: boolean;
  /** Returns the metrics of all processes that share the port. Default: the metrics of this process. */
  readonly metricsText?: () => Promise<string>;
}

export interface ListenerParts {
  readonly services: Services;
  readonly registry: Registry;
  readonly authenticate: Authenticate;
  readonly readiness: Readiness;
  readonly promises: () => readonly PromiseStatus[];
}

export interface Listener {
  /** Resolves to the port of `/graphql`. */
  readonly listen: () => Promise<number>;
  /** Closes WebSockets, HTTP and GraphQL, in this order. */
  readonly close: () => Promise<void>;
}

/** Assembles everything that clients can reach, without listening yet. */
export async function listenerOf(options: ListenerOptions, parts: ListenerParts): Promise<Listener> {
  const { config, logger } = options;
  const { services, registry, authenticate, readiness, promises } = parts;
  const { cells, redis, numbering, data } = services;
  const incidents = new IncidentLog(logger);
  const overview = await untraced(() => startOverview(services, parts, logger));
  const feed = new IssuedFeed(services.pubSub, logger);
  const schema = buildGatewaySchema({ ...services, feed, overview: overview.parts });
  const feeds = feedsOf(services, registry);
  const isDemo = config.identity.mode === 'demo';
  const report = new OperationReport(registry, logger);
  collectDefaultMetrics({ register: registry });
  const held = new HeldBytes();
  const engineParts = { config, held, incidents, report, logger };
  const engine = await startEngine(schema, { ...engineParts, redis: redis.decision });
  const { runner, admission } = engine;
  const { requestTimeoutMs } = config;
  const door = { runner, admission, authenticate, report, feeds, held, requestTimeoutMs };
  const places = new SubscriberPlaces();
  const streams = new EventStreams(places, held, Date.now);
  const origins = new Origins(config.allowedOrigins, isDemo);
  const { http, metrics, listen, closers } = await openPorts(config, { incidents, admission, report });
  allowOrigins(http, origins);
  registerGraphqlRoute(http, { ...door, streams, isDraining: () => readiness.isDraining });
  registerExportRoute(http, { ...door, streams, ledgerExport: new LedgerExport(numbering, data) });
  registerHealthRoutes(http, readiness, promises);
  if (isDemo && options.isBreakable === true) registerBreakRoutes(http, demoBreaker(services, http.server));
  registerMetricsRoute(metrics, options.metricsText ?? (() => registry.metrics()));
  const sockets = serveWebSockets(http, {
    ...door,
    schema,
    places,
    origins,
    logger,
    now: Date.now,
    addressOf: addressReader(config.trustedProxies),
    isAccepted: isDemo ? isLoopbackRequest : () => true,
  });
  const isCountingTogether = () => admission.isCountingTogether;
  registerStateMetrics(registry, { readiness, pools: cells.pools, version, redis, isCountingTogether });
  registerSocketMetrics(registry, { server: http.server, sockets, streams, held, pubSub: services.pubSub });
  return {
    listen,
    close: () =>
      inOrder(logger, [
        async () => overview.stop(),
        () => sockets.close(),
        () => streams.close(),
        ...closers,
        async () => held.stop(),
        () => engine.stop(),
      ]),
  };
}

/** The sources of subscriptions. */
function feedsOf({ trips, cells, pubSub, data, numbering }: Services, registry: Registry): Feeds {
  const readers = { numbers: new FactReaders(), trips: new FactReaders() };
  registerFeedMetrics(registry, readers);
  return new Feeds([
    new TripFeed(trips, cells, pubSub),
    new NumberFeed(pubSub, data),
    new NumberFactFeed(numbering, data, pubSub, readers.numbers),
    new TripEventFeed(cells, pubSub, readers.trips),
  ]);
}

type HttpParts = Pick<HttpServerOptions, 'incidents' | 'admission' | 'report'>;

/** Creates the main server, with the page at `/`, and that of `/metrics`: the same one unless it has its own port. */
async function openPorts(config: GatewayConfig, parts: HttpParts) {
  const { host, port, metricsPort, identity, requestTimeoutMs } = config;
  const http = openHttp(config, parts);
  await registerConsolePage(http, { identityMode: identity.mode });
  const metrics = metricsPort === undefined ? http : openHttp(config, parts);
  return {
    http,
    metrics,
    closers: [...new Set([http, metrics])].map((server) => listenerCloser(server, requestTimeoutMs)),
    /** Resolves to the main port. */
    listen: async (): Promise<number> => {
      await http.listen({ host, port });
      if (metricsPort !== undefined) await metrics.listen({ host, port: metricsPort });
      return (http.server.address() as AddressInfo).port;
    },
  };
}

/** Creates a server with the hooks that apply to every route. */
function openHttp(config: GatewayConfig, parts: HttpParts): FastifyInstance {
  const http = createHttpServer({ ...config, ...parts });
  if (config.identity.mode === 'demo') acceptLoopbackOnly(http);
  return http;
}
