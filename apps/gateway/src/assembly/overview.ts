import type { Logger } from 'pino';
import type { Registry } from 'prom-client';
import type { Readiness } from '../operations/readiness.js';
import { OutboxLag } from '../overview/outbox-lag.js';
import type { OverviewParts } from '../overview/overview.resolver.js';
import { RecentHistory } from '../overview/recent-history.js';
import type { Stores } from '../stores/stores.js';
import type { Services } from './services.js';

export interface OverviewSources {
  readonly registry: Registry;
  readonly readiness: Readiness;
  readonly logger: Logger;
}

export interface RunningOverview {
  readonly parts: OverviewParts;
  stop(): void;
}

/** What the overview reads: two clocks begin here. */
export async function startOverview(
  { dataSource, pool }: Stores,
  { node }: Services,
  { registry, readiness, logger }: OverviewSources,
): Promise<RunningOverview> {
  const history = new RecentHistory({ registry, readiness, now: Date.now });
  const outbox = new OutboxLag(dataSource, registry, logger);
  await Promise.all([history.start(), outbox.start()]);
  return {
    parts: { lease: node.lease, mintedCount: () => node.mintedCount, pool, readiness, history, outbox },
    stop() {
      history.stop();
      outbox.stop();
    },
  };
}
