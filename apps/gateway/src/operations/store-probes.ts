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
  return () => inTime(answerOf(redis), 'Redis does not answer');
}

/** While the connection is made anew, Redis may be asked for longer than people who watch can wait. */
async function answerOf(redis: RedisConnection): Promise<void> {
  const { kind } = await inspectRedis(redis);
  if (kind === 'down') throw new Error('Redis is away');
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
