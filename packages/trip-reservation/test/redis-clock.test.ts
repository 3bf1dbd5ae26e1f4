import { expect, test } from '@jest/globals';
import { Deadline } from '@solegate/postgres-infra';
import { until } from '@solegate/testkit';
import { RedisClock } from '../src/timing/redis-clock.js';

const STALL_MS = 200;

/** Redis, whose clock is that of this process. */
async function redis(moment: number): Promise<{ readonly redisMs: number; readonly isLate: boolean }> {
  const redisMs = performance.now();
  return { redisMs, isLate: redisMs > moment };
}

test('how long Redis did not answer a caller who has given up is not added to its clock', async () => {
  const clock = new RedisClock();
  await clock.ask(Deadline.after(60_000), redis);
  const stalled = async (moment: number) => {
    await until(() => performance.now() > moment + STALL_MS);
    return redis(moment);
  };
  expect(await clock.ask(Deadline.after(1), stalled)).toBeUndefined();
  expect(clock.moment(0)).toBeLessThan(performance.now() + STALL_MS);
});
