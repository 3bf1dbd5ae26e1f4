import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { RedisConnection } from '@solegate/redis-infra';
import { until } from '@solegate/testkit';
import { createDriverPool, type DriverPool, type NearbyDriver } from '../src/driver-pool/index.js';
import { freshId, freshIds, Stores } from './stores.js';

/** Redis's own measure of one command; on an idle machine they take about one millisecond, and once took seconds. */
const SLOW_MS = 20;

let stores: Stores;
let redis: RedisConnection;
let pool: DriverPool;

beforeAll(async () => {
  stores = await Stores.open();
  redis = await stores.connectPatiently();
  pool = stores.driverPool(redis);
});

beforeEach(() => redis.del(...stores.poolKeys));

afterAll(async () => {
  await stores[Symbol.asyncDispose]();
});

const middle = { latitude: 13.75, longitude: 100.5 };
/** About this many metres east of the centre. */
const east = (meters: number) => ({ ...middle, longitude: middle.longitude + meters / 108_000 });

async function placeDrivers(distances: readonly number[]): Promise<bigint[]> {
  const driverIds = freshIds(distances.length);
  await Promise.all(
    driverIds.map((driverId, index) => pool.updatePosition({ driverId, place: east(distances[index] ?? 0) })),
  );
  return driverIds;
}

const near = (radiusMeters = 2000, countMax = 10): Promise<readonly NearbyDriver[]> =>
  pool.nearest(middle, { radiusMeters, countMax });
const idsNear = async () => (await near()).map(({ driverId }) => driverId);
const SEARCH = { radiusMeters: 2000, except: new Set<bigint>() };
const reserve = (tripId: bigint, countMax: number, forMs = 60_000) =>
  pool.reserveNearest(middle, { ...SEARCH, countMax, tripId, forMs });

/** Adds many positions at once, at random within so many degrees. */
async function crowd(count: number, degrees: number, endsAt = Date.now() + 600_000): Promise<void> {
  const [places, heard] = [stores.poolKey('places'), stores.poolKey('heard')];
  for (let first = 0; first < count; first += 5000) {
    const ids = freshIds(Math.min(5000, count - first));
    const at = (centre: number) => centre + (Math.random() - 0.5) * degrees;
    const members = ids.flatMap((id) => [at(middle.longitude), at(middle.latitude), String(id)]);
    await redis.call('GEOADD', places, ...members);
    await redis.call('ZADD', heard, ...ids.flatMap((id) => [endsAt, String(id)]));
  }
}

/**
 * For how long a search holds Redis, in milliseconds: its longest command by Redis's own measure, which includes the time
 * without a processor; so the least of several plays, since what a search costs is in each of them.
 */
async function holdsRedisMs(search: () => Promise<unknown>): Promise<number> {
  await redis.call('CONFIG', 'SET', 'slowlog-log-slower-than', '0');
  const plays: number[] = [];
  while (plays.length < 5) {
    await redis.call('SLOWLOG', 'RESET');
    await search();
    plays.push(await slowestMs());
  }
  return Math.min(...plays);
}

/** The longest script since the slow log was reset. */
async function slowestMs(): Promise<number> {
  const entries = (await redis.call('SLOWLOG', 'GET', '50')) as [number, number, number, string[]][];
  const evals = entries.filter(([, , , [command = '']]) => command.toLowerCase().startsWith('eval'));
  expect(evals).not.toHaveLength(0);
  return Math.max(...evals.map(([, , micros]) => micros)) / 1000;
}

describe('a driver pool', () => {
  test('keeps the last position of each driver, nearest first', async () => {
    const [mover = 0n, other = 0n] = await placeDrivers([10, 500]);
    expect(await idsNear()).toEqual([mover, other]);
    await pool.updatePosition({ driverId: mover, place: east(1500) });
    expect(await idsNear()).toEqual([other, mover]);
    expect((await near())[0]?.distanceMeters).toBeCloseTo(500, -1);
    expect(await near(1000)).toHaveLength(1);
    expect(await near(2000, 1)).toHaveLength(1);
  });

  test('removes positions that were not updated, even without a search', async () => {
    const gone = await placeDrivers([1, 2, 3]);
    for (const driverId of gone) await redis.zadd(stores.poolKey('heard'), 1, String(driverId));
    await placeDrivers([4]);
    expect(await redis.zcard(stores.poolKey('places'))).toBe(1);
    expect(await redis.zcard(stores.poolKey('heard'))).toBe(1);
  });

  test('leaves nothing in Redis after the last position has expired', async () => {
    const brief = stores.driverPool(redis, { positionTtlMs: 1000 });
    await brief.updatePosition({ driverId: freshId(), place: middle });
    await brief.reserveNearest(middle, { ...SEARCH, tripId: 1n, countMax: 1, forMs: 500 });
    await brief.updatePosition({ driverId: freshId(), place: middle });
    for (const key of stores.poolKeys) {
      const lifeMs = await redis.pttl(key);
      expect([key, lifeMs > 0, lifeMs <= 1500]).toEqual([key, true, true]);
    }
  });

  test('keeps the newer of two positions, in whichever order they arrive', async () => {
    const driverId = freshId();
    const ago = (ms: number) => new Date(Date.now() - ms);
    expect(await pool.updatePosition({ driverId, place: east(500), measuredAt: ago(2000) })).toBeGreaterThan(
      27_000,
    );
    expect(await pool.updatePosition({ driverId, place: middle, measuredAt: ago(5000) })).toBe(0);
    expect((await near())[0]?.distanceMeters).toBeCloseTo(500, -1);
    expect(await pool.updatePosition({ driverId, place: middle, measuredAt: ago(60_000) })).toBe(0);
  });

  test('treats a time in the future as now, so that later positions are not older', async () => {
    const driverId = freshId();
    const measuredAt = new Date(Date.now() + 3_600_000);
    expect(await pool.updatePosition({ driverId, place: east(500), measuredAt })).toBe(30_000);
    await until(async () => (await pool.updatePosition({ driverId, place: middle })) === 30_000);
    expect((await near())[0]?.distanceMeters).toBeLessThan(1);
  });

  test('stores the next position of a driver although the last one counts for longer', async () => {
    const [driverId = 0n] = await placeDrivers([500]);
    // As after Redis's clock was set back, or by a pool whose positions are valid for longer.
    await redis.zadd(stores.poolKey('heard'), Date.now() + 3_600_000, String(driverId));
    expect(await pool.updatePosition({ driverId, place: middle })).toBe(30_000);
    expect((await near())[0]?.distanceMeters).toBeLessThan(1);
  });

  test('remembers when a mark ends for as long as the position of its driver counts', async () => {
    const [driverId = 0n] = await placeDrivers([10]);
    await pool.markBusy(1n, driverId);
    const longer = stores.driverPool(redis, { positionTtlMs: 3_600_000 });
    await longer.updatePosition({ driverId, place: middle });
    // Else nothing would show them in that time, if nobody searches when the mark ends.
    for (const name of ['marks', 'ends', 'hidden']) {
      expect([name, (await redis.pttl(stores.poolKey(name))) > 3_550_000]).toEqual([name, true]);
    }
  });

  test('reserves drivers for one trip at a time, until the time is over or they are released', async () => {
    const [a = 0n, b = 0n, c = 0n] = await placeDrivers([10, 20, 30]);
    const ids = async (found: ReturnType<typeof reserve>) => (await found).map(({ driverId }) => driverId);
    expect(await ids(reserve(1n, 2, 1))).toEqual([a, b]);
    await until(async () => (await idsNear()).length === 3);
    expect(await ids(reserve(1n, 2))).toEqual([a, b]);
    expect(await ids(reserve(2n, 2))).toEqual([c]);
    await pool.release(2n, [a, c]);
    expect(await idsNear()).toEqual([c]);
    await pool.markBusy(3n, a);
    await pool.release(1n, [a, b]);
    expect(await idsNear()).toEqual([b, c]);
  });

  test('keeps the mark of a driver whose position expired and who reports again', async () => {
    const [driverId = 0n] = await placeDrivers([10]);
    await reserve(1n, 1);
    await redis.zadd(stores.poolKey('heard'), 1, String(driverId));
    expect(await idsNear()).toEqual([]);
    await pool.updatePosition({ driverId, place: middle });
    expect(await idsNear()).toEqual([]);
    await pool.release(1n, [driverId]);
    expect(await idsNear()).toEqual([driverId]);
  });

  test('keeps the mark of a driver whose position is forgotten and who reports again', async () => {
    const [driverId = 0n] = await placeDrivers([10]);
    await pool.forgetPosition(driverId);
    expect(await idsNear()).toEqual([]);
    await pool.updatePosition({ driverId, place: middle });
    await reserve(1n, 1);
    await pool.forgetPosition(driverId);
    await pool.updatePosition({ driverId, place: middle });
    expect(await idsNear()).toEqual([]);
    await pool.release(1n, [driverId]);
    expect(await idsNear()).toEqual([driverId]);
  });

  test('keeps no place of drivers who report while their positions are forgotten', async () => {
    const driverIds = await placeDrivers(Array.from({ length: 200 }, () => 10));
    const reporting = stores.driverPool(await stores.connectPatiently());
    await Promise.all(
      driverIds.flatMap((driverId) => [
        pool.forgetPosition(driverId),
        reporting.updatePosition({ driverId, place: middle }),
      ]),
    );
    // Whoever is found nowhere else would never be removed.
    const heard = new Set(await redis.zrange(stores.poolKey('heard'), 0, -1));
    const places = await redis.zrange(stores.poolKey('places'), 0, -1);
    expect(places.filter((id) => !heard.has(id))).toEqual([]);
  });

  test('shows a driver again who reports after Redis lost the end of their mark', async () => {
    const [driverId = 0n] = await placeDrivers([10]);
    await reserve(1n, 1);
    await redis.del(stores.poolKey('ends'));
    expect(await idsNear()).toEqual([]);
    await pool.updatePosition({ driverId, place: middle });
    expect(await idsNear()).toEqual([driverId]);
    expect(await redis.zcard(stores.poolKey('hidden'))).toBe(0);
  });

  test('gives concurrent searches at one place different drivers', async () => {
    await placeDrivers(Array.from({ length: 60 }, (_, index) => 5 * index));
    const found = await Promise.all(freshIds(12).map((tripId) => reserve(tripId, 5)));
    expect(new Set(found.flat().map(({ driverId }) => driverId)).size).toBe(60);
  });

  test.each([
    { radiusMeters: 8000, degrees: 0.3 },
    { radiusMeters: 1000, degrees: 0.1 },
  ])(
    'finds the nearest few among 100,000 drivers within $radiusMeters m, and holds Redis for a few milliseconds',
    async ({ radiusMeters, degrees }) => {
      await crowd(100_000, degrees);
      const [nearest = 0n] = await placeDrivers([1]);
      const found = await near(radiusMeters, 35);
      expect(found).toHaveLength(35);
      expect(found[0]?.driverId).toBe(nearest);
      const ranked = await redis.geosearch(
        stores.poolKey('places'),
        ...([
          'FROMLONLAT',
          middle.longitude,
          middle.latitude,
          'BYRADIUS',
          radiusMeters,
          'm',
          'ASC',
          'COUNT',
          35,
        ] as const),
      );
      expect(found.map(({ driverId }) => String(driverId))).toEqual(ranked);
      expect(await holdsRedisMs(() => near(radiusMeters, 35))).toBeLessThan(SLOW_MS);
    },
  );

  test('finds the free driver behind 600 who have a trip, and holds Redis no longer', async () => {
    const busy = await placeDrivers(Array.from({ length: 600 }, (_, index) => index / 12));
    await Promise.all(busy.map((driverId) => pool.markBusy(1n, driverId)));
    const [free] = await placeDrivers([700]);
    expect((await near(3000)).map(({ driverId }) => driverId)).toEqual([free]);
    expect(await holdsRedisMs(() => near(3000))).toBeLessThan(SLOW_MS);
    await pool.release(1n, busy);
    expect(await near(3000, 100)).toHaveLength(100);
  });

  test('gives 900 drivers at one place to 180 trips, five each', async () => {
    await placeDrivers(Array.from({ length: 900 }, () => 20));
    const found = await Promise.all(freshIds(180).map((tripId) => reserve(tripId, 5)));
    expect(new Set(found.flat().map(({ driverId }) => driverId)).size).toBe(900);
  });

  test('lets a position that is reported during a mark count when the mark ends', async () => {
    const [mover = 0n, other = 0n] = await placeDrivers([10, 500]);
    await reserve(1n, 1);
    await pool.updatePosition({ driverId: mover, place: east(1500) });
    expect(await idsNear()).toEqual([other]);
    await pool.release(1n, [mover]);
    expect(await idsNear()).toEqual([other, mover]);
  });

  test('holds Redis no longer when 30,000 drivers have fallen silent, and removes them over time', async () => {
    await crowd(30_000, 0.1, Date.now() - 1000);
    const [free = 0n] = await placeDrivers([4000]);
    expect(await holdsRedisMs(() => near(8000, 1))).toBeLessThan(SLOW_MS);
    // So that each play met some of them.
    expect(await redis.zcard(stores.poolKey('places'))).toBeGreaterThan(1);
    await until(async () => (await near(8000, 1))[0]?.driverId === free);
  });

  test.each([
    ['driverId', () => pool.updatePosition({ driverId: 0n, place: middle })],
    ['place.latitude', () => pool.updatePosition({ driverId: 1n, place: { latitude: 86, longitude: 0 } })],
    ['measuredAt', () => pool.updatePosition({ driverId: 1n, place: middle, measuredAt: new Date('no') })],
    ['radiusMeters', () => pool.nearest(middle, { radiusMeters: 0, countMax: 1 })],
    ['countMax', () => pool.nearest(middle, { radiusMeters: 1, countMax: 101 })],
  ])('rejects an invalid %s before it sends anything', async (field, call) => {
    await expect(call()).rejects.toMatchObject({ code: 'INVALID_REQUEST', field });
  });

  test('needs to know whose drivers they are', () => {
    expect(() => createDriverPool({ redis })).toThrow(/database or namespace/);
  });

  test('reads the namespace of its database', async () => {
    const own = createDriverPool({ redis, database: stores.database.pool, timeoutMs: 5000 });
    const [driverId] = await placeDrivers([10]);
    expect((await own.nearest(middle, { radiusMeters: 100, countMax: 1 }))[0]?.driverId).toBe(driverId);
  });

  test('says that PostgreSQL is late if its first call waits for that', async () => {
    const own = createDriverPool({ redis, database: stores.database.pool });
    const client = await stores.database.pool.connect();
    await client.query('BEGIN; LOCK TABLE trip_namespace');
    const call = own.updatePosition({ driverId: 1n, place: middle });
    const message = 'driver positions are unavailable: PostgreSQL did not reply in time which database it is';
    await expect(call).rejects.toMatchObject({ code: 'DRIVER_POOL_UNAVAILABLE', message });
    await client.query('ROLLBACK');
    client.release();
  });

  test('reports in time that Redis is unreachable', async () => {
    await using stopped = await Stores.open();
    const away = await stopped.connectRedis();
    away.disconnect();
    const call = stopped.driverPool(away).updatePosition({ driverId: 1n, place: middle });
    await expect(call).rejects.toMatchObject({ code: 'DRIVER_POOL_UNAVAILABLE', retryable: true });
  });
});
