import type { RedisConnection } from '@solegate/redis-infra';
import type { Pool } from 'pg';
import { Gauge, type Registry } from 'prom-client';
import { poolUse } from './connection-budget.js';
import { gaugeOf } from './instruments.js';
import type { Readiness } from './readiness.js';

export interface StateMetricsParts {
  readonly readiness: Readiness;
  readonly pools: () => readonly Pool[];
  readonly version: string;
  readonly redis: Readonly<Record<'decision' | 'background' | 'subscriber', RedisConnection>>;
  /** Whether the rate limiter counts in Redis. */
  readonly isCountingTogether: () => boolean;
}

/** Registers metrics of the gateway's state: readiness by part, store connections, version. */
export function registerStateMetrics(
  registry: Registry,
  { readiness, pools, version, redis, isCountingTogether }: StateMetricsParts,
): void {
  const registers = [registry];
  new Gauge({
    name: 'solegate_gateway_ready',
    help: '1 while the part works or has failed only briefly; the minimum over all workers',
    labelNames: ['part'],
    aggregator: 'min',
    registers,
    collect() {
      const red = readiness.red();
      for (const part of readiness.parts) this.set({ part }, part in red ? 0 : 1);
    },
  });
  new Gauge({
    name: 'solegate_gateway_database_connections',
    help: 'Used and idle connections to PostgreSQL, and callers waiting for one',
    labelNames: ['state'],
    registers,
    collect() {
      const { usedCount, idleCount, waitingCount } = poolUse(pools());
      this.set({ state: 'used' }, usedCount);
      this.set({ state: 'idle' }, idleCount);
      this.set({ state: 'waiting' }, waitingCount);
    },
  });
  new Gauge({
    name: 'solegate_gateway_redis_connected',
    help: '1 while the connection of this purpose is ready; the minimum over all workers',
    labelNames: ['purpose'],
    aggregator: 'min',
    registers,
    collect() {
      for (const [purpose, { status }] of Object.entries(redis)) {
        this.set({ purpose }, status === 'ready' ? 1 : 0);
      }
    },
  });
  gaugeOf(registry)(
    'solegate_gateway_rate_limit_shared',
    '1 while rates are counted across all gateways; 0 while the circuit breaker skips Redis',
    () => Number(isCountingTogether()),
    'min',
  );
  new Gauge({
    name: 'solegate_gateway_info',
    help: 'Always 1; the labels show the running version',
    labelNames: ['version', 'runtime'],
    aggregator: 'first',
    registers,
  }).set({ version, runtime: process.version }, 1);
}
