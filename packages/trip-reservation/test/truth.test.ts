import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { until, watchedPool } from '@solegate/testkit';
import { createTripReservation } from '../src/index.js';
import { freshId, PATIENT, Stores } from './stores.js';

let stores: Stores;

beforeAll(async () => {
  stores = await Stores.open();
});

afterAll(async () => {
  await stores[Symbol.asyncDispose]();
});

/** Resolves when this much of the offer is left by PostgreSQL's clock; negative: after its end. */
const leftOfOffer = (tripId: bigint, leftMs: number) =>
  until(async () => {
    const { rows } = await stores.database.pool.query(
      `SELECT offer_expires_at - $2 * interval '1 millisecond' <= clock_timestamp() AS is_then FROM trips WHERE id = $1`,
      [String(tripId), leftMs],
    );
    return rows[0].is_then;
  });

/** Another session's transaction that runs these statements and stays open. */
async function elsewhere(...statements: readonly string[]) {
  const session = await stores.database.pool.connect();
  await session.query('BEGIN');
  for (const statement of statements) await session.query(statement);
  return async () => {
    await session.query('ROLLBACK');
    session.release();
  };
}

const expired = (tripId: bigint) => ({ kind: 'NOT_OPEN', tripId, status: 'EXPIRED' });

describe('an offer that expires while its row is locked', () => {
  test.each(['acceptTrip', 'rejectTrip'] as const)(
    'is over for %s, which waited for the lock',
    async (call) => {
      const { id: tripId } = await stores.openTrip({ offerTtlMs: 900 });
      const unlock = await elsewhere(`SELECT FROM trips WHERE id = ${tripId} FOR UPDATE`);
      await leftOfOffer(tripId, 220);
      const answer = stores.withoutRedis()[call]({ tripId, driverId: freshId(), offerEpoch: 1 });
      await leftOfOffer(tripId, -5);
      await unlock();
      expect(await answer).toEqual(expired(tripId));
    },
  );

  test('is not widened by a broadcast that waited for the lock', async () => {
    const { id: tripId } = await stores.openTrip({ offerTtlMs: 900 });
    const unlock = await elsewhere(`SELECT FROM trips WHERE id = ${tripId} FOR UPDATE`);
    await leftOfOffer(tripId, 220);
    const answer = stores.withoutRedis().broadcastOffer({ tripId, epoch: 1, offerTtlMs: 60_000 });
    await leftOfOffer(tripId, -5);
    await unlock();
    expect(await answer).toEqual(expired(tripId));
  });

  test('is not reported as over while a driver might still get it', async () => {
    const { id: tripId } = await stores.openTrip({ offerTtlMs: 900 });
    const winner = freshId();
    // Another session is reserving the driver, so the accept locks the trip in time and then waits.
    const giveUp = await elsewhere(
      `INSERT INTO driver_active (driver_id, trip_id) VALUES (${winner}, ${freshId()})`,
    );
    await leftOfOffer(tripId, 60);
    const first = stores.withoutRedis().acceptTrip({ tripId, driverId: winner, offerEpoch: 1 });
    await leftOfOffer(tripId, -1);
    const late = stores.withoutRedis();
    const others = [
      late.acceptTrip({ tripId, driverId: freshId(), offerEpoch: 1 }),
      late.rejectTrip({ tripId, driverId: freshId(), offerEpoch: 1 }),
      late.broadcastOffer({ tripId, epoch: 1 }),
    ];
    await leftOfOffer(tripId, -10);
    await giveUp();
    const { kind } = await first;
    const answers = (await Promise.all(others)).map((other) => other.kind);
    const expectedKind = kind === 'ACCEPTED' ? 'TAKEN' : 'NOT_OPEN';
    expect(answers).toEqual([expectedKind, expectedKind, expectedKind]);
  });
});

describe('a driver who was answered UNDECIDED', () => {
  test('hears of the decision when they watch after it was made', async () => {
    const { id: tripId } = await stores.openTrip();
    const driverId = freshId();
    const trips = await stores.reservation();
    await stores.redis.client.set(stores.gateKey(tripId), `${freshId()}:elsewhere`, 'PX', 60_000);
    const answer = await trips.acceptTrip({ tripId, driverId, offerEpoch: 1 });
    if (answer.kind !== 'UNDECIDED') throw new Error(answer.kind);
    await stores.withoutRedis().acceptTrip({ tripId, driverId: freshId(), offerEpoch: 1 });
    for (const from of [{ afterRevision: answer.afterRevision }, {}]) {
      const watch = await trips.watchTrip({ tripId, ...from });
      expect((await watch.next()).value).toMatchObject({ type: 'TRIP_ACCEPTED', revision: 2 });
      watch.close();
    }
  });

  test('watches from the newest revision before the decision', async () => {
    const { id: tripId } = await stores.openTrip();
    await stores.withoutRedis().broadcastOffer({ tripId, epoch: 1 });
    await stores.redis.client.set(stores.gateKey(tripId), `${freshId()}:elsewhere`, 'PX', 60_000);
    const trips = await stores.reservation();
    expect(await trips.acceptTrip({ tripId, driverId: freshId(), offerEpoch: 1 })).toMatchObject({
      kind: 'UNDECIDED',
      afterRevision: 2,
    });
  });
});

describe('two databases on one Redis', () => {
  test('answer for their own trips', async () => {
    await using other = await Stores.open();
    const [here, there] = await Promise.all(
      [stores, other].map(async ({ database }) => {
        const redis = await stores.connectPatiently();
        return createTripReservation({ database: database.pool, redis, ...PATIENT });
      }),
    );
    const { id: tripId } = await stores.openTrip();
    const admin = other.withoutRedis();
    await admin.requestTrip({ tripId, riderId: tripId });
    const answers = [];
    for (const trips of [here, there]) {
      answers.push(await trips?.acceptTrip({ tripId, driverId: freshId(), offerEpoch: 1 }));
      await trips?.close();
    }
    expect(answers.map((answer) => answer?.kind)).toEqual(['ACCEPTED', 'ACCEPTED']);
  });

  test('decide in the row while their namespace is unknown', async () => {
    const database = watchedPool(stores.database.pool, (statement, run) =>
      statement.name === 'solegate_read_namespace' ? new Promise(() => {}) : run(),
    );
    const redis = await stores.connectPatiently();
    const trips = createTripReservation({ database, redis, requestTimeoutMs: 2000 });
    const { id: tripId } = await stores.openTrip();
    expect(await trips.acceptTrip({ tripId, driverId: freshId(), offerEpoch: 1 })).toMatchObject({
      kind: 'ACCEPTED',
    });
    expect(await stores.redis.client.exists(stores.gateKey(tripId))).toBe(0);
    await expect(trips.namespace()).rejects.toMatchObject({ code: 'STORE_UNAVAILABLE' });
    await trips.close();
  });

  test('have different namespaces, unless they are given one', async () => {
    await using other = await Stores.open();
    expect(other.namespace).not.toBe(stores.namespace);
    const again = createTripReservation({ database: stores.database.pool });
    expect(await again.namespace()).toBe(stores.namespace);
    expect(await other.withoutRedis({ namespace: 'city-1' }).namespace()).toBe('city-1');
    expect(() => other.withoutRedis({ namespace: 'two words' })).toThrow(/namespace/);
  });
});
