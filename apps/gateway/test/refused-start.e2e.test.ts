import { once } from 'node:events';
import { expect, test } from '@jest/globals';
import { connectRedis } from '@solegate/redis-infra';
import { listNodeLeases } from '@solegate/tsid-core/node-lease';
import { Redis } from 'ioredis';
import { FileStores, startTestGateway } from './gateway-fixture.js';
import { JWT_ENVIRONMENT } from './tokens.js';

/** A start that fails leaves no node taken. */
const stores = new FileStores();

test.each([
  [
    'no keys',
    { JWT_SECRET: '', JWT_ALGORITHMS: 'RS256', JWT_JWKS_URL: 'http://127.0.0.1:1/keys' },
    'JWT_JWKS_URL',
  ],
  ['a proxy that is no address', { TRUSTED_PROXIES: 'not-an-ip' }, 'TRUSTED_PROXIES'],
  ['a misspelled setting', { JWT_ALGORITHM: 'HS256' }, 'JWT_ALGORITHM'],
])(
  'a gateway with %s does not start, names the variable, and leases nothing',
  async (_what, changes, name) => {
    await expect(startTestGateway(stores, { ...JWT_ENVIRONMENT, ...changes })).rejects.toMatchObject({
      code: 'CONFIGURATION',
      faults: [expect.stringMatching(new RegExp(`^${name}: `))],
    });
    const redis = new Redis(stores.redisUrl);
    expect(await redis.keys('*')).toEqual([]);
    await redis.quit();
  },
);

test('a gateway with a token of a reserved name does not start, and releases the node that it has leased', async () => {
  await expect(startTestGateway(stores, { NUMBER_TOKENS: 'SEQ' })).rejects.toMatchObject({
    code: 'INVALID_REQUEST',
  });
  const redis = connectRedis({ url: stores.redisUrl, purpose: 'decision', commandTimeoutMs: 60_000 });
  await once(redis, 'ready');
  const { leases, ended } = await listNodeLeases(redis);
  redis.disconnect();
  expect({ leases, ended }).toEqual({ leases: [], ended: [expect.anything()] });
});
