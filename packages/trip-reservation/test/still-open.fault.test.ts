import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { until, watchedPool } from '@solegate/testkit';
import type { TripReservation, TripReservationOptions, TripWatch } from '../src/index.js';
import { CountingPool, freshId, Stores } from './stores.js';

let stores: Stores;
/** A process that answered no driver. */
let elsewhere: TripReservation;

beforeAll(async () => {
  stores = await Stores.open();
  elsewhere = stores.withoutRedis();
});

afterAll(async () => {
  await stores[Symbol.asyncDispose]();
});

/** The remaining hold of a process that died before its commit. */
function leaveHold(tripId: bigint, lifeMs = 300): Promise<unknown> {
  return stores.redis.client.set(stores.gateKey(tripId), `${freshId()}:dead`, 'PX', lifeMs);
}

/** A trip with an UNDECIDED answer, the process that gave it, and a watch from then on. */
async function undecidedTrip(options: Partial<TripReservationOptions> = {}) {
  const { id: tripId, riderId } = await stores.openTrip();
  const trips = await stores.reservation(options);
  await leaveHold(tripId);
  const driverId = freshId();
  const ask = () => trips.acceptTrip({ tripId, driverId, offerEpoch: 1 });
  const answer = await ask();
  if (answer.kind !== 'UNDECIDED') throw new Error(answer.kind);
  const { afterRevision } = answer;
  const watch = await elsewhere.watchTrip({ tripId, afterRevision });
  return { tripId, riderId, driverId, trips, ask, watch };
}

const nextOf = async (watch: TripWatch) => (await watch.next()).value;
const typesOf = async (tripId: bigint) => (await elsewhere.tripHistory({ tripId })).map(({ type }) => type);

/** The statement that announces trips. */
const ANNOUNCE = 'solegate_remind_trips';

describe('after UNDECIDED, an open trip whose hold ended without a winner', () => {
  test('is announced to every watcher, on any process; the driver can then win it', async () => {
    const { tripId, watch, ask } = await undecidedTrip();
    expect(await nextOf(watch)).toMatchObject({
      type: 'TRIP_STILL_OPEN',
      tripId,
      status: 'FINDING',
      epoch: 1,
      revision: 2,
      driverId: null,
      offeredTo: 'EVERYONE',
    });
    expect((await ask()).kind).toBe('ACCEPTED');
    expect(await nextOf(watch)).toMatchObject({ type: 'TRIP_ACCEPTED', revision: 3 });
    watch.close();
  });

  test('is announced once, however many drivers and processes it kept waiting', async () => {
    const { tripId, watch, trips } = await undecidedTrip();
    const others = await Promise.all([stores.reservation(), stores.reservation()]);
    await leaveHold(tripId, 700);
    const answers = await Promise.all(
      [trips, ...others, ...others].map((asked) =>
        asked.acceptTrip({ tripId, driverId: freshId(), offerEpoch: 1 }),
      ),
    );
    expect(new Set(answers.map(({ kind }) => kind))).toEqual(new Set(['UNDECIDED']));
    expect(await nextOf(watch)).toMatchObject({ type: 'TRIP_STILL_OPEN' });
    // Pending events are written before the close.
    await Promise.all([trips, ...others].map((asked) => asked.close()));
    expect(await typesOf(tripId)).toEqual(['TRIP_REQUESTED', 'TRIP_STILL_OPEN']);
    watch.close();
  });

  test('is not announced when it was decided in the meantime: that writes its own event', async () => {
    const { tripId, watch, trips } = await undecidedTrip();
    await elsewhere.acceptTrip({ tripId, driverId: freshId(), offerEpoch: 1 });
    expect(await nextOf(watch)).toMatchObject({ type: 'TRIP_ACCEPTED' });
    await trips.close();
    expect(await typesOf(tripId)).toEqual(['TRIP_REQUESTED', 'TRIP_ACCEPTED']);
    watch.close();
  });

  test('is not announced after the end of its offer', async () => {
    const { tripId, trips, watch } = await undecidedTrip();
    await stores.letOfferRunOut(tripId);
    await trips.close();
    expect(await typesOf(tripId)).toEqual(['TRIP_REQUESTED']);
    watch.close();
  });

  test('is announced as soon as its row is unlocked', async () => {
    const database = new CountingPool(stores.database.directPool);
    const { tripId, watch } = await undecidedTrip({ database });
    const holder = await stores.database.pool.connect();
    await holder.query('BEGIN');
    await holder.query('SELECT FROM trips WHERE id = $1 FOR UPDATE', [String(tripId)]);
    await until(() => database.countOf(ANNOUNCE) >= 2);
    expect(await typesOf(tripId)).toEqual(['TRIP_REQUESTED']);
    await holder.query('COMMIT');
    holder.release();
    expect(await nextOf(watch)).toMatchObject({ type: 'TRIP_STILL_OPEN' });
    watch.close();
  });

  test('is announced as soon as PostgreSQL accepts it', async () => {
    let failureCount = 0;
    const { watch } = await undecidedTrip({
      database: watchedPool(stores.database.directPool, async (statement, run) => {
        if (statement.name !== ANNOUNCE || failureCount === 6) return run();
        failureCount += 1;
        throw Object.assign(new Error('the database system is shutting down'), { code: '57P03' });
      }),
    });
    expect(await nextOf(watch)).toMatchObject({ type: 'TRIP_STILL_OPEN' });
    expect(failureCount).toBe(6);
    watch.close();
  });

  test('is announced by a process that is closed, before it has ended', async () => {
    const { tripId, trips, watch } = await undecidedTrip();
    await trips.close();
    expect(await typesOf(tripId)).toEqual(['TRIP_REQUESTED', 'TRIP_STILL_OPEN']);
    watch.close();
  });
});
