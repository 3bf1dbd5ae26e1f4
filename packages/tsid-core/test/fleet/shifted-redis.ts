import type { TestRedis } from '@solegate/testkit';
import { weakenedRedis } from './weakened-redis.js';

type Redis = TestRedis['client'];

const SHIFT_KEY = 'test:clock-shift-ms';
const SHIFT = `tonumber(redis.call('GET', '${SHIFT_KEY}') or '0')`;

/** The same Redis with a clock for the lease scripts that can be shifted. */
export function shiftedRedis(client: Redis): {
  redis: Redis;
  shiftTo(ms: number): Promise<void>;
  check(): void;
} {
  const { redis, check } = weakenedRedis(client, [
    'local now = time[1] * 1000 + math.floor(time[2] / 1000)',
    `local now = time[1] * 1000 + math.floor(time[2] / 1000) + ${SHIFT}`,
  ]);
  const shiftTo = async (ms: number) => void (await client.set(SHIFT_KEY, ms));
  return { redis, shiftTo, check };
}
