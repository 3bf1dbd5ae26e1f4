import 'reflect-metadata';
import { setTimeout as pause } from 'node:timers/promises';
import { Registry } from 'prom-client';
import { untraced } from '../operations/background-trace.js';
import { checkConnectionBudget } from '../operations/connection-budget.js';
import { Readiness } from '../operations/readiness.js';
import { leaseProbe, postgresProbe, redisProbe } from '../operations/store-probes.js';
import { openStores, type Stores, type StoreUrls } from '../stores/stores.js';
import { writeDemoData } from './demo-data.js';
import { DemoHistory } from './demo-history.js';
import { GATEWAY_ENTITIES } from './entities.js';
import { inOrder } from './in-order.js';
import { type ListenerOptions, listenerOf } from './listener.js';
import { type Services, startServices } from './services.js';

/*
 * One gateway: the only place where the packages meet.
 *
 * Start: stores (migrated under a lock, so any number may start at once, or only compared), node ID, demo data, schema, listener. A start
 * that fails closes what it had opened and throws.
 *
 * Stop, in this order, so that nothing is asked for what is gone already:
 *   unready      balancers send no more; answers give their connection back
 *   WebSocket    subscribers are asked to go elsewhere
 *   HTTP         the listener closes; requests that were accepted are answered
 *   GraphQL      the engine
 *   services     shared commits under way finish; the node is given back with the time of its last ID
 *   stores       Redis, then PostgreSQL
 * A part that fails to stop is logged and does not keep the others from stopping.
 */

export interface GatewayOptions extends StoreUrls, ListenerOptions {
  /** The Redis is this gateway's own; an empty one has forgotten nothing. Default false. */
  readonly trustEmptyRedis?: boolean;
  /** Runs missing migrations, for which its role must be allowed; else it refuses another schema. Default true. */
  readonly migrates?: boolean;
  /** Makes a history to look at, in the background; demo mode only. Default false. */
  readonly demoHistory?: boolean;
  /** Where this process counts. Default: a registry of its own. */
  readonly registry?: Registry;
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
  const { config, logger } = options;
  const { migrates = true } = options;
  const stores = await openStores(options, { config, logger, migrates, entities: GATEWAY_ENTITIES });
  const registry = options.registry ?? new Registry();
  try {
    const trustEmptyRedis = options.trustEmptyRedis ?? false;
    const services = await untraced(() =>
      startServices(stores, { config, trustEmptyRedis, logger, registry }),
    );
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
    await writeDemoData(stores.dataSource, services.data, services.numbering);
  }
  const readiness = new Readiness({
    probes: {
      postgres: postgresProbe(stores.pool),
      redis: redisProbe(stores.redis.background),
      nodeLease: leaseProbe(services.node.lease),
    },
  });
  const { databasePoolMax: poolMax } = config;
  if (!config.developmentNode)
    await checkConnectionBudget({ pool: stores.pool, redis: stores.redis.background, poolMax }, logger);
  const app = await listenerOf(options, { stores, services, registry, readiness });
  await untraced(() => readiness.start());
  const port = await app.listen().catch(async (error: unknown) => {
    readiness.stop();
    await app.close();
    throw error;
  });
  const history = new DemoHistory({ services, redis: stores.redis.background, logger });
  if (options.demoHistory === true && config.identity.mode === 'demo') history.start();
  let stopping: Promise<void> | undefined;
  return {
    port,
    node: services.node.lease.node,
    stop() {
      stopping ??= inOrder(logger, [
        async () => {
          readiness.drain();
          await pause(config.drainDelayMs);
        },
        app.close,
        async () => readiness.stop(),
        () => history.stop(),
        () => services.close(),
        () => stores.close(),
      ]);
      return stopping;
    },
  };
}
