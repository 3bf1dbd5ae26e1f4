/**
 * Shows which modules and functions of the workspace one warm `acceptTrip` runs through, by V8's own coverage, of this
 * package and of those below it: up to the statement that decides, and until the driver is answered. Ends with 1 when
 * those up to the statement are more than whoever changes how a trip is given away should have to read.
 * Usage: DATABASE_URL=postgres://… [REDIS_URL=redis://…] node scripts/warm-path.mjs, after a build; the database must be
 * one to throw away.
 */
import { Session } from 'node:inspector';
import { connectRedis } from '@solegate/redis-infra';
import pg from 'pg';

const FILE_MAX = 26;
const FUNCTION_MAX = 86;
const DECIDING = 'solegate_decide_trips';

const session = new Session();
session.connect();
/** Answers at once: the session is of this thread. */
function post(method, params) {
  let answer;
  session.post(method, params, (error, result) => {
    if (error) throw error;
    answer = result;
  });
  return answer;
}
post('Profiler.enable');
post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });

const { createTripReservation, migrateTrips } = await import('../dist/index.js');
const pool = new pg.Pool({ connectionString: process.env.DATABASE_URL });
await migrateTrips(pool);
let toStatement;
/** The pool itself, with a look at what has run when the deciding statement leaves. */
const database = {
  connect: async () => {
    const client = await pool.connect();
    return {
      query: (statement) => {
        if (statement.name === DECIDING) toStatement = takeRan();
        return client.query(statement);
      },
      release: (error) => client.release(error),
      on: (event, listener) => client.on(event, listener),
      off: (event, listener) => client.off(event, listener),
    };
  },
};
const { REDIS_URL: url } = process.env;
const redis = url === undefined ? undefined : connectRedis({ url, purpose: 'decision' });
const trips = createTripReservation({ database, ...(redis ? { redis } : {}) });

/** IDs that no earlier run of this script used. */
const firstId = BigInt(Date.now()) * 1000n;
const ids = Array.from({ length: 51 }, (_, index) => firstId + BigInt(index));
const accept = (id) => trips.acceptTrip({ tripId: id, driverId: id, offerEpoch: 1 });
for (const id of ids) await trips.requestTrip({ tripId: id, riderId: id, offerTtlMs: 60_000 });
for (const id of ids.slice(1)) await accept(id);
await new Promise((resolve) => setTimeout(resolve, 50));

takeRan();
await accept(firstId);
const afterwards = takeRan();
const isWithinBound = show('to the statement', toStatement);
show('to the answer', merged(toStatement, afterwards));
if (!isWithinBound) process.exitCode = 1;

await trips.close();
redis?.disconnect();
await pool.end();

/** Names of the functions by file, since the last call. */
function takeRan() {
  const packages = new URL('../../', import.meta.url).href;
  const { result } = post('Profiler.takePreciseCoverage');
  return new Map(
    result
      .filter((script) => script.url.startsWith(packages) && script.url.includes('/dist/'))
      .map(({ url: file, functions }) => [
        file.slice(packages.length).replace('/dist/', '/'),
        functions.flatMap(({ functionName, ranges }) => {
          const [{ count, startOffset }] = ranges;
          return count > 0 ? [functionName || `(anonymous at ${startOffset})`] : [];
        }),
      ])
      .filter(([, names]) => names.length > 0),
  );
}

function merged(...runs) {
  const files = new Set(runs.flatMap((ran) => [...ran.keys()]));
  return new Map([...files].map((file) => [file, [...new Set(runs.flatMap((ran) => ran.get(file) ?? []))]]));
}

/** Whether somebody may be asked to read so much. */
function show(extent, ran) {
  const all = [...ran.values()].flat();
  const anonymousCount = all.filter((name) => name.startsWith('(anonymous')).length;
  for (const [file, names] of ran) process.stdout.write(`${file}: ${names.join(', ')}\n`);
  process.stdout.write(
    `${ran.size} files, ${all.length - anonymousCount} named functions, ${anonymousCount} anonymous ones ${extent}\n`,
  );
  return ran.size <= FILE_MAX && all.length <= FUNCTION_MAX;
}
