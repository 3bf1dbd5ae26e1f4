import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Pool } from 'pg';
import { LOCK_RECENT } from '../src/events/relay.js';
import { freshIds, Stores } from './stores.js';

let stores: Stores;

beforeAll(async () => {
  stores = await Stores.open();
});

afterAll(async () => {
  await stores[Symbol.asyncDispose]();
});

/** 1,000 requests a minute with five events each; a relay publishes the events of twelve seconds together. */
const EVENTS_PER_HOUR = 300_000;
const BATCH_COUNT = 300;

/** Pages that a statement reads, from its own plan. The first time, it may also read the catalog. */
async function pagesOf(pool: Pool, text: string): Promise<number> {
  const explain = `EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) ${text.replace('$1', '200')}`;
  await pool.query(explain);
  const { rows } = await pool.query(explain);
  const plan = rows[0]['QUERY PLAN'][0].Plan;
  return plan['Shared Hit Blocks'] + plan['Shared Read Blocks'];
}

test('an idle relay reads at most ten pages while a snapshot is held for an hour of load', async () => {
  const { pool } = stores.database;
  const backup = await pool.connect();
  await backup.query('BEGIN ISOLATION LEVEL REPEATABLE READ');
  await backup.query('SELECT FROM trips');
  const perBatch = EVENTS_PER_HOUR / BATCH_COUNT;
  for (let batch = 0; batch < BATCH_COUNT; batch += 1) {
    const first = batch * perBatch;
    await pool.query(
      `INSERT INTO trip_outbox (trip_id, revision, type, status, epoch, rider_id, offer_expires_at, occurred_at)
       SELECT 1000000 + i / 5, 1 + i % 5, 'TRIP_REQUESTED', 'FINDING', 1, 1, now(),
              clock_timestamp() - interval '1 hour' + i * interval '1 hour' / $3::integer
       FROM generate_series($1::integer, $2::integer) i`,
      [first, first + perBatch - 1, EVENTS_PER_HOUR],
    );
    await pool.query('UPDATE trip_outbox SET published_at = now() WHERE published_at IS NULL');
  }
  const beside = await pagesOf(pool, LOCK_RECENT);
  await pool.query('SELECT pg_sleep(16)');
  const [idle, all] = [await pagesOf(pool, LOCK_RECENT), await pagesOf(pool, withoutTime(LOCK_RECENT))];
  await backup.query('ROLLBACK');
  backup.release();
  process.stdout.write(
    `pages: ${idle} when idle, ${beside} beside the load, ${all} without a limit in time\n`,
  );
  expect(idle).toBeLessThanOrEqual(10);
  // Those of the last 15 s.
  expect(beside).toBeLessThan(100);
  expect(all).toBeGreaterThan(1000);
});

const withoutTime = (text: string) => text.replace(/ AND occurred_at > .*/, '');

test('a finished trip takes the space that the README states', async () => {
  const tripIds = freshIds(2000);
  const { pool } = stores.database;
  await pool.query('TRUNCATE trip_outbox');
  await pool.query('DELETE FROM trips');
  const trips = stores.withoutRedis({ countAttempts: true });
  for (let first = 0; first < tripIds.length; first += 50) {
    await Promise.all(
      tripIds.slice(first, first + 50).map(async (tripId) => {
        const offered = freshIds(5);
        const [driverId = 0n, ...others] = offered;
        const place = { latitude: 13.75, longitude: 100.5, address: 'A street of some length 12' };
        await trips.requestTrip({
          tripId,
          riderId: tripId,
          pickup: place,
          dropoff: place,
          offeredTo: offered,
          idempotencyKey: `request-${tripId}`,
        });
        const accepts = [driverId, ...others].map((id) =>
          trips.acceptTrip({ tripId, driverId: id, offerEpoch: 1 }),
        );
        expect((await Promise.all(accepts))[0]?.kind).toBe('ACCEPTED');
        await trips.reportArrival({ tripId, driverId });
        await trips.startTrip({ tripId, driverId });
        await trips.completeTrip({ tripId, driverId });
      }),
    );
  }
  await trips.close();
  // As an idle night leaves the tables: what the moves left behind is free again, and reused by the next trips. VACUUM
  // would keep it while any transaction of another test file lasts.
  for (const table of ['trips', 'trip_outbox', 'trip_attempts']) {
    await pool.query(`CREATE TEMP TABLE kept AS TABLE ${table}; TRUNCATE ${table};
      INSERT INTO ${table} OVERRIDING SYSTEM VALUE TABLE kept; DROP TABLE kept; REINDEX TABLE ${table}`);
  }
  const { rows } = await pool.query(`
    SELECT pg_total_relation_size('trips') AS trip, pg_total_relation_size('trip_outbox') AS history,
           pg_total_relation_size('trip_attempts') AS counts`);
  const measured = ['trip', 'history', 'counts'].map((name) => Number(rows[0][name]) / tripIds.length);
  process.stdout.write(`bytes of a finished trip, its history and its counts: ${measured.map(Math.round)}\n`);
  const readme = await readFile(new URL('../README.md', import.meta.url), 'utf8');
  const [, ...stated] =
    /A finished trip takes about ([\d,]+) bytes, its history ([\d,]+), its counts ([\d,]+)/.exec(
      readme.replace(/\s+/g, ' '),
    ) ?? [];
  for (const [index, text] of stated.entries()) {
    const ratio = (measured[index] ?? 0) / Number(text.replace(',', ''));
    expect(Math.abs(ratio - 1)).toBeLessThan(0.15);
  }
  expect(stated).toHaveLength(3);
});
