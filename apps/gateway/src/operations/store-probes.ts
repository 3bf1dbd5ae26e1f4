import { inspectRedis, type RedisConnection } from '@solegate/redis-infra';
import type { AnyNodeLease } from '@solegate/tsid-core/node-lease';
import type { Pool } from 'pg';
import type { ReadinessProbe } from './readiness.js';

/** With half a second between two looks, a store that hangs is known to do so within one and a half. */
const PROBE_TIMEOUT_MS = 1_000;

/** Reasons name the part and nothing of its address: anybody may read them. */
export function postgresProbe(pool: Pool): ReadinessProbe {
  return () => inTime(pool.query('SELECT 1'), 'PostgreSQL does not answer');
}

export function redisProbe(redis: RedisConnection): ReadinessProbe {
  return async () => {
    const health = await inspectRedis(redis);
    return health.kind === 'up' ? undefined : 'Redis does not answer';
  };
}

export function leaseProbe(lease: AnyNodeLease): ReadinessProbe {
  return async () => (lease.health().healthy ? undefined : 'no node ID is leased');
}

async function inTime(question: Promise<unknown>, reason: string): Promise<string | undefined> {
  let timer: NodeJS.Timeout | undefined;
  const tooLate = new Promise<string>((resolve) => {
    timer = setTimeout(() => resolve(reason), PROBE_TIMEOUT_MS);
  });
  const answer = question.then(
    () => undefined,
    () => reason,
  );
  try {
    return await Promise.race([answer, tooLate]);
  } finally {
    clearTimeout(timer);
  }
}
