import { expect, test } from '@jest/globals';
import { readConfig } from '../src/config.js';
import { bannerOf } from '../src/process/banner.js';

function bannerFor(databaseUrl: string, redisUrl: string): string {
  const stores = {
    databaseUrl,
    redisUrl,
    postgres: undefined,
    redis: undefined,
    stop: async () => undefined,
  };
  return bannerOf(readConfig({}), stores, { port: 4000, node: 1, promises: [] });
}

test.each([
  ['postgres://solegate:hidden@db.test/solegate', 'redis://:hidden@cache.test:6379/0'],
  ['postgres://solegate:at@hidden@db.test/solegate', 'redis+cluster://u:hidden@cache.test:6379/0'],
  [
    'postgres://solegate@db.test/solegate?password=hidden',
    'redis+sentinel://cache.test:6379/0?sentinelUsername=hidden&sentinelPassword=hidden@b',
  ],
  [
    'postgres://solegate@db.test/solegate?sslpassword=a@b/hidden',
    'redis+sentinel://u:hidden@cache.test:6379/0?sentinelPassword=b/hidden',
  ],
])('shows where the stores are, and no secret: %s %s', (databaseUrl, redisUrl) => {
  const banner = bannerFor(databaseUrl, redisUrl);
  expect(banner).not.toContain('hidden');
  expect(banner).toMatch(/PostgreSQL {2}postgres:\/\/db\.test\/solegate\n/);
  expect(banner).toMatch(/Redis {7}redis(\+\w+)?:\/\/cache\.test:6379\/0\n/);
});
