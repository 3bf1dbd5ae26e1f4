import { AggregatorRegistry, Registry } from 'prom-client';
import type { Gateway } from '../assembly/gateway.js';
import { unavailable } from '../errors/gateway-error.js';
import { createLogger } from '../operations/logger.js';
import type { StartOrder, WorkerOrder, WorkerReport } from './worker-messages.js';

/*
 * One worker of `WORKERS=n`: a gateway controlled by the primary. It shuts down if the primary dies. It listens for
 * messages before it loads the gateway, which takes seconds.
 */

// Responds to the primary's requests for metrics.
new AggregatorRegistry();

const waitingForMetrics = new Map<number, (text: string | undefined) => void>();
let metricsId = 0;
let starting: Promise<Gateway> | undefined;

// The primary handles signals and forwards each one once.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => undefined);
process.on('disconnect', () => void stop());
process.on('message', (order: WorkerOrder) => {
  if (order.kind === 'start') void start(order);
  if (order.kind === 'stop') void stop();
  if (order.kind === 'metrics') {
    waitingForMetrics.get(order.id)?.(order.text);
    waitingForMetrics.delete(order.id);
  }
});

send({ kind: 'loaded' });

async function start(order: StartOrder): Promise<void> {
  const registry = new Registry();
  AggregatorRegistry.setRegistries(registry);
  const logger = createLogger(order.config.logLevel);
  starting = import('../assembly/gateway.js').then(({ startGateway }) =>
    startGateway({ ...order, logger, registry, metricsText }),
  );
  try {
    const { port, promises } = await starting;
    send({ kind: 'listening', port, promises });
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : undefined;
    send({ kind: 'failed', code, message: error instanceof Error ? error.message : String(error) });
    process.exitCode = 1;
    process.disconnect?.();
  }
}

async function stop(): Promise<void> {
  const gateway = await starting?.catch(() => undefined);
  await gateway?.stop();
  process.exit();
}

/** Requests the metrics of all workers from the primary. @throws GatewayError if not all of them report theirs in time */
async function metricsText(): Promise<string> {
  metricsId += 1;
  const id = metricsId;
  const text = await new Promise<string | undefined>((resolve) => {
    waitingForMetrics.set(id, resolve);
    send({ kind: 'metricsWanted', id });
  });
  if (text === undefined)
    throw unavailable('WORKER_SILENT', 'A worker reported no metrics in time; try again.');
  return text;
}

function send(report: WorkerReport): void {
  process.send?.(report);
}
