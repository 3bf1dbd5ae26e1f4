import { expect, test } from '@jest/globals';
import { connectRedis } from '@solegate/redis-infra';
import { startRedisServer, until } from '@solegate/testkit';
import { pino } from 'pino';
import { RedisMemory } from '../src/overview/redis-memory.js';

test.each([
  ['volatile-lru', ['Redis may evict marks of counters: set maxmemory-policy to noeviction.']],
  ['noeviction', []],
])('with the policy %s, the log of a start has: %j', async (policy, expected) => {
  await using server = await startRedisServer({
    args: ['--maxmemory', '64mb', '--maxmemory-policy', policy],
  });
  const redis = connectRedis({ url: server.url, purpose: 'background' });
  await until(() => redis.status === 'ready');
  const warnings: string[] = [];
  const logger = pino({ level: 'warn' }, { write: (line) => warnings.push(JSON.parse(line).msg) });
  const memory = new RedisMemory(redis, logger);
  await memory.start();
  memory.stop();
  redis.disconnect();
  expect(memory.state?.maxBytes).toBe(64 * 2 ** 20);
  expect(warnings).toEqual(expected);
});
