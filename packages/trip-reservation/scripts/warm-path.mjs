/**
 * Shows which modules and named functions of this package one warm `acceptTrip` runs through, by V8's own coverage.
 * Usage: DATABASE_URL=postgres://… [REDIS_URL=redis://…] node scripts/warm-path.mjs, after a build; the database must be
 * one to throw away.
 */
import { Session } from 'node:inspector/promises';
import { fileURLToPath } from 'node:url';
import { connectRedis } from '@solegate/redis-infra';
import pg from 'pg';

const session = new Session();
session.connect();
await session.post('Profiler.enable');
await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });

const { createTripReservation, migrateTrips } = await import('../dist/index.js');
const database = new pg.Pool({ connectionString: process.env.DATABASE_URL });
await migrateTrips(database);
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

await session.post('Profiler.takePreciseCoverage');
await accept(firstId);
const { result } = await session.post('Profiler.takePreciseCoverage');
const dist = new URL('../dist/', import.meta.url).href;
const ran = result
  .filter((script) => script.url.startsWith(dist))
  .map(({ url: file, functions }) => ({
    file: file.slice(dist.length),
    names: functions.flatMap(({ functionName, ranges }) =>
      functionName !== '' && ranges[0]?.count > 0 ? [functionName] : [],
    ),
  }))
  .filter(({ names }) => names.length > 0);
const functionCount = ran.reduce((sum, { names }) => sum + names.length, 0);
for (const { file, names } of ran) process.stdout.write(`${file}: ${names.join(', ')}\n`);
process.stdout.write(`${ran.length} files, ${functionCount} functions in ${fileURLToPath(dist)}\n`);

await trips.close();
redis?.disconnect();
await database.end();
