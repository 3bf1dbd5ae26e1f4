import { once } from 'node:events';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { connectRedis, type RedisConnection } from '@solegate/redis-infra';
import { type RedisTestServer, startRedisServer } from '@solegate/testkit';
import { RateLimiter } from '../src/budget/rate-limiter.js';

/** What a process grants without asking Redis, and what it has granted in excess at most. */
const LIMIT = 100;
let redis: RedisTestServer;
let connection: RedisConnection;
const limiters: RateLimiter[] = [];
let subject = 0;

beforeAll(async () => {
  redis = await startRedisServer();
  connection = connectRedis({ url: redis.url, purpose: 'decision', commandTimeoutMs: 60_000 });
  await once(connection, 'ready');
});

afterAll(async () => {
  for (const limiter of limiters) limiter.stop();
  connection?.disconnect();
  await redis?.stop();
});

/** Its clock stands still, so that no second ends during a test. */
function limiter(): RateLimiter {
  const made = new RateLimiter(connection, LIMIT, () => 0);
  // The test settles.
  made.stop();
  limiters.push(made);
  return made;
}

const who = () => ({ subject: String(subject), address: `198.51.100.${subject}` });

/** Runs for new subjects, until one run fits into a second of Redis. */
async function withinASecond<Outcome>(run: () => Promise<Outcome>): Promise<Outcome> {
  for (;;) {
    subject += 1;
    const startedAtMs = performance.now();
    const outcome = await run();
    if (performance.now() - startedAtMs < 900) return outcome;
  }
}

/** Spends points one by one until they are refused. */
async function spendAll(of: RateLimiter): Promise<number> {
  for (let granted = 0; ; granted += 1) {
    const isGranted = await of.spend(who(), 1).then(
      () => true,
      () => false,
    );
    if (!isGranted) return granted;
  }
}

async function commandCount(): Promise<number> {
  const info = await redis.client().info('commandstats');
  return Number(/cmdstat_evalsha:calls=(\d+)/.exec(info)?.[1] ?? 0);
}

test('a tenth of the limit is granted without a call', async () => {
  const own = limiter();
  const before = await commandCount();
  for (let index = 0; index < 10; index += 1) await own.spend(who(), 1);
  expect(await commandCount()).toBe(before);
  await own.settle();
  expect(await commandCount()).toBeGreaterThan(before);
});

test('one process grants its limit, with a call for each tenth', async () => {
  const [granted, callCount] = await withinASecond(async () => {
    const before = await commandCount();
    return [await spendAll(limiter()), (await commandCount()) - before];
  });
  expect(granted).toBe(LIMIT);
  expect(callCount).toBeLessThan(20);
});

test('several processes exceed a limit by at most a tenth each', async () => {
  const processes = [limiter(), limiter(), limiter(), limiter()];
  const granted = await withinASecond(() => Promise.all(processes.map(spendAll)));
  const sum = granted.reduce((total, count) => total + count, 0);
  expect(sum).toBeGreaterThanOrEqual(LIMIT);
  expect(sum).toBeLessThanOrEqual(LIMIT + processes.length * (LIMIT / 10));
});
