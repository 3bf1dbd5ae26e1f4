import { inspectRedis, type RedisConnection, type RedisWarning } from '@solegate/redis-infra';

/** What makes Redis lose its memory of the leases, which is safe but stops new processes for a quarantine. */
const FORGETFUL: Partial<Record<RedisWarning, string>> = {
  KEYS_MAY_BE_EVICTED:
    'Redis may evict the leases when its memory is full: set maxmemory-policy to noeviction.',
  NOT_PERSISTENT: 'Redis forgets the leases when it restarts: set appendonly to yes.',
};

/** One look at each Redis, however many leases come over its connection. */
const looks = new WeakMap<RedisConnection, Promise<string[]>>();

/** What an operator should know about a Redis that may forget leases; nothing while it does not answer. */
export function forgetfulness(redis: RedisConnection): Promise<string[]> {
  const looking = looks.get(redis) ?? look(redis);
  looks.set(redis, looking);
  return looking;
}

async function look(redis: RedisConnection): Promise<string[]> {
  const health = await inspectRedis(redis);
  if (health.kind !== 'up') {
    looks.delete(redis);
    return [];
  }
  const warnings = new Set(health.servers.flatMap((server) => server.warnings));
  return [...warnings].flatMap((warning) => FORGETFUL[warning] ?? []);
}
