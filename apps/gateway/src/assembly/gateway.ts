import 'reflect-metadata';
import { setTimeout as pause } from 'node:timers/promises';
import { Registry } from 'prom-client';
import { createAuthenticator } from '../identity/create-authenticator.js';
import { untraced } from '../operations/background-trace.js';
import { checkConnectionBudget } from '../operations/connection-budget.js';
import { type PromiseStatus, promiseStatuses } from '../operations/promise-table.js';
import { Readiness } from '../operations/readiness.js';
import { redisProbe } from '../operations/store-probes.js';
import type { StoreUrls } from '../stores/database.js';
import { closeRedisConnections, openRedisConnections } from '../stores/redis-connections.js';
import { DemoData } from './demo-data.js';
import { DemoHistory } from './demo-history.js';
import { inOrder } from './in-order.js';
import { type ListenerOptions, type ListenerParts, listenerOf } from './listener.js';
import { type Services, startServices } from './services.js';

/*
 * One gateway: the only place where the packages are combined.
 *
 * Startup order: stores (migrated under a lock, so that any number of gateways can start at the same time, or only
 * checked), node ID, schema, demo data, listener. A failed start closes what it opened and throws. Without Redis, or
 * without a free node, a gateway starts all the same: numbers and trips need neither.
 *
 * Shutdown order, so that nothing uses a part that has already stopped:
 *   readiness    fails, so load balancers send no more requests; responses close their connection
 *   WebSocket    clients are asked to reconnect elsewhere
 *   HTTP         the listener closes; accepted requests are completed
 *   GraphQL      the engine stops
 *   services     pending shared commits finish; the node is released with the time of its last ID; PostgreSQL closes
 *   Redis        closes after the release of the node
 * A part that fails to stop is logged and does not prevent the others from stopping.
 */

export interface GatewayOptions extends StoreUrls, ListenerOptions {
  /** Redis is embedded, so an empty one has not lost any data. Default false. */
  readonly trustEmptyRedis?: boolean;
  /** Runs missing migrations, if the role may; if false, a schema that lacks them is refused. Default true. */
  readonly migrates?: boolean;
  /** Creates the demo history in the background; demo mode only. Default false. */
  readonly demoHistory?: boolean;
  /** Registry for the metrics of this process. Default: a new one. */
  readonly registry?: Registry;
}

export interface Gateway {
  readonly port: number;
  /** Node ID at startup. */
  readonly node: number | undefined;
  /** What worked at startup. */
  readonly promises: readonly PromiseStatus[];
  /** Shuts down gracefully; repeated calls return the same promise. */
  stop(): Promise<void>;
}

/** Starts a gateway. @throws the cause of a failed start, with nothing left open */
export async function startGateway(options: GatewayOptions): Promise<Gateway> {
  const { config, logger } = options;
  const { migrates = true } = options;
  let services: Services | undefined;
  // Before anything is taken: keys that cannot work end the start.
  const authenticate = await createAuthenticator(config.identity, (identity) =>
    services?.data.people.keep(identity),
  );
  const redis = await openRedisConnections(options.redisUrl);
  const registry = options.registry ?? new Registry();
  try {
    const { databaseUrl, trustEmptyRedis = false } = options;
    const running = await untraced(() =>
      startServices({ config, databaseUrl, redis, migrates, trustEmptyRedis, logger, registry }),
    );
    services = running;
    return await serve(options, { services: running, registry, authenticate }).catch(
      async (error: unknown) => {
        await running.close();
        throw error;
      },
    );
  } catch (error) {
    closeRedisConnections(redis);
    throw error;
  }
}

async function serve(
  options: GatewayOptions,
  { services, registry, authenticate }: Omit<ListenerParts, 'readiness' | 'promises'>,
): Promise<Gateway> {
  const { config, logger } = options;
  const { cells, redis } = services;
  const partOf = (kind: 'postgres' | 'nodeLease', name: string): string =>
    cells.isOne ? kind : `${kind} ${name}`;
  const readiness = new Readiness({
    probes: {
      ...Object.fromEntries(cells.all.map((cell) => [partOf('postgres', cell.name), () => cell.probe()])),
      redis: redisProbe(redis.background),
      ...Object.fromEntries(
        cells.all.map((cell) => [partOf('nodeLease', cell.name), async () => cell.probeNode()]),
      ),
    },
    needed: cells.all.map(({ name }) => partOf('postgres', name)),
  });
  const promises = () => {
    const [parts, away] = [readiness.probedParts, readiness.away()];
    return promiseStatuses({ parts, away, nodeStore: config.nodeStore, lease: services.node.health() });
  };
  if (!config.developmentNode)
    await checkConnectionBudget({ pools: cells.pools(), list: services.listFleet, config }, logger);
  const app = await listenerOf(options, { services, registry, authenticate, readiness, promises });
  await untraced(() => readiness.start());
  const demo = new DemoData(services, logger);
  if (config.identity.mode === 'demo') await demo.write();
  const port = await app.listen().catch(async (error: unknown) => {
    await demo.stop();
    readiness.stop();
    await app.close();
    throw error;
  });
  const history = new DemoHistory({ services, redis: redis.background, logger });
  if (options.demoHistory === true && config.identity.mode === 'demo') history.start();
  let stopping: Promise<void> | undefined;
  return {
    port,
    node: services.node.health().node,
    promises: promises(),
    stop() {
      stopping ??= inOrder(logger, [
        async () => {
          readiness.drain();
          await pause(config.drainDelayMs);
        },
        app.close,
        async () => readiness.stop(),
        () => history.stop(),
        () => demo.stop(),
        () => services.close(),
        async () => closeRedisConnections(redis),
      ]);
      return stopping;
    },
  };
}
