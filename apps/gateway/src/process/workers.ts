import cluster, { type Worker } from 'node:cluster';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { LocalServices } from '@solegate/local-services';
import { AggregatorRegistry, type RegistryContentType } from 'prom-client';
import type { Gateway } from '../assembly/gateway.js';
import type { GatewayConfig } from '../config.js';
import { createLogger } from '../operations/logger.js';
import type { WorkerOrder, WorkerReport } from './worker-messages.js';

/** Pause before a dead worker is replaced, so that a worker that dies at startup does not keep the machine busy. */
const RESTART_PAUSE_MS = 1_000;

export interface Workers extends Started {
  /** Undefined, because each worker has its own. */
  readonly node: undefined;
  stop(): Promise<void>;
}

type Started = Pick<Gateway, 'port' | 'promises'>;

/**
 * Starts several gateways behind one port, each a process with its own node ID. This process only starts them, replaces
 * dead ones and aggregates their metrics. Workers ignore signals and stop on its message alone: Ctrl-C reaches the
 * whole process group, but each part must stop only once and in order.
 */
export async function startWorkers(
  config: GatewayConfig,
  stores: LocalServices,
  migrates: boolean,
): Promise<Workers> {
  cluster.setupPrimary({
    exec: fileURLToPath(new URL('./worker.js', import.meta.url)),
    serialization: 'advanced',
  });
  const logger = createLogger(config.logLevel);
  const metrics = new AggregatorRegistry();
  let isStopping = false;

  const start = async (trustEmptyRedis: boolean): Promise<Started> => {
    const { databaseUrl, redisUrl } = stores;
    const order = { kind: 'start', config, databaseUrl, redisUrl, trustEmptyRedis, migrates } as const;
    const worker = cluster.fork();
    worker.on('message', (report: WorkerReport) => {
      if (report.kind === 'loaded') send(worker, isStopping ? { kind: 'stop' } : order);
      if (report.kind === 'metricsWanted') void answerMetrics(worker, report.id, metrics);
    });
    const started = await startOf(worker);
    // It may die while others still start.
    worker.once('exit', () => void replace());
    return started;
  };

  /** Until another one listens: the system may have no memory or no file descriptors left for it. */
  const replace = async (): Promise<void> => {
    while (!isStopping) {
      await pause(RESTART_PAUSE_MS);
      if (isStopping) return;
      try {
        // Other workers might have minted IDs that a Redis that lost its data does not know about.
        await start(false);
        return;
      } catch (error) {
        if (!isStopping) logger.error({ err: error }, 'a worker did not start; starting another');
      }
    }
  };
  const stop = async (): Promise<void> => {
    isStopping = true;
    await Promise.all(Object.values(cluster.workers ?? {}).map(stopWorker));
  };

  try {
    const [first] = await Promise.all(
      Array.from({ length: config.workerCount }, () => start(stores.redis !== undefined)),
    );
    return { port: first?.port ?? config.port, promises: first?.promises ?? [], node: undefined, stop };
  } catch (error) {
    // Workers that did start would keep this process alive, and serve.
    await stop();
    throw error;
  }
}

/** Resolves once the worker listens. @throws with the worker's message if it could not start */
function startOf(worker: Worker): Promise<Started> {
  return new Promise((resolve, reject) => {
    worker.on('message', (report: WorkerReport) => {
      if (report.kind === 'listening') resolve(report);
      if (report.kind === 'failed') reject(Object.assign(new Error(report.message), { code: report.code }));
    });
    worker.once('exit', () => reject(new Error('a worker exited before it was listening')));
    // A worker that could not be started has no exit; any later error comes before one.
    worker.on('error', reject);
  });
}

async function stopWorker(worker: Worker | undefined): Promise<void> {
  if (worker === undefined || worker.isDead()) return;
  const ended = new Promise((resolve) => {
    worker.once('exit', resolve);
  });
  send(worker, { kind: 'stop' });
  await ended;
}

async function answerMetrics(
  worker: Worker,
  id: number,
  metrics: AggregatorRegistry<RegistryContentType>,
): Promise<void> {
  const text = await metrics.clusterMetrics().catch(() => undefined);
  send(worker, { kind: 'metrics', id, text });
}

/** A worker that has just died gets nothing, which is no error: its exit is handled. */
function send(worker: Worker, order: WorkerOrder): void {
  worker.send(order, () => undefined);
}
