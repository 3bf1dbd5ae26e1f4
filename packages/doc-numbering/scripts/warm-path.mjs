/**
 * Shows which modules and functions of the workspace one warm `issue` runs through, by V8's own coverage: of this package
 * and of those below it. Ends with 1 when they are more than whoever changes how a number is issued should have to read.
 * Usage: DATABASE_URL=postgres://… [REDIS_URL=redis://…] node scripts/warm-path.mjs, after a build; the database must be
 * one to throw away.
 */
import { once } from 'node:events';
import { Session } from 'node:inspector/promises';
import { connectRedis } from '@solegate/redis-infra';
import pg from 'pg';

const FILE_MAX = 20;
const FUNCTION_MAX = 102;

const session = new Session();
session.connect();
await session.post('Profiler.enable');
await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });

const { createNumbering, migrateNumbering } = await import('../dist/index.js');
const pool = new pg.Pool({ connectionString: process.env.DATABASE_URL });
await migrateNumbering(pool);
const { REDIS_URL: url } = process.env;
const redis = url === undefined ? undefined : connectRedis({ url, purpose: 'decision' });
// Until Redis has replied, each draw looks for its marks again.
if (redis) await once(redis, 'ready');
const numbering = createNumbering({ database: pool, ...(redis ? { redis } : {}) });
const series = { space: 'P1', series: 'RFA', actor: 'script' };
await numbering.defineSeries({ ...series, dimensions: ['ORG'], timeZone: 'Asia/Bangkok' });
await numbering.saveFormat({ ...series, template: '{ORG}-{TYPE}-{YEAR}-{SEQ:6}' });
const request = { ...series, dimensions: { ORG: 'PAT' } };
for (let time = 0; time < 50; time += 1) await numbering.issue(request);
await new Promise((resolve) => setTimeout(resolve, 50));

const packages = new URL('../../', import.meta.url).href;

/** Issues one number and returns what ran, by file. */
async function measure() {
  await session.post('Profiler.takePreciseCoverage');
  await numbering.issue(request);
  const { result } = await session.post('Profiler.takePreciseCoverage');
  return result
    .filter((script) => script.url.startsWith(packages) && script.url.includes('/dist/'))
    .map(({ url, functions }) => ({
      file: url.slice(packages.length).replace('/dist/', '/'),
      names: functions.flatMap(({ functionName, ranges }) => (ranges[0]?.count > 0 ? [functionName] : [])),
    }))
    .filter(({ names }) => names.length > 0);
}

const countOf = (files) => files.flatMap(({ names }) => names).length;
// On a busy machine, a timer of another number can run meanwhile: the shortest of several is one number alone.
let ran = await measure();
for (let time = 0; time < 5; time += 1) {
  const other = await measure();
  if (countOf(other) < countOf(ran)) ran = other;
}
const all = ran.flatMap(({ names }) => names);
const namedCount = all.filter((name) => name !== '').length;
for (const { file, names } of ran) {
  process.stdout.write(`${file}: ${names.map((name) => name || '(anonymous)').join(', ')}\n`);
}
process.stdout.write(
  `${ran.length} files, ${namedCount} named functions, ${all.length - namedCount} anonymous ones\n`,
);
if (ran.length > FILE_MAX || all.length > FUNCTION_MAX) process.exitCode = 1;

await numbering.close();
redis?.disconnect();
await pool.end();
