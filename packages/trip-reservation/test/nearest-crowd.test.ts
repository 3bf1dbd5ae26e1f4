import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { RedisConnection } from '@solegate/redis-infra';
import { until, watchedPool } from '@solegate/testkit';
import type { DriverPool } from '../src/driver-pool/index.js';
import type { NearestOffer, Trip, TripReservation, TripReservationOptions } from '../src/index.js';
import { freshId, freshIds, Stores } from './stores.js';

let stores: Stores;
let redis: RedisConnection;
let pool: DriverPool;

beforeAll(async () => {
  stores = await Stores.open();
  redis = await stores.connectPatiently();
  pool = stores.driverPool(redis);
});

beforeEach(async () => {
  await redis.del(...stores.poolKeys);
  await stores.database.pool.query('TRUNCATE trip_nearest');
});

afterAll(async () => {
  await stores[Symbol.asyncDispose]();
});

const middle = { latitude: 13.75, longitude: 100.5 };
const east = (meters: number) => ({ ...middle, longitude: middle.longitude + meters / 108_000 });
const nearest: NearestOffer = { batchSize: 5, everyMs: 60_000, radiiMeters: [1000, 3000] };

async function placeDrivers(count: number, meters: number): Promise<bigint[]> {
  const driverIds = freshIds(count);
  await Promise.all(driverIds.map((driverId) => pool.updatePosition({ driverId, place: east(meters) })));
  return driverIds;
}

const withPool = (options: Partial<TripReservationOptions> = {}) =>
  stores.withoutRedis({ drivers: pool, offerTtlMs: 60_000, ...options });

function requestNear(trips: TripReservation, plan = nearest, offeredTo?: readonly bigint[]): Promise<Trip> {
  const tripId = freshId();
  return trips.requestTrip({
    tripId,
    riderId: tripId,
    pickup: middle,
    nearest: plan,
    ...(offeredTo && { offeredTo }),
  });
}

/** Makes the next steps of these trips due. */
const passTime = (trips: readonly Trip[], column = 'next_at') =>
  stores.database.pool.query(
    `UPDATE trip_nearest SET ${column} = clock_timestamp() - interval '3 seconds' WHERE trip_id = ANY ($1)`,
    [trips.map(({ id }) => String(id))],
  );

/** Ends all marks. */
const endMarks = () => redis.zunionstore(stores.poolKey('ends'), 1, stores.poolKey('ends'), 'WEIGHTS', 0);
const listOf = ({ offeredTo }: Trip) => offeredTo as readonly bigint[];

/** Gives each of the drivers a trip. */
async function occupy(trips: TripReservation, driverIds: readonly bigint[]): Promise<bigint[]> {
  return Promise.all(
    driverIds.map(async (driverId) => {
      const { id: tripId } = await stores.openTrip();
      await trips.acceptTrip({ tripId, driverId, offerEpoch: 1 });
      await trips.startTrip({ tripId, driverId });
      return tripId;
    }),
  );
}

describe('busy drivers', () => {
  test('hide no free driver, however many stand nearer', async () => {
    const trips = withPool();
    const busy = await placeDrivers(60, 50);
    const [free] = await placeDrivers(1, 550);
    await occupy(trips, busy);
    expect((await requestNear(trips)).offeredTo).toEqual([free]);
  });

  test('are found and marked again when their marks ended too early', async () => {
    const trips = withPool();
    const busy = await placeDrivers(8, 50);
    const [free] = await placeDrivers(1, 550);
    await occupy(trips, busy);
    await endMarks();
    expect((await requestNear(trips)).offeredTo).toEqual([free]);
    expect(await pool.nearest(middle, { radiusMeters: 500, countMax: 10 })).toEqual([]);
  });

  test('whose marks ended hide no free driver from a small step, which keeps no more than it needs', async () => {
    const trips = withPool();
    const busy = await placeDrivers(20, 50);
    const free = await placeDrivers(1, 550);
    const others = await placeDrivers(2, 650);
    await occupy(trips, busy);
    await endMarks();
    expect((await requestNear(trips, { ...nearest, batchSize: 1 })).offeredTo).toEqual(free);
    expect(new Set(listOf(await requestNear(trips)))).toEqual(new Set(others));
  });

  test('are offered trips again as soon as theirs is over', async () => {
    const trips = withPool();
    const [driverId = 0n] = await placeDrivers(1, 50);
    const [tripId = 0n] = await occupy(trips, [driverId]);
    const waiting = await requestNear(trips);
    expect(waiting.offeredTo).toEqual([]);
    await trips.completeTrip({ tripId, driverId });
    await passTime([waiting]);
    expect(await trips.expireOffers()).toMatchObject({ widenedCount: 1 });
  });
});

describe('riders at one place', () => {
  test('get different drivers within a step, also one step after Redis lost its data', async () => {
    const trips = withPool();
    const drivers = await placeDrivers(60, 100);
    const requests = await Promise.all(Array.from({ length: 50 }, () => requestNear(trips)));
    const offered = requests.flatMap(listOf);
    expect(new Set(offered)).toEqual(new Set(drivers));
    expect(offered).toHaveLength(60);
    await redis.flushdb();
    await Promise.all(drivers.map((driverId) => pool.updatePosition({ driverId, place: east(100) })));
    await passTime(requests);
    await trips.expireOffers();
    const later = (await trips.findTrips(requests.map(({ id }) => id))).flatMap((trip, index) => {
      const before = new Set(listOf(requests[index] as Trip));
      return trip ? listOf(trip).filter((driverId) => !before.has(driverId)) : [];
    });
    expect(new Set(later).size).toBe(later.length);
    expect(later).toHaveLength(60);
  });

  test('release the drivers whom they did not take, for those who still wait', async () => {
    const trips = withPool();
    const drivers = await placeDrivers(10, 100);
    const requests = [];
    for (let count = 0; count < 10; count += 1) requests.push(await requestNear(trips));
    let served = 0;
    for (let step = 0; step < 10; step += 1) {
      for (const { id: tripId } of requests) {
        const trip = await trips.findTrip(tripId);
        const [driverId] = trip?.status === 'FINDING' ? listOf(trip) : [];
        if (driverId === undefined) continue;
        const answer = await trips.acceptTrip({ tripId, driverId, offerEpoch: 1 });
        if (answer.kind === 'ACCEPTED') served += 1;
      }
      await passTime(requests);
      await trips.expireOffers();
    }
    expect(served).toBe(drivers.length);
  });
});

describe('a trip whose row is locked', () => {
  test('delays its own step only, and takes it once it is unlocked', async () => {
    const trips = withPool();
    const requests = await Promise.all(
      Array.from({ length: 21 }, () => requestNear(trips, { ...nearest, batchSize: 1 })),
    );
    await placeDrivers(25, 100);
    const [locked] = requests;
    const session = await stores.database.pool.connect();
    await session.query('BEGIN');
    await session.query('SELECT FROM trips WHERE id = $1 FOR UPDATE', [String(locked?.id)]);
    await passTime(requests);
    expect(await trips.expireOffers()).toMatchObject({ widenedCount: 20 });
    await session.query('ROLLBACK');
    session.release();
    await passTime(requests.slice(0, 1));
    expect(await trips.expireOffers()).toMatchObject({ widenedCount: 1 });
  });
});

test('an offer that expires during its search reaches no one, and its drivers are free again', async () => {
  const [driverId] = await placeDrivers(1, 100);
  let trip: Trip | undefined;
  const slow: TripReservationOptions['drivers'] = {
    reserveNearest: async (...args) => {
      const found = await pool.reserveNearest(...args);
      if (trip) await stores.letOfferRunOut(trip.id);
      return found;
    },
    markBusy: (...args) => pool.markBusy(...args),
    release: (...args) => pool.release(...args),
    giveBack: (...args) => pool.giveBack(...args),
  };
  const trips = withPool({ drivers: slow });
  trip = await requestNear(trips, { ...nearest, radiiMeters: [50] });
  await pool.updatePosition({ driverId: driverId ?? 0n, place: middle });
  await passTime([trip]);
  expect(await trips.expireOffers()).toMatchObject({ widenedCount: 0 });
  expect(await trips.findTrip(trip.id)).toMatchObject({ offeredTo: [] });
  await until(async () => (await pool.nearest(middle, { radiusMeters: 50, countMax: 1 })).length === 1);
});

test('a sweep that outlasts its lease leaves drivers to the sweep that offered them the trip since', async () => {
  const given: Promise<void>[] = [];
  const late: typeof pool = Object.assign(Object.create(pool), {
    reserveNearest: async (...search: Parameters<typeof pool.reserveNearest>) => {
      const found = await pool.reserveNearest(...search);
      await passTime([trip]);
      expect(await withPool().expireOffers()).toMatchObject({ widenedCount: 1 });
      return found;
    },
    giveBack: (...args: Parameters<typeof pool.giveBack>) => {
      const giving = pool.giveBack(...args);
      given.push(giving);
      return giving;
    },
  });
  const trip = await requestNear(withPool());
  const [driverId] = await placeDrivers(1, 100);
  await passTime([trip]);
  expect(await withPool({ drivers: late }).expireOffers()).toMatchObject({ widenedCount: 0 });
  await Promise.all(given);
  expect(await withPool().findTrip(trip.id)).toMatchObject({ offeredTo: [driverId] });
  expect((await requestNear(withPool())).offeredTo).toEqual([]);
});

test('a sweep that takes over a step leaves drivers to the sweep that offers them the trip after all', async () => {
  const given: Promise<void>[] = [];
  let [hasSearched, hasEnded] = [false, false];
  let takingOver: Promise<unknown> | undefined;
  const second: typeof pool = Object.assign(Object.create(pool), {
    reserveNearest: async (...search: Parameters<typeof pool.reserveNearest>) => {
      const found = await pool.reserveNearest(...search);
      hasSearched = true;
      await until(() => hasEnded);
      return found;
    },
    giveBack: (...args: Parameters<typeof pool.giveBack>) => {
      const giving = pool.giveBack(...args);
      given.push(giving);
      return giving;
    },
  });
  const first: typeof pool = Object.assign(Object.create(pool), {
    reserveNearest: async (...search: Parameters<typeof pool.reserveNearest>) => {
      const found = await pool.reserveNearest(...search);
      await passTime([trip]);
      takingOver = withPool({ drivers: second }).expireOffers();
      await until(() => hasSearched);
      return found;
    },
  });
  const trip = await requestNear(withPool());
  const [driverId] = await placeDrivers(1, 100);
  await passTime([trip]);
  expect(await withPool({ drivers: first }).expireOffers()).toMatchObject({ widenedCount: 1 });
  hasEnded = true;
  expect(await takingOver).toMatchObject({ widenedCount: 0 });
  await Promise.all(given);
  expect(await withPool().findTrip(trip.id)).toMatchObject({ offeredTo: [driverId] });
  expect((await requestNear(withPool())).offeredTo).toEqual([]);
});

test('a step whose reply was lost keeps the drivers whom the trip was offered to', async () => {
  let isLost = false;
  const database = watchedPool(stores.database.pool, async ({ name }, run) => {
    const result = await run();
    if (isLost || name !== 'solegate_end_nearest_steps') return result;
    isLost = true;
    throw new Error('Connection terminated unexpectedly');
  });
  const trip = await requestNear(withPool());
  const [driverId] = await placeDrivers(1, 100);
  await passTime([trip]);
  await withPool({ database }).expireOffers();
  expect(isLost).toBe(true);
  expect(await withPool().findTrip(trip.id)).toMatchObject({ offeredTo: [driverId] });
  // Whatever it still sends to Redis comes before this.
  await placeDrivers(1, 900_000);
  expect((await requestNear(withPool())).offeredTo).toEqual([]);
});

test('a request that conflicts with an earlier one keeps no driver from other riders', async () => {
  const trips = withPool();
  const earlier = { tripId: freshId(), riderId: freshId(), idempotencyKey: 'one', nearest };
  await trips.requestTrip({ ...earlier, pickup: east(50_000) });
  const [driverId] = await placeDrivers(1, 100);
  const conflict = trips.requestTrip({ ...earlier, tripId: freshId(), pickup: middle });
  await expect(conflict).rejects.toMatchObject({ code: 'TRIP_CONFLICT' });
  // Whatever it still sends to Redis comes before this.
  await placeDrivers(1, 900_000);
  expect((await requestNear(trips)).offeredTo).toEqual([driverId]);
});

test.each(['the same ID', 'another ID'])(
  'a repeated request keeps no driver for a trip that is over: %s',
  async (id) => {
    const trips = withPool();
    const request = { tripId: freshId(), riderId: freshId(), idempotencyKey: 'two', pickup: middle, nearest };
    const [driverId] = await placeDrivers(1, 100);
    expect((await trips.requestTrip(request)).offeredTo).toEqual([driverId]);
    await trips.cancelTrip(request);
    await endMarks();
    const tripId = id === 'the same ID' ? request.tripId : freshId();
    expect(await trips.requestTrip({ ...request, tripId })).toMatchObject({ status: 'CANCELLED' });
    // Whatever it still sends to Redis comes before this.
    await placeDrivers(1, 900_000);
    expect((await requestNear(trips)).offeredTo).toEqual([driverId]);
  },
);

test('a driver who rejects an offer of another epoch keeps the one that they have', async () => {
  const [driverId = 0n] = await placeDrivers(1, 100);
  const { id, epoch } = await requestNear(withPool());
  const offer = { tripId: id, driverId, offerEpoch: epoch + 1 };
  expect(await withPool().rejectTrip(offer)).toMatchObject({ kind: 'NOT_OFFERED' });
  await placeDrivers(1, 900_000);
  expect((await requestNear(withPool())).offeredTo).toEqual([]);
});

describe('while positions are unavailable', () => {
  /** A reservation whose Redis is away, and what it reports. */
  async function away() {
    const failures: bigint[] = [];
    const lost = await stores.connectRedis();
    lost.disconnect();
    const observer = { driversNotRanked: ({ tripId }: { tripId: bigint }) => failures.push(tripId) };
    return { failures, trips: withPool({ drivers: stores.driverPool(lost), observer }) };
  }

  test('an offer reaches no one, and the nearest as soon as they are known', async () => {
    const { trips, failures } = await away();
    const trip = await requestNear(trips);
    expect(trip.offeredTo).toEqual([]);
    await passTime([trip]);
    await passTime([trip], 'unavailable_since');
    expect(await trips.expireOffers()).toMatchObject({ widenedCount: 0 });
    expect(failures).toEqual([trip.id, trip.id]);
    const [driverId] = await placeDrivers(1, 100);
    await passTime([trip]);
    const recovered = withPool();
    expect(await recovered.expireOffers()).toMatchObject({ widenedCount: 1 });
    expect(await recovered.findTrip(trip.id)).toMatchObject({ offeredTo: [driverId] });
  });

  test('an offer reaches the listed drivers, or everyone, after two seconds, if the request says so', async () => {
    const { trips } = await away();
    const [listed = 0n] = freshIds(1);
    const toListed = await requestNear(trips, { ...nearest, whenUnavailable: 'LISTED' }, [listed]);
    const toEveryone = await requestNear(trips, { ...nearest, whenUnavailable: 'EVERYONE' });
    const both = [toListed, toEveryone];
    expect(both.map(({ offeredTo }) => offeredTo)).toEqual([[], []]);
    await passTime(both);
    expect(await trips.expireOffers()).toMatchObject({ widenedCount: 0 });
    await passTime(both);
    await passTime(both, 'unavailable_since');
    expect(await trips.expireOffers()).toMatchObject({ widenedCount: 2 });
    const audiences = (await trips.findTrips(both.map(({ id }) => id))).map((trip) => trip?.offeredTo);
    expect(audiences).toEqual([[listed], 'EVERYONE']);
  });

  test('a late reply of Redis only delays the offer', async () => {
    const drivers: typeof pool = Object.assign(Object.create(pool), {
      reserveNearest: async (...search: Parameters<typeof pool.reserveNearest>) => {
        await pool.reserveNearest(...search);
        throw Object.assign(new Error('late'), { code: 'DRIVER_POOL_UNAVAILABLE' });
      },
    });
    const [driverId] = await placeDrivers(1, 100);
    const trip = await requestNear(withPool({ drivers }));
    await passTime([trip]);
    await withPool().expireOffers();
    expect(await withPool().findTrip(trip.id)).toMatchObject({ offeredTo: [driverId] });
  });

  test('listed drivers must be given for LISTED', async () => {
    const call = requestNear(withPool(), { ...nearest, whenUnavailable: 'LISTED' });
    await expect(call).rejects.toMatchObject({ code: 'INVALID_REQUEST', field: 'offeredTo' });
  });
});
