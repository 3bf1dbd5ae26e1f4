import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { GatewayProcess } from '@solegate/testkit';
import { ATTACKS, peakMegabytesDuring } from './attacks.js';
import { ask, FileStores } from './gateway-fixture.js';
import { serve } from './gateway-process.js';
import { bearer, JWT_ENVIRONMENT } from './tokens.js';

const RESIDENT_MAX_MEGABYTES = 400;
/** A page of documents, each as long as JSON can make one. */
const DOCUMENTS = `
WITH project AS (INSERT INTO projects (id, code, name) VALUES (1, 'P', 'x') RETURNING id),
  organization AS (INSERT INTO organizations (id, code, name) VALUES (1, 'O', 'x') RETURNING id),
  type AS (INSERT INTO correspondence_types (id, code, name) VALUES (1, 'T', 'x') RETURNING id)
INSERT INTO correspondences (id, project_id, organization_id, type_id, document_number, subject, body, created_by)
SELECT n, project.id, organization.id, type.id, n, 'x', repeat(E'\\x01', 20000), 1
FROM project, organization, type, generate_series(1, 100) AS n`;

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
    await stores.database.pool.query(DOCUMENTS);
  });

  test.each(names)('%s', async (name) => {
    const { authorization = '' } = await bearer({ subject: '9', roles: ['rider'] });
    const { authorization: reader = '' } = await bearer({ subject: '7', roles: ['admin'] });
    const target = { port: Number(new URL(gateway.origin).port), authorization, reader };
    const peak = await peakMegabytesDuring(gateway.pid, async () => ATTACKS[name]?.(target));
    expect(peak).toBeLessThan(RESIDENT_MAX_MEGABYTES);
    const headers = await bearer({ subject: '8' });
    const { data } = await ask(gateway.origin, '{ __typename }', { headers });
    expect(data).toEqual({ __typename: 'Query' });
  });
}
