import { inspectRedis, type RedisConnection } from '@solegate/redis-infra';
import type { NodeLeaseHealth } from '@solegate/tsid-core/node-lease';
import type { Pool } from 'pg';
import { certificateFaultOf } from '../stores/certificate-fault.js';
import { DatabaseUnreachableError } from '../stores/database-unreachable.js';
import type { ReadinessProbe } from './readiness.js';

/** An answer counts for a second, and readiness looks every 0.5 s: a store that hangs is noticed within 2.5 s. */
const PROBE_TIMEOUT_MS = 1_000;

/** Reasons name the part but never its address, because they are public. */
export function postgresProbe(pool: Pool): ReadinessProbe {
  return () => inTime(pool.query('SELECT 1'), 'PostgreSQL');
}

/** Redis is asked once a second, although readiness looks more often. */
const ANSWER_AGE_MAX_MS = 900;

export function redisProbe(redis: RedisConnection): ReadinessProbe {
  // While ioredis reconnects, the cause of a failure is reported only here, not to callers.
  let lastError: unknown;
  redis.on('error', (error: unknown) => {
    lastError = error;
  });
  redis.on('ready', () => {
    lastError = undefined;
  });
  let answeredAtMs = Number.NEGATIVE_INFINITY;
  return async () => {
    if (performance.now() < answeredAtMs + ANSWER_AGE_MAX_MS) return undefined;
    const reason = await inTime(answerOf(redis), 'Redis', () => lastError);
    if (reason === undefined) answeredAtMs = performance.now();
    return reason;
  };
}

/** During a reconnect this can take longer than the probe timeout. In a cluster, every master is asked. */
async function answerOf(redis: RedisConnection): Promise<void> {
  if (!redis.isCluster) return void (await redis.ping());
  const health = await inspectRedis(redis);
  if (health.kind === 'DOWN') throw health.failure;
}

/** Returns why no ID can be minted, or undefined. */
export function leaseProbe({ healthy, freeNodeCount }: Partial<NodeLeaseHealth>): string | undefined {
  if (healthy) return undefined;
  return freeNodeCount === 0 ? 'all node IDs of the range are taken' : 'no node ID is leased';
}

/** Says why a cell did not start. The log has the error itself, with addresses and names. */
export function startFault(error: unknown): string {
  if (error instanceof DatabaseUnreachableError) {
    return `PostgreSQL ${certificateFaultOf(error.cause)?.reason ?? 'does not answer'}`;
  }
  const code = error instanceof Error && 'code' in error ? String(error.code) : 'an unknown error';
  return `the start on this PostgreSQL fails with ${code}; the log says more`;
}

async function inTime(
  question: Promise<unknown>,
  store: string,
  lastError: () => unknown = () => undefined,
): Promise<string | undefined> {
  const reasonOf = (error: unknown): string =>
    `${store} ${(certificateFaultOf(error) ?? certificateFaultOf(lastError()))?.reason ?? 'does not answer'}`;
  let timer: NodeJS.Timeout | undefined;
  const tooLate = new Promise<string>((resolve) => {
    timer = setTimeout(() => resolve(reasonOf(undefined)), PROBE_TIMEOUT_MS);
  });
  const answer = question.then(() => undefined, reasonOf);
  try {
    return await Promise.race([answer, tooLate]);
  } finally {
    clearTimeout(timer);
  }
}
