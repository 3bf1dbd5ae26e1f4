import type { RedisCalls } from './redis-calls.js';

/**
 * Checks that a value is a connection of ioredis, as `connectRedis` returns it. Sends nothing.
 *
 * @param refuse makes the error of what is wrong, such as `is undefined; pass …`. Default: a TypeError
 */
export function assertRedisConnection(
  value: unknown,
  refuse: (problem: string) => Error = (problem) => new TypeError(`redis ${problem}`),
): asserts value is RedisCalls {
  const has = (name: string) =>
    typeof value === 'object' && value !== null && typeof Reflect.get(value, name) === 'function';
  if (has('evalsha')) return;
  throw refuse(`is ${describe(value, has('evalSha'))}; pass connectRedis({ url, purpose }) of redis-infra`);
}

function describe(value: unknown, isNodeRedis: boolean): string {
  if (isNodeRedis) return 'a client of node-redis';
  // A URL can have a password.
  if (typeof value !== 'object' || value === null)
    return typeof value === 'string' ? 'a string' : String(value);
  const names = Object.keys(value).slice(0, 5).join(', ');
  return names === '' ? 'an object without commands' : `an object with ${names}`;
}
