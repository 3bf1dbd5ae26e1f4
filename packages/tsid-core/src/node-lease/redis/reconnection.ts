import type { RedisCalls } from '@solegate/redis-infra/calls';

/** One listener per connection, however many leases share it. */
const renewers = new WeakMap<RedisCalls, Set<() => void>>();

/**
 * Calls `renew` whenever the connection becomes ready again, perhaps at a master that took over: the sooner holders
 * report what they hold, the less that master can get wrong. Returns a function that unsubscribes.
 */
export function onReconnection(redis: RedisCalls, renew: () => void): () => void {
  const known = renewers.get(redis);
  const all = known ?? new Set();
  if (known === undefined) {
    renewers.set(redis, all);
    redis.on('ready', () => {
      for (const each of all) each();
    });
  }
  all.add(renew);
  return () => all.delete(renew);
}
