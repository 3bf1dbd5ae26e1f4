import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { Redis } from 'ioredis';
import {
  createTestRedis,
  forkTypeScript,
  race,
  startRedisServer,
  type TestRedis,
  valuesOf,
} from '../src/index.js';

let redis: TestRedis;

beforeAll(async () => {
  redis = await createTestRedis();
});

afterAll(() => redis.drop());

test('the client and the URL lead to the same logical database, which is not 0', async () => {
  expect(redis.url).toMatch(/^redis:\/\/[^/]+\/[1-9]\d*$/);
  await redis.client.set('key', 'value');
  const other = new Redis(redis.url);
  expect(await other.get('key')).toBe('value');
  await other.quit();
});

test('concurrent callers get different, empty databases', async () => {
  const taken = valuesOf(await race(12, () => createTestRedis()));
  expect(new Set([redis.url, ...taken.map(({ url }) => url)]).size).toBe(13);
  await Promise.all(taken.map(({ client }) => client.set('key', client.options.db ?? 0)));
  expect(await Promise.all(taken.map(({ client }) => client.dbsize()))).toEqual(taken.map(() => 1));
  await Promise.all(taken.map((one) => one.drop()));
});

test('drop can be repeated', async () => {
  const dropped = await createTestRedis();
  await dropped.drop();
  await dropped.drop();
});

test('drop reports a connection that is still open', async () => {
  const leaky = await createTestRedis();
  const forgotten = new Redis(leaky.url, { connectionName: 'forgotten' });
  await forgotten.ping();
  await expect(leaky.drop()).rejects.toMatchObject({
    code: 'CONNECTION_LEAK',
    connections: [expect.stringContaining('name=forgotten')],
  });
  await forgotten.quit();
});

describe('on a server with two databases to hand out', () => {
  /** Runs with TEST_REDIS_URL set to such a server. */
  async function withSmallServer(run: () => Promise<void>): Promise<void> {
    await using server = await startRedisServer({ args: ['--databases', '3'] });
    const before = process.env.TEST_REDIS_URL;
    process.env.TEST_REDIS_URL = server.url;
    try {
      await run();
    } finally {
      if (before === undefined) delete process.env.TEST_REDIS_URL;
      else process.env.TEST_REDIS_URL = before;
    }
  }

  test('a third caller waits until one is returned, and gets it empty', async () => {
    await withSmallServer(async () => {
      const [first, second] = [await createTestRedis(), await createTestRedis()];
      await first.client.set('key', 'of the first');
      const third = createTestRedis();
      await first.drop();
      await using taken = await third;
      expect(taken.url).toBe(first.url);
      expect(await taken.client.dbsize()).toBe(0);
      await second.drop();
    });
  });

  test('the databases of a killed process are reused', async () => {
    await withSmallServer(async () => {
      await using child = forkTypeScript(new URL('./fixtures/hold-databases.ts', import.meta.url), [
        'redis',
        '2',
      ]);
      const urls = (await child.nextLine()) as string[];
      await child.kill();
      await using first = await createTestRedis();
      await using second = await createTestRedis();
      expect([first.url, second.url].sort()).toEqual(urls.sort());
    });
  });
});
