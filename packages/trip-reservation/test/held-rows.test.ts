import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { PoolClient } from 'pg';
import { type AcceptOutcome, BusyError, type TripReservation } from '../src/index.js';
import { freshId, freshIds, Stores } from './stores.js';

let stores: Stores;

beforeAll(async () => {
  stores = await Stores.open();
});

afterAll(async () => {
  await stores[Symbol.asyncDispose]();
});

/** An open transaction of another session, such as a migration or a report. */
async function hold(run: (client: PoolClient) => Promise<unknown>) {
  const client = await stores.database.pool.connect();
  await client.query("BEGIN; SET LOCAL idle_in_transaction_session_timeout = '20s'");
  await run(client);
  return {
    letGo: async () => {
      await client.query('ROLLBACK');
      client.release();
    },
  };
}

const holdTrips = (tripIds: readonly bigint[]) =>
  hold((client) => client.query('SELECT FROM trips WHERE id = ANY ($1) FOR UPDATE', [tripIds.map(String)]));

async function openTrips(count: number): Promise<bigint[]> {
  const trips = await Promise.all(Array.from({ length: count }, () => stores.openTrip()));
  return trips.map(({ id }) => id);
}

const acceptAll = (trips: TripReservation, tripIds: readonly bigint[]): Promise<AcceptOutcome>[] =>
  tripIds.map((tripId) => trips.acceptTrip({ tripId, driverId: freshId(), offerEpoch: 1 }));

const kindsOf = (outcomes: readonly AcceptOutcome[]) => [...new Set(outcomes.map(({ kind }) => kind))];

describe('locked rows', () => {
  test.each([1, 2, 12])('%i trips delay only their own drivers', async (heldCount) => {
    const trips = stores.withoutRedis();
    const [held, free] = [await openTrips(heldCount), await openTrips(100)];
    const holder = await holdTrips(held);
    const waiting = Promise.all(acceptAll(trips, held));
    const answered = Promise.all(acceptAll(trips, free));
    const first = await Promise.race([answered, waiting]);
    await holder.letGo();
    expect(first).toHaveLength(100);
    expect(kindsOf(first)).toEqual(['ACCEPTED']);
    expect(kindsOf(await waiting)).toEqual(['ACCEPTED']);
  });

  test('other calls that wait for locked trips delay no accept', async () => {
    const trips = stores.withoutRedis();
    const [held, free] = [await openTrips(12), await openTrips(100)];
    const holder = await holdTrips(held);
    const waiting = Promise.all(held.map((tripId) => trips.cancelTrip({ tripId, riderId: tripId })));
    const first = await Promise.race([Promise.all(acceptAll(trips, free)), waiting]);
    await holder.letGo();
    expect(first).toHaveLength(100);
    expect(new Set((await waiting).map(({ kind }) => kind))).toEqual(new Set(['CANCELLED']));
  });

  test('a driver who is being assigned to a trip manually delays only that driver', async () => {
    const trips = stores.withoutRedis();
    const [[tripId = 0n], free] = [await openTrips(1), await openTrips(100)];
    const driverId = freshId();
    const holder = await hold((client) =>
      client.query('INSERT INTO driver_active (driver_id, trip_id) VALUES ($1, $2)', [
        String(driverId),
        String(freshId()),
      ]),
    );
    const waiting = trips.acceptTrip({ tripId, driverId, offerEpoch: 1 });
    const answered = Promise.all(acceptAll(trips, free));
    const first = await Promise.race([answered, waiting.then((outcome) => [outcome])]);
    await holder.letGo();
    expect(first).toHaveLength(100);
    expect(await waiting).toMatchObject({ kind: 'ACCEPTED', driverId });
  });

  test('a row that is never unlocked ends in BUSY in time, and nothing was changed', async () => {
    const trips = stores.withoutRedis({ requestTimeoutMs: 1000 });
    const [tripId = 0n] = await openTrips(1);
    const holder = await holdTrips([tripId]);
    const calls = [
      trips.acceptTrip({ tripId, driverId: freshId(), offerEpoch: 1 }),
      trips.cancelTrip({ tripId, riderId: tripId }),
      trips.rejectTrip({ tripId, driverId: freshId(), offerEpoch: 1 }),
    ];
    for (const call of calls) {
      await expect(call).rejects.toThrow(BusyError);
      await expect(call).rejects.toMatchObject({ code: 'BUSY', tripId, retryable: true });
    }
    await holder.letGo();
    expect(await trips.findTrip(tripId)).toMatchObject({ status: 'FINDING', revision: 1 });
  });

  test('a locked driver of an idle trip does not keep the sweep from the others', async () => {
    const trips = stores.withoutRedis({ startTimeoutMs: 1 });
    const tripIds = await openTrips(2);
    const [held, idle] = freshIds(2) as [bigint, bigint];
    await trips.acceptTrip({ tripId: tripIds[0] ?? 0n, driverId: held, offerEpoch: 1 });
    await trips.acceptTrip({ tripId: tripIds[1] ?? 0n, driverId: idle, offerEpoch: 1 });
    const holder = await hold((client) =>
      client.query('SELECT FROM driver_active WHERE driver_id = $1 FOR UPDATE', [String(held)]),
    );
    const report = await trips.expireOffers();
    await holder.letGo();
    expect(report).toMatchObject({ redispatchedCount: 1 });
    expect(await trips.expireOffers()).toMatchObject({ redispatchedCount: 1 });
  });
});
