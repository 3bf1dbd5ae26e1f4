import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { RedisConnection } from '@solegate/redis-infra';
import { until } from '@solegate/testkit';
import type { DriverPool } from '../src/driver-pool/index.js';
import type { NearestOffer, TripReservation, TripReservationOptions } from '../src/index.js';
import { LEAVE_TRIP } from '../src/moves/move.js';
import { CountingPool, freshId, Stores } from './stores.js';

/* Nearest offers whose trips are driven, in a database of their own: no other step is due meanwhile. */

let stores: Stores;
let redis: RedisConnection;
let pool: DriverPool;

beforeAll(async () => {
  stores = await Stores.open();
  redis = await stores.connectPatiently();
  pool = stores.driverPool(redis);
});

async function empty(): Promise<void> {
  await redis.del(...stores.poolKeys);
  await stores.database.pool.query('TRUNCATE trips, trip_nearest, trip_outbox, driver_active');
}

beforeEach(empty);

afterAll(async () => {
  await stores[Symbol.asyncDispose]();
});

const pickup = { latitude: 13.75, longitude: 100.5 };
const nearest: NearestOffer = { batchSize: 1, everyMs: 60_000, radiiMeters: [1000] };
const withPool = (options: Partial<TripReservationOptions> = {}) =>
  stores.withoutRedis({ drivers: pool, offerTtlMs: 60_000, ...options });

async function placeDriver(): Promise<bigint> {
  const driverId = freshId();
  await pool.updatePosition({ driverId, place: pickup });
  return driverId;
}

async function openTrip(trips: TripReservation): Promise<bigint> {
  const tripId = freshId();
  await trips.requestTrip({ tripId, riderId: tripId, pickup, nearest });
  return tripId;
}

/** A trip that its driver has, and whose next step would be due. */
async function drivenTrip(trips: TripReservation) {
  const driverId = await placeDriver();
  const tripId = await openTrip(trips);
  expect(await trips.acceptTrip({ tripId, driverId, offerEpoch: 1 })).toMatchObject({ kind: 'ACCEPTED' });
  await passTime(tripId);
  return { tripId, driverId };
}

const passTime = (tripId: bigint) =>
  stores.database.pool.query(
    "UPDATE trip_nearest SET next_at = clock_timestamp() - interval '1 second' WHERE trip_id = $1",
    [String(tripId)],
  );

/** How long until the next step of the trip is due, in milliseconds; 0: it is. */
async function dueIn(tripId: bigint): Promise<number> {
  const { rows } = await stores.database.pool.query(
    `SELECT greatest(0, 1000 * extract(epoch FROM next_at - clock_timestamp()))::float8 AS ms
     FROM trip_nearest WHERE trip_id = $1`,
    [String(tripId)],
  );
  return rows[0].ms;
}

const lastEvent = async (tripId: bigint) => (await withPool().tripHistory({ tripId })).at(-1);

describe('the steps of a trip that is driven', () => {
  test('keep no sweeper busy, and no relay awake', async () => {
    await drivenTrip(withPool());
    const notices: string[] = [];
    const heard = await (await stores.pubSub()).subscribe(`trip_writes:${stores.namespace}`);
    void (async () => {
      for await (const { kind } of heard) notices.push(kind);
    })();
    let passedMs = 0;
    const database = new CountingPool(stores.database.pool);
    const trips = withPool({
      database,
      pubSub: await stores.pubSub(),
      clock: { now: () => performance.now() + passedMs },
    });
    const sweeper = trips.startSweeper({ intervalMs: 10 });
    await until(() => database.countOf('solegate_look_for_work') >= 10);
    await sweeper.stop();
    expect(database.countOf('solegate_take_nearest_steps')).toBe(1);
    // A notice is not repeated within seconds, and arrives after those of the sweeps.
    passedMs = 10_000;
    await openTrip(trips);
    await until(() => notices.length > 0);
    expect(notices).toHaveLength(1);
    heard.close();
  });

  test.each(['ACCEPTED', 'IN_PROGRESS'])('are postponed for seconds while it is %s', async (status) => {
    const trips = withPool();
    const { tripId, driverId } = await drivenTrip(trips);
    if (status === 'IN_PROGRESS') await trips.startTrip({ tripId, driverId });
    expect(await trips.expireOffers()).toMatchObject({ widenedCount: 0 });
    const ms = await dueIn(tripId);
    expect(ms).toBeGreaterThan(2_000);
    expect(ms).toBeLessThanOrEqual(10_001);
  });

  test('continue at once when its driver leaves', async () => {
    const trips = withPool();
    const { tripId, driverId } = await drivenTrip(trips);
    await trips.expireOffers();
    const next = await placeDriver();
    await trips.cancelTrip({ tripId, driverId });
    expect(await trips.expireOffers()).toMatchObject({ widenedCount: 1 });
    expect(await lastEvent(tripId)).toMatchObject({ type: 'TRIP_OFFERED', epoch: 2, offeredTo: [next] });
  });

  test('continue in the same sweep when its driver does not start, at any fraction of a millisecond', async () => {
    const trips = withPool();
    for (let round = 0; round < 20; round += 1) {
      await empty();
      const { tripId } = await drivenTrip(trips);
      await trips.expireOffers();
      const next = await placeDriver();
      await stores.database.pool.query('UPDATE driver_active SET start_by = clock_timestamp()');
      expect(await trips.expireOffers()).toMatchObject({ redispatchedCount: 1, widenedCount: 1 });
      expect(await lastEvent(tripId)).toMatchObject({ type: 'TRIP_OFFERED', epoch: 2, offeredTo: [next] });
    }
  });

  test('are not postponed by a sweep that saw it driven before its driver left', async () => {
    const trips = withPool();
    const { tripId } = await drivenTrip(trips);
    const other = await openTrip(trips);
    await passTime(other);
    // When the sweep takes the step of the other trip, it has its snapshot, and waits.
    await stores.database.pool.query(`
      CREATE TABLE continued ();
      CREATE FUNCTION wait() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
        WHILE NOT EXISTS (SELECT FROM continued) LOOP PERFORM pg_sleep(0.01); END LOOP;
        RETURN NEW;
      END $$;
      CREATE TRIGGER wait BEFORE UPDATE ON trip_nearest FOR EACH ROW
        WHEN (NEW.trip_id = ${other}) EXECUTE FUNCTION wait()`);
    // The driver leaves before the sweep begins, and their commit comes after its snapshot.
    const leaving = await stores.database.pool.connect();
    await leaving.query('BEGIN');
    await leaving.query(LEAVE_TRIP.text, ['1000', String(tripId), 2, null]);
    const sweeping = trips.expireOffers();
    await until(async () => {
      const { rowCount } = await stores.database.pool.query(
        `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event = 'PgSleep'`,
      );
      return rowCount === 1;
    });
    await leaving.query('COMMIT');
    leaving.release();
    await stores.database.pool.query('INSERT INTO continued DEFAULT VALUES');
    await sweeping;
    expect(await dueIn(tripId)).toBe(0);
    await stores.database.pool.query(
      'DROP TRIGGER wait ON trip_nearest; DROP FUNCTION wait; DROP TABLE continued',
    );
  });

  test('are due at once for every driver who leaves, however many processes sweep', async () => {
    const [trips, ...sweeping] = [withPool(), withPool(), withPool(), withPool()];
    const driven = [];
    for (let count = 0; count < 20; count += 1) driven.push(await drivenTrip(trips as TripReservation));
    // Nobody is found, so that a step is repeated soon.
    await redis.del(...stores.poolKeys);
    let areLeft = false;
    const sweeps = sweeping.map(async (process) => {
      while (!areLeft) await process.expireOffers();
    });
    await Promise.all(driven.map((trip) => trips?.cancelTrip(trip)));
    areLeft = true;
    await Promise.all(sweeps);
    // A step that was taken since is due again after its lease.
    for (const { tripId } of driven) expect(await dueIn(tripId)).toBeLessThanOrEqual(2_001);
  });
});

describe('a driver whose call the trip refuses', () => {
  test.each(['completeTrip', 'reportNoShow'] as const)('is not found for other trips: %s', async (call) => {
    const trips = withPool();
    const { tripId, driverId } = await drivenTrip(trips);
    expect(await trips[call]({ tripId, driverId })).toMatchObject({
      kind: call === 'completeTrip' ? 'NOT_OPEN' : 'TOO_EARLY',
    });
    expect(await found()).toEqual([]);
  });

  test('keeps the offer of a trip that they do not have', async () => {
    const trips = withPool();
    const driverId = await placeDriver();
    const tripId = await openTrip(trips);
    expect(await trips.completeTrip({ tripId, driverId })).toMatchObject({ kind: 'NOT_YOURS' });
    expect(await found()).toEqual([]);
  });

  test('is found once the trip is over for them', async () => {
    const trips = withPool();
    const { tripId, driverId } = await drivenTrip(trips);
    await trips.startTrip({ tripId, driverId });
    await trips.completeTrip({ tripId, driverId });
    expect(await found()).toEqual([driverId]);
  });

  /** Whom a search finds after everything that was sent to Redis before. */
  async function found(): Promise<bigint[]> {
    const drivers = await pool.nearest(pickup, { radiusMeters: 100, countMax: 10 });
    return drivers.map(({ driverId }) => driverId);
  }
});
