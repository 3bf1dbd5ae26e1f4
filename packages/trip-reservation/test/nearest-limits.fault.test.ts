import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { RedisConnection } from '@solegate/redis-infra';
import { type RedisTestServer, startRedisServer } from '@solegate/testkit';
import type { NearestOffer, TripReservation, TripReservationOptions } from '../src/index.js';
import { freshId, Stores } from './stores.js';

/* What a search for drivers must not outlast: its offer, and its call. */

let stores: Stores;
let server: RedisTestServer;
let redis: RedisConnection;

beforeAll(async () => {
  stores = await Stores.open();
  server = await startRedisServer({ persistence: 'none' });
  // Longer than any pool of this file waits.
  redis = await stores.connectPatiently(server.url);
});

beforeEach(async () => {
  await redis.flushall();
  await stores.database.pool.query('TRUNCATE trips, trip_nearest, trip_outbox, driver_active');
});

afterEach(() => server.resume());

afterAll(async () => {
  await stores[Symbol.asyncDispose]();
  await server.stop();
});

const pickup = { latitude: 13.75, longitude: 100.5 };
const nearest: NearestOffer = { batchSize: 1, everyMs: 60_000, radiiMeters: [1000] };

function withPool(
  drivers: NonNullable<TripReservationOptions['drivers']> = stores.driverPool(redis),
  options: Partial<TripReservationOptions> = {},
): TripReservation {
  return stores.withoutRedis({ drivers, offerTtlMs: 60_000, ...options });
}

function request(trips: TripReservation, options: { offerTtlMs?: number; nearest?: NearestOffer } = {}) {
  const tripId = freshId();
  return trips.requestTrip({ tripId, riderId: tripId, pickup, nearest, ...options });
}

const passTime = (column = 'next_at') =>
  stores.database.pool.query(`UPDATE trip_nearest SET ${column} = clock_timestamp() - interval '3 seconds'`);

/** A pool, and for how long each search was to reserve drivers. */
function listed(pool = stores.driverPool(redis)) {
  const reservedMs: number[] = [];
  const drivers: NonNullable<TripReservationOptions['drivers']> = {
    reserveNearest: (place, options) => {
      reservedMs.push(options.forMs);
      return pool.reserveNearest(place, options);
    },
    markBusy: (...args) => pool.markBusy(...args),
    release: (...args) => pool.release(...args),
    giveBack: (...args) => pool.giveBack(...args),
  };
  return { drivers, reservedMs };
}

describe('drivers whom a search reserves', () => {
  test('are reserved for one step, and no longer than the offer lasts', async () => {
    const { drivers, reservedMs } = listed();
    const trips = withPool(drivers);
    await request(trips, { offerTtlMs: 5_000 });
    await request(trips, { nearest: { ...nearest, everyMs: 2_000 } });
    expect(reservedMs).toEqual([5_000, 2_000]);
  });

  test('are reserved by a later step for what is left of the offer', async () => {
    const { drivers, reservedMs } = listed();
    const trips = withPool(drivers);
    const { id: tripId } = await request(trips);
    await stores.database.pool.query(
      "UPDATE trips SET offer_expires_at = clock_timestamp() + interval '20 seconds' WHERE id = $1",
      [String(tripId)],
    );
    await passTime();
    await trips.expireOffers();
    const [, later = 0] = reservedMs;
    expect(later).toBeGreaterThan(0);
    expect(later).toBeLessThanOrEqual(20_000);
    expect(Number.isInteger(later)).toBe(true);
  });
});

test('a trip is requested without drivers while Redis is stopped and the pool would wait longer than the call', async () => {
  const trips = withPool(stores.driverPool(redis, { timeoutMs: 60_000 }), { requestTimeoutMs: 1_500 });
  server.pause();
  expect(await request(trips)).toMatchObject({ status: 'FINDING', offeredTo: [] });
});

test('a sweep of many steps waits for Redis once, and offers all their trips to others', async () => {
  const trips = withPool();
  for (let count = 0; count < 16; count += 1) {
    await request(trips, { nearest: { ...nearest, whenUnavailable: 'EVERYONE' } });
  }
  await passTime();
  await passTime('unavailable_since');
  const failures: bigint[] = [];
  const { drivers, reservedMs } = listed(stores.driverPool(redis, { timeoutMs: 1_000 }));
  const sweeping = withPool(drivers, {
    requestTimeoutMs: 3_000,
    observer: { driversNotRanked: ({ tripId }) => failures.push(tripId) },
  });
  server.pause();
  expect(await sweeping.expireOffers()).toMatchObject({ widenedCount: 16 });
  expect(new Set(failures).size).toBe(16);
  // Those that were in progress together.
  expect(reservedMs).toHaveLength(4);
});
