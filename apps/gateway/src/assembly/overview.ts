import type { Logger } from 'pino';
import type { Registry } from 'prom-client';
import type { PromiseStatus } from '../operations/promise-table.js';
import type { Readiness } from '../operations/readiness.js';
import { OutboxLag } from '../overview/outbox-lag.js';
import type { OverviewParts } from '../overview/overview.resolver.js';
import { RecentHistory } from '../overview/recent-history.js';
import { RedisMemory } from '../overview/redis-memory.js';
import type { Services } from './services.js';

export interface OverviewSources {
  readonly registry: Registry;
  readonly readiness: Readiness;
  readonly promises: () => readonly PromiseStatus[];
  readonly logger: Logger;
}

export interface RunningOverview {
  readonly parts: OverviewParts;
  stop(): void;
}

/** Starts the periodic samplers behind the overview: recent history, outbox lag and Redis memory. */
export async function startOverview(
  { cells, node, redis }: Services,
  { registry, readiness, promises, logger }: OverviewSources,
): Promise<RunningOverview> {
  const history = new RecentHistory({ registry, now: Date.now });
  const dataSources = () => cells.running.map(({ database }) => database.dataSource);
  const outbox = new OutboxLag(dataSources, registry, logger);
  const redisMemory = new RedisMemory(redis.background, logger);
  redisMemory.start();
  await Promise.all([history.start(), outbox.start()]);
  return {
    parts: {
      lease: () => node.health(),
      mintedCount: () => cells.running.reduce((sum, cell) => sum + cell.node.mintedCount, 0),
      pools: cells.pools,
      readiness,
      promises,
      history,
      outbox,
      redisMemory,
      waitingMarkCount: () => cells.running.reduce((sum, cell) => sum + cell.numbering.waitingMarkCount(), 0),
    },
    stop() {
      history.stop();
      outbox.stop();
      redisMemory.stop();
    },
  };
}
