import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { RedisConnection } from '@solegate/redis-infra';
import { Dice } from '@solegate/testkit';
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

beforeEach(() => redis.del(...stores.poolKeys));

afterAll(async () => {
  await stores[Symbol.asyncDispose]();
});

const poolKey = (name: string) => stores.poolKey(name);
const bangkok = { latitude: 13.75, longitude: 100.5 };
/** About this many metres east of the centre. */
const east = (meters: number) => ({ ...bangkok, longitude: bangkok.longitude + meters / 108_000 });
const nearest: NearestOffer = { batchSize: 3, everyMs: 60_000, radiiMeters: [1000, 3000] };

/** Distance as Redis computes it: haversine with its Earth radius. */
function metersBetween(a: typeof bangkok, b: typeof bangkok): number {
  const rad = (degrees: number) => (degrees * Math.PI) / 180;
  const u = Math.sin(rad(b.latitude - a.latitude) / 2);
  const v = Math.sin(rad(b.longitude - a.longitude) / 2);
  const root = u * u + Math.cos(rad(a.latitude)) * Math.cos(rad(b.latitude)) * v * v;
  return 2 * 6_372_797.56 * Math.asin(Math.sqrt(root));
}

async function placeDrivers(distances: readonly number[]): Promise<bigint[]> {
  const driverIds = freshIds(distances.length);
  await Promise.all(
    driverIds.map((driverId, index) => pool.updatePosition({ driverId, place: east(distances[index] ?? 0) })),
  );
  return driverIds;
}

function withPool(options: Partial<TripReservationOptions> = {}): TripReservation {
  return stores.withoutRedis({ drivers: pool, offerTtlMs: 60_000, ...options });
}

function requestNear(trips: TripReservation, options: { readonly nearest?: NearestOffer } = {}) {
  const tripId = freshId();
  return trips.requestTrip({ tripId, riderId: tripId, pickup: bangkok, nearest, ...options });
}

/** Makes the next step of these trips due. */
const passTime = (...trips: readonly Trip[]) =>
  stores.database.pool.query(
    "UPDATE trip_nearest SET next_at = clock_timestamp() - interval '1 second' WHERE trip_id = ANY ($1)",
    [trips.map(({ id }) => String(id))],
  );

/** The drivers of each event of the trip. */
async function stepsOf({ id: tripId }: Trip) {
  const events = await stores.withoutRedis().tripHistory({ tripId });
  return events.map(({ offeredTo }) => offeredTo);
}

describe('an offer to the nearest drivers', () => {
  test('reaches the first few, then the next, then those farther away, each once', async () => {
    const trips = withPool();
    const drivers = await placeDrivers([100, 900, 300, 500, 700, 2000, 2500, 3500]);
    const [at100, at900, at300, at500, at700, at2000, at2500] = drivers;
    const trip = await requestNear(trips);
    expect(trip.offeredTo).toEqual([at100, at300, at500]);
    expect(await trips.expireOffers()).toMatchObject({ widenedCount: 0 });
    await passTime(trip);
    expect(await trips.expireOffers()).toMatchObject({ widenedCount: 1 });
    await passTime(trip);
    expect(await trips.expireOffers()).toMatchObject({ widenedCount: 1 });
    await passTime(trip);
    expect(await trips.expireOffers()).toMatchObject({ widenedCount: 0 });
    expect(await stepsOf(trip)).toEqual([[at100, at300, at500], [at700, at900, at2000], [at2500]]);
    expect(await trips.acceptTrip({ tripId: trip.id, driverId: at2500 ?? 0n, offerEpoch: 1 })).toMatchObject({
      kind: 'ACCEPTED',
    });
  });

  test('searches farther immediately when no driver is near, and continues when one arrives', async () => {
    const trips = withPool();
    const [far = 0n] = await placeDrivers([2000]);
    expect((await requestNear(trips)).offeredTo).toEqual([far]);
    await pool.forgetPosition(far);
    const lonely = await requestNear(trips);
    expect(lonely.offeredTo).toEqual([]);
    await passTime(lonely);
    expect(await trips.expireOffers()).toMatchObject({ widenedCount: 0 });
    const [newcomer] = await placeDrivers([50]);
    await passTime(lonely);
    await trips.expireOffers();
    expect(await stepsOf(lonely)).toEqual([[], [newcomer]]);
  });

  test('leaves out drivers who are on a trip, and positions that have expired', async () => {
    const trips = withPool();
    const [busy = 0n, silent = 0n, free = 0n] = await placeDrivers([10, 20, 30]);
    const { id: tripId } = await stores.openTrip();
    await trips.acceptTrip({ tripId, driverId: busy, offerEpoch: 1 });
    await redis.zadd(poolKey('heard'), 1, String(silent));
    expect((await requestNear(trips)).offeredTo).toEqual([free]);
    expect(await redis.zscore(poolKey('places'), String(silent))).toBeNull();
  });

  test('continues in another process when the one that created it has died', async () => {
    const first = withPool();
    const drivers = await placeDrivers([100, 200, 300, 400, 500, 600]);
    const trip = await requestNear(first);
    await first.close();
    await passTime(trip);
    const reports = await Promise.all(
      [withPool(), withPool(), withPool()].map((other) => other.expireOffers()),
    );
    expect(reports.reduce((sum, { widenedCount }) => sum + widenedCount, 0)).toBe(1);
    expect(await stepsOf(trip)).toEqual([drivers.slice(0, 3), drivers.slice(3)]);
  });

  test('a step whose process died is taken by another process two seconds later', async () => {
    const trips = withPool();
    const drivers = await placeDrivers([100, 200, 300, 400]);
    const trip = await requestNear(trips);
    await passTime(trip);
    const dying = withPool({
      drivers: {
        markBusy: async () => undefined,
        release: async () => undefined,
        giveBack: async () => undefined,
        reserveNearest: () => {
          throw new Error('the process dies');
        },
      },
    });
    await expect(dying.expireOffers()).rejects.toThrow('the process dies');
    expect(await trips.expireOffers()).toMatchObject({ widenedCount: 0 });
    await passTime(trip);
    expect(await trips.expireOffers()).toMatchObject({ widenedCount: 1 });
    expect(await stepsOf(trip)).toEqual([drivers.slice(0, 3), drivers.slice(3)]);
  });

  test('reaches no more drivers once one has the trip, and continues after they leave', async () => {
    const trips = withPool();
    const [winner = 0n, ...others] = await placeDrivers([100, 200, 300, 400]);
    const trip = await requestNear(trips);
    await trips.acceptTrip({ tripId: trip.id, driverId: winner, offerEpoch: 1 });
    await passTime(trip);
    expect(await trips.expireOffers()).toMatchObject({ widenedCount: 0 });
    await trips.cancelTrip({ tripId: trip.id, driverId: winner });
    expect(await trips.expireOffers()).toMatchObject({ widenedCount: 1 });
    const events = await trips.tripHistory({ tripId: trip.id });
    expect(events.at(-1)).toMatchObject({ type: 'TRIP_OFFERED', epoch: 2, offeredTo: others.slice(2) });
    await trips.cancelTrip({ tripId: trip.id, riderId: trip.riderId });
    await passTime(trip);
    await trips.expireOffers();
    const { rows } = await stores.database.pool.query('SELECT FROM trip_nearest WHERE trip_id = $1', [
      String(trip.id),
    ]);
    expect(rows).toEqual([]);
  });

  test('needs driver positions', async () => {
    const call = requestNear(stores.withoutRedis());
    await expect(call).rejects.toMatchObject({ code: 'INVALID_REQUEST', field: 'nearest' });
  });

  test('for 50 trips among 2,000 drivers reaches the nearest first, wider each time, and no driver twice', async () => {
    const dice = new Dice(1);
    const somewhere = () => ({ latitude: 13.5 + dice.next() / 5, longitude: 100.3 + dice.next() / 5 });
    const drivers = Array.from({ length: 2000 }, () => ({ driverId: freshId(), place: somewhere() }));
    for (let index = 0; index < drivers.length; index += 500) {
      await Promise.all(drivers.slice(index, index + 500).map((driver) => pool.updatePosition(driver)));
    }
    // Searches that reserve no one, so that no trip takes a driver from another.
    const unreserved: DriverPool = Object.assign(Object.create(pool), {
      reserveNearest: (...[place, options]: Parameters<DriverPool['reserveNearest']>) =>
        pool.reserveNearest(place, { ...options, forMs: 0 }),
    });
    const trips = withPool({ drivers: unreserved });
    const plan: NearestOffer = { batchSize: 5, everyMs: 60_000, radiiMeters: [500, 1000, 2500] };
    const requests = Array.from({ length: 50 }, () => ({ tripId: freshId(), pickup: somewhere() }));
    const made = await Promise.all(
      requests.map((request) => trips.requestTrip({ ...request, riderId: request.tripId, nearest: plan })),
    );
    for (let step = 2; step <= 4; step += 1) {
      await passTime(...made);
      await trips.expireOffers();
    }
    for (const [index, trip] of made.entries()) {
      const { pickup } = requests[index] as { pickup: typeof bangkok };
      const ranked = drivers
        .map(({ driverId, place }) => ({ driverId, meters: metersBetween(pickup, place) }))
        .filter(({ meters }) => meters <= 2500)
        .sort((a, b) => a.meters - b.meters);
      const metersOf = new Map(ranked.map(({ driverId, meters }) => [driverId, meters]));
      const steps = (await stepsOf(trip)) as (readonly bigint[])[];
      const offered = steps.flat();
      expect(new Set(offered).size).toBe(offered.length);
      expect(steps.every((batch) => batch.length <= 5)).toBe(true);
      // Redis rounds positions by less than a metre, so two drivers can swap places.
      const meters = offered.map((driverId) => metersOf.get(driverId) ?? Number.NaN);
      const sorted = ranked.slice(0, offered.length).map((driver) => driver.meters);
      meters.forEach((distance, place) => {
        expect(Math.abs(distance - (sorted[place] ?? Number.NaN))).toBeLessThan(1);
      });
    }
  });
});
