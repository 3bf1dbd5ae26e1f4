import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from '@jest/globals';
import { createTestDatabase, createTestRedis } from '@solegate/testkit';

const script = fileURLToPath(new URL('../scripts/warm-path.mjs', import.meta.url));

test('a warm accept runs through at most 26 files and 86 functions to its statement, with Redis and without', async () => {
  await using redis = await createTestRedis();
  for (const stores of [{ REDIS_URL: redis.url }, {}]) {
    await using database = await createTestDatabase({ migrations: [] });
    const env = { ...process.env, DATABASE_URL: database.url, ...stores };
    const { stdout } = await promisify(execFile)(process.execPath, [script], { env });
    expect(stdout).toMatch(/^trip-reservation\/accept\/acceptance\.js: /m);
    expect(stdout).toMatch(/^\d+ files, \d+ named functions, \d+ anonymous ones to the statement$/m);
  }
});
