import { setTimeout as pause } from 'node:timers/promises';
import { startPostgresServer, startRedisServer } from '@solegate/testkit';
import { Redis } from 'ioredis';
import pg from 'pg';
import { ask } from '../gateway-client.js';
import { serve } from '../gateway-process.js';
import { asRuntimeRole } from '../runtime-role.js';

/*
 * A soak test: one gateway at half of its capacity, for ten minutes by default (`pnpm soak 2` for two). It fails if memory,
 * handles, connections or Redis keys grow beyond their bounds after the warm-up, or if a request fails.
 */

const MINUTES = Number(process.argv[2] ?? 10);
const CALLERS = 8;
const SAMPLE_MS = 5_000;
/** The first part fills caches and pools, and does not count as growth. */
const WARM_UP_SHARE = 0.25;

/** Allowed growth after the warm-up. */
const BOUNDS = { residentMb: 48, handles: 8, databaseConnections: 4, redisKeys: 200 } as const;
type Sample = Record<keyof typeof BOUNDS, number>;

const SERIES = 'projectCode: "DEMO", organizationCode: "TEAM", typeCode: "RFA", disciplineCode: "STR"';
const OPERATIONS = [
  () => `mutation { issueDocumentNumber(input: { ${SERIES} }) { ... on DocumentNumber { number } } }`,
  () => 'mutation { generateTsids(count: 10) { ... on TsidsGenerated { ids } } }',
  () =>
    `mutation { createCorrespondence(input: { ${SERIES}, subject: "soak" }) { ... on Correspondence { id } } }`,
  () => 'mutation { requestTrip(input: {}) { ... on Trip { id } } }',
  () => '{ correspondences(first: 20) { edges { node { subject type { code } } } } }',
];

await using postgres = await startPostgresServer();
await using redis = await startRedisServer();
await using gateway = await serve({
  DATABASE_URL: await asRuntimeRole(postgres.url),
  REDIS_URL: redis.url,
  LOG_LEVEL: 'warn',
});
const database = new pg.Client(postgres.url);
await database.connect();
const store = new Redis(redis.url);
let requestCount = 0;
let failureCount = 0;
let failure: string | undefined;

/** One caller: after each operation it pauses for as long as the operation took, which halves its load. */
async function call(untilMs: number): Promise<void> {
  for (let turn = 0; performance.now() < untilMs; turn += 1) {
    const startedAtMs = performance.now();
    const operation = OPERATIONS[turn % OPERATIONS.length];
    const { errors } = await ask(gateway.origin, operation?.() ?? '{ __typename }');
    requestCount += 1;
    failureCount += errors.length;
    failure ??= errors[0]?.message;
    await pause(performance.now() - startedAtMs);
  }
}

async function sample(): Promise<Sample> {
  const text = await (await fetch(`${gateway.origin}/metrics`)).text();
  const metric = (name: string): number => Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(text)?.[1]);
  const { rows } = await database.query(
    'SELECT count(*)::int AS count FROM pg_stat_activity WHERE application_name = $1',
    ['solegate'],
  );
  return {
    residentMb: metric('process_resident_memory_bytes') / 2 ** 20,
    handles: metric('nodejs_active_handles_total'),
    databaseConnections: rows[0].count,
    redisKeys: await store.dbsize(),
  };
}

/** The demo's four-digit format would be exhausted after a few minutes. */
const { errors: refusals } = await ask(
  gateway.origin,
  `mutation { saveDocumentNumberFormat(input: {
  projectCode: "DEMO", typeCode: "RFA", template: "{ORG}-{TYPE}-{DISCIPLINE}-{YEAR}-{SEQ:8}"
}) { ... on DocumentNumberFormat { version } } }`,
);
if (refusals.length > 0) throw new Error(`no format for the soak: ${refusals[0]?.message}`);

const startedAtMs = performance.now();
const untilMs = startedAtMs + MINUTES * 60_000;
const callers = Array.from({ length: CALLERS }, () => call(untilMs));
await pause(MINUTES * 60_000 * WARM_UP_SHARE);
const warm = await sample();
let last = warm;
while (performance.now() < untilMs) {
  await pause(Math.min(SAMPLE_MS, Math.max(0, untilMs - performance.now())));
  last = await sample();
  const facts = Object.entries(last).map(([name, value]) => `${name} ${Math.round(value)}`);
  process.stdout.write(`${Math.round((performance.now() - startedAtMs) / 1_000)} s  ${facts.join('  ')}\n`);
}
await Promise.all(callers);
await database.end();
store.disconnect();

const grown = (Object.keys(BOUNDS) as (keyof Sample)[]).filter(
  (name) => last[name] - warm[name] > BOUNDS[name],
);
process.stdout.write(
  `${requestCount} requests, ${failureCount} failed${failure ? ` (${failure})` : ''}; grown beyond its bound: ${grown.join(', ') || 'nothing'}\n`,
);
process.exitCode = grown.length > 0 || failureCount > 0 ? 1 : 0;
