import type { Logger } from 'pino';
import type { Registry } from 'prom-client';
import { OutboxLag } from '../overview/outbox-lag.js';
import type { OverviewParts } from '../overview/overview.resolver.js';
import { RecentHistory } from '../overview/recent-history.js';
import { RedisMemory } from '../overview/redis-memory.js';
import type { Services } from './services.js';

/** Starts the periodic samplers behind the overview: recent history, outbox lag and Redis memory. */
export async function startOverview(
  { cells, node, numbering, redis }: Services,
  {
    registry,
    readiness,
    promises,
  }: Pick<OverviewParts, 'readiness' | 'promises'> & { readonly registry: Registry },
  logger: Logger,
) {
  const history = new RecentHistory({ registry, now: Date.now, tick: () => performance.now() });
  const dataSources = () => cells.running.map(({ database }) => database.dataSource);
  const outbox = new OutboxLag(dataSources, registry, logger);
  const redisMemory = new RedisMemory(redis.background, logger);
  void redisMemory.start();
  await Promise.all([history.start(), outbox.start()]);
  const parts: OverviewParts = {
    lease: () => node.health(),
    mintedCount: () => cells.running.reduce((sum, cell) => sum + cell.node.mintedCount, 0),
    pools: cells.pools,
    readiness,
    promises,
    history,
    outbox,
    redisMemory,
    waitingMarkCount: () => numbering.waitingMarkCount(),
  };
  return {
    parts,
    stop() {
      history.stop();
      outbox.stop();
      redisMemory.stop();
    },
  };
}
