import { expect, test } from '@jest/globals';
import { Redis } from 'ioredis';
import { FileStores, startTestGateway } from './gateway-fixture.js';
import { JWT_ENVIRONMENT } from './tokens.js';

/** What ends a start before it takes a node. */
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
