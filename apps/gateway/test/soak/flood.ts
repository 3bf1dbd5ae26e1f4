import { readFile } from 'node:fs/promises';
import { startPostgresServer, startRedisServer } from '@solegate/testkit';
import { serve } from '../gateway-process.js';
import { asRuntimeRole } from '../runtime-role.js';
import { bearer, JWT_ENVIRONMENT } from '../tokens.js';

/*
 * A flood of distinct documents: 100,000 by default (`pnpm flood 5000`), half from a caller without any role and half from
 * one who may run them. It fails if the built gateway exceeds its memory bound, or grows because of refused documents.
 */

const DOCUMENT_COUNT = Number(process.argv[2] ?? 100_000);
const RESIDENT_MAX_MB = 300;
const GROWTH_OF_REFUSED_MAX_MB = 50;
/** The first part fills pools and warms up the JIT compiler, and does not count as growth. */
const WARM_UP_SHARE = 0.1;
const PARALLEL = 16;
const SAMPLE_EVERY = 500;
const REPORT_EVERY = 5_000;

await using postgres = await startPostgresServer();
await using redis = await startRedisServer();
await using gateway = await serve({
  ...JWT_ENVIRONMENT,
  LOG_LEVEL: 'silent',
  RATE_LIMIT_PER_SECOND: '0',
  DATABASE_URL: await asRuntimeRole(postgres.url),
  REDIS_URL: redis.url,
});

/** About 30 fields, like a typical client page. */
const documentOf = (name: string): string =>
  `query ${name} {${' tsid(id: "1") { id node time }'.repeat(10)} }`;

async function residentMb(): Promise<number> {
  const status = await readFile(`/proc/${gateway.pid}/status`, 'utf8');
  return Number(/^VmRSS:\s+(\d+) kB/m.exec(status)?.[1]) / 1_024;
}

async function flood(name: string, roles: readonly string[], status: number) {
  const headers = { ...(await bearer({ roles, expiresInS: 36_000 })), 'content-type': 'application/json' };
  const count = Math.ceil(DOCUMENT_COUNT / 2);
  let next = 0;
  let highest = 0;
  let afterWarmUp = 0;
  const caller = async (): Promise<void> => {
    while (next < count) {
      const index = next;
      next += 1;
      const body = JSON.stringify({ query: documentOf(`${name}${index}`) });
      const response = await fetch(gateway.url, { method: 'POST', headers, body });
      await response.arrayBuffer();
      if (response.status !== status) throw new Error(`${name} ${index}: ${response.status}`);
      if (index % SAMPLE_EVERY !== 0) continue;
      const resident = await residentMb();
      highest = Math.max(highest, resident);
      if (index >= count * WARM_UP_SHARE) afterWarmUp ||= resident;
      if (index % REPORT_EVERY === 0) process.stdout.write(`${name} ${index}: ${resident.toFixed(0)} MB\n`);
    }
  };
  await Promise.all(Array.from({ length: PARALLEL }, caller));
  const growth = (await residentMb()) - afterWarmUp;
  process.stdout.write(
    `${name}: ${count} documents, highest ${highest.toFixed(0)} MB, grown by ${growth.toFixed(0)} MB after warm-up\n`,
  );
  return { highest, growth };
}

const refused = await flood('refused', [], 403);
const allowed = await flood('allowed', ['clerk'], 200);
if (Math.max(refused.highest, allowed.highest) > RESIDENT_MAX_MB) process.exitCode = 1;
if (refused.growth > GROWTH_OF_REFUSED_MAX_MB) process.exitCode = 1;
