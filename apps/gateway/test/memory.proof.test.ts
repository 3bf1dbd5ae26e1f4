import { expect, test } from '@jest/globals';
import type { GatewayProcess } from '@solegate/testkit';
import { ask, FileStores } from './gateway-fixture.js';
import { serve } from './gateway-process.js';
import { MANY_FIELDS } from './many-fields.js';
import { bearer, JWT_ENVIRONMENT } from './tokens.js';

/** Caching every document would exhaust the small heap: each is 3 kB of text and 250 kB as a syntax tree. */
const DOCUMENT_COUNT = 500;
/** Allowed growth in the second half of the flood; caching its documents would exceed it. */
const GROWTH_MAX_MEBIBYTES = 50;
const MEBIBYTE = 2 ** 20;
const stores = new FileStores();

const documentOf = (index: number): string => `query Q${index} {${MANY_FIELDS}}`;

async function residentMebibytes(gateway: GatewayProcess): Promise<number> {
  const metrics = await (await fetch(`${gateway.origin}/metrics`)).text();
  return Number(/^process_resident_memory_bytes (\S+)$/m.exec(metrics)?.[1]) / MEBIBYTE;
}

test.each([
  ['refused for its roles', [], 403],
  ['allowed', ['clerk'], 200],
])('a flood of distinct documents that are %s does not grow the process', async (_what, roles, status) => {
  await using gateway = await serve({
    ...JWT_ENVIRONMENT,
    NODE_OPTIONS: '--max-old-space-size=160',
    LOG_LEVEL: 'silent',
    RATE_LIMIT_PER_SECOND: '0',
    DATABASE_URL: stores.databaseUrl,
    REDIS_URL: stores.redisUrl,
  });
  const headers = await bearer({ roles });
  const run = (index: number) => ask(gateway.origin, documentOf(index), { headers });
  await run(0);
  let warmMebibytes = 0;
  for (let index = 0; index < DOCUMENT_COUNT; index += 10) {
    if (index === DOCUMENT_COUNT / 2) warmMebibytes = await residentMebibytes(gateway);
    const answers = await Promise.all(Array.from({ length: 10 }, (_, offset) => run(index + offset)));
    expect(new Set(answers.map((answer) => answer.status))).toEqual(new Set([status]));
  }
  const mebibytes = await residentMebibytes(gateway);
  expect(mebibytes).toBeLessThan(300);
  expect(mebibytes - warmMebibytes).toBeLessThan(GROWTH_MAX_MEBIBYTES);
});
