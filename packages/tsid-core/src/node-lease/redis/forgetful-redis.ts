import { inspectRedis, type RedisCalls, type RedisWarning } from '@solegate/redis-infra/calls';

/** Settings with which Redis can lose the leases. That is safe, but delays new processes by a quarantine. */
const FORGETFUL: Partial<Record<RedisWarning, string>> = {
  KEYS_MAY_BE_EVICTED:
    'Redis may evict the leases when its memory is full: set maxmemory-policy to noeviction.',
  NOT_PERSISTENT: 'Redis loses the leases when it restarts: set appendonly to yes.',
};

/** One inspection per connection, however many leases share it. */
const looks = new WeakMap<RedisCalls, Promise<string[]>>();

/** Returns warnings for the operator of a Redis that can lose leases; none while it does not reply. */
export function forgetfulness(redis: RedisCalls): Promise<string[]> {
  const looking = looks.get(redis) ?? look(redis);
  looks.set(redis, looking);
  return looking;
}

async function look(redis: RedisCalls): Promise<string[]> {
  const health = await inspectRedis(redis);
  if (health.kind !== 'UP') {
    looks.delete(redis);
    return [];
  }
  const warnings = new Set(health.servers.flatMap((server) => server.warnings));
  return [...warnings].flatMap((warning) => FORGETFUL[warning] ?? []);
}
