import type { RedisConnection } from '@solegate/redis-infra';
import type { Pool } from 'pg';
import { Gauge, type Registry } from 'prom-client';
import { poolUse } from './connection-budget.js';
import type { Readiness } from './readiness.js';

export interface StateMetricsParts {
  readonly readiness: Readiness;
  readonly pools: () => readonly Pool[];
  readonly version: string;
  readonly redis: Readonly<Record<'decision' | 'background' | 'subscriber', RedisConnection>>;
  /** Whether the rate limiter asks Redis. */
  readonly isCountingTogether: () => boolean;
}

/** How the gateway stands: ready or not and why, its connections to PostgreSQL, its version. */
export function registerStateMetrics(
  registry: Registry,
  { readiness, pools, version, redis, isCountingTogether }: StateMetricsParts,
): void {
  const registers = [registry];
  new Gauge({
    name: 'solegate_gateway_ready',
    help: '1 while the part works, or is away for a moment only; of all workers the worst',
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
    help: 'Connections to PostgreSQL that are in use and idle, and callers that wait for one',
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
    help: '1 while the connection of this purpose is ready; of all workers the worst',
    labelNames: ['purpose'],
    aggregator: 'min',
    registers,
    collect() {
      for (const [purpose, { status }] of Object.entries(redis)) {
        this.set({ purpose }, status === 'ready' ? 1 : 0);
      }
    },
  });
  new Gauge({
    name: 'solegate_gateway_rate_limit_shared',
    help: '1 while rates are counted with the other gateways; 0 while the breaker leaves Redis alone',
    aggregator: 'min',
    registers,
    collect() {
      this.set(isCountingTogether() ? 1 : 0);
    },
  });
  new Gauge({
    name: 'solegate_gateway_info',
    help: 'Always 1; the labels say which version runs',
    labelNames: ['version', 'runtime'],
    aggregator: 'first',
    registers,
  }).set({ version, runtime: process.version }, 1);
}
