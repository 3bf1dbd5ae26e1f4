import type { TestRedis } from '@solegate/testkit';
import { weakenedRedis } from './weakened-redis.js';

type Redis = TestRedis['client'];

const KEY = 'test:time-ms';
const READING = `redis.call('GET', '${KEY}')`;

/** The same Redis with a clock for the lease scripts that moves only when it is set. */
export function frozenRedis(client: Redis): {
  redis: Redis;
  setTo(ms: number): Promise<void>;
  check(): void;
} {
  const { redis, check } = weakenedRedis(client, [
    "redis.call('TIME')",
    `{ string.sub(${READING}, 1, -4), string.sub(${READING}, -3) .. '000' }`,
  ]);
  const setTo = async (ms: number) => void (await client.set(KEY, ms));
  return { redis, setTo, check };
}
