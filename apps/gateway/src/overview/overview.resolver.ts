import { hostname } from 'node:os';
import type { NodeLeaseHealth } from '@solegate/tsid-core/node-lease';
import type { Pool } from 'pg';
import { Resolver } from 'type-graphql';
import { Query } from '../graphql/described.js';
import { poolUse } from '../operations/connection-budget.js';
import type { PromiseStatus } from '../operations/promise-table.js';
import type { Readiness } from '../operations/readiness.js';
import type { OutboxLag } from './outbox-lag.js';
import { Overview, PromiseStatusType } from './overview.type.js';
import type { RecentHistory } from './recent-history.js';
import type { RedisMemory } from './redis-memory.js';

export interface OverviewParts {
  readonly lease: () => Partial<NodeLeaseHealth>;
  readonly mintedCount: () => number;
  readonly pools: () => readonly Pool[];
  readonly readiness: Readiness;
  readonly promises: () => readonly PromiseStatus[];
  readonly history: RecentHistory;
  readonly outbox: OutboxLag;
  readonly redisMemory: RedisMemory;
  readonly waitingMarkCount: () => number;
}

/** The state of this process, for operators. */
@Resolver()
export class OverviewResolver {
  readonly #startedAt = new Date(Date.now() - process.uptime() * 1_000);

  constructor(private readonly parts: OverviewParts) {}

  @Query(() => Overview, 'Returns rates, latencies, refusals and store health of the responding process.')
  async overview(): Promise<Overview> {
    const { lease, mintedCount, pools, readiness, history, outbox } = this.parts;
    const { node, windowLeftMs } = lease();
    return {
      process: `${hostname()}:${process.pid}`,
      startedAt: this.#startedAt,
      node,
      leaseSecondsLeft: windowLeftMs === undefined ? undefined : windowLeftMs / 1_000,
      idCount: mintedCount(),
      parts: partsOf(readiness),
      databaseConnections: poolUse(pools()),
      outbox: outbox.state && {
        waitingCount: outbox.state.waitingCount,
        oldestSeconds: outbox.state.oldestMs / 1_000,
      },
      redisMemory: this.parts.redisMemory.state,
      waitingMarkCount: this.parts.waitingMarkCount(),
      buckets: await history.buckets(),
    };
  }

  @Query(
    () => [PromiseStatusType],
    'Returns what works now in the responding process, and for what does not, why and what to do.',
  )
  promises(): readonly PromiseStatus[] {
    return this.parts.promises();
  }
}

function partsOf(readiness: Readiness): Overview['parts'] {
  const away = new Map(readiness.away().map((one) => [one.part, one]));
  return readiness.probedParts.map((name) => {
    const lost = away.get(name);
    return { name, isUp: lost === undefined, awaySeconds: (lost?.awayMs ?? 0) / 1_000 };
  });
}
