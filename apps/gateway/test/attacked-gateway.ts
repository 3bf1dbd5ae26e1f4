import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { GatewayProcess } from '@solegate/testkit';
import { ATTACKS, peakMegabytesDuring } from './attacks.js';
import { ask, FileStores } from './gateway-fixture.js';
import { serve } from './gateway-process.js';
import { bearer, JWT_ENVIRONMENT } from './tokens.js';

const RESIDENT_MAX_MEGABYTES = 400;

/** Defines a test for each of the attacks: none ends a process with a small heap, or raises its memory beyond the bound. */
export function testAttacks(names: readonly string[]): void {
  let gateway: GatewayProcess;

  afterAll(() => gateway?.[Symbol.asyncDispose]());
  const stores = new FileStores();

  beforeAll(async () => {
    gateway = await serve({
      ...JWT_ENVIRONMENT,
      NODE_OPTIONS: '--max-old-space-size=256',
      LOG_LEVEL: 'silent',
      // The bound holds without it.
      RATE_LIMIT_PER_SECOND: '0',
      DATABASE_URL: stores.databaseUrl,
      REDIS_URL: stores.redisUrl,
    });
  }, 120_000);

  test.each(names)(
    '%s',
    async (name) => {
      const { authorization = '' } = await bearer({ subject: '9', roles: ['rider'] });
      const target = { port: Number(new URL(gateway.origin).port), authorization };
      const peak = await peakMegabytesDuring(gateway.pid, async () => ATTACKS[name]?.(target));
      expect(peak).toBeLessThan(RESIDENT_MAX_MEGABYTES);
      const headers = await bearer({ subject: '8' });
      const { data } = await ask(gateway.origin, '{ __typename }', { headers });
      expect(data).toEqual({ __typename: 'Query' });
    },
    60_000,
  );
}
