import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { race, startPgBouncer, until, valuesOf } from '@solegate/testkit';
import { Pool } from 'pg';
import { migrateTrips, type TripReservation } from '../src/index.js';
import { freshId, freshIds, Stores } from './stores.js';

let stores: Stores;

beforeAll(async () => {
  stores = await Stores.open();
  // The first start on a machine downloads the program.
  await (await startPgBouncer(stores.database.url)).stop();
});

afterAll(async () => {
  await stores[Symbol.asyncDispose]();
});

/** Work on reservations whose pool goes through a PgBouncer in transaction mode with two connections. */
async function throughPgBouncer(
  options: { readonly namedStatements?: boolean },
  work: (open: () => TripReservation, pool: Pool) => Promise<void>,
): Promise<void> {
  await using bouncer = await startPgBouncer(stores.database.url, { poolSize: 2 });
  const pool = new Pool({ connectionString: bouncer.url });
  pool.on('error', () => {});
  const reservations: TripReservation[] = [];
  const open = () => {
    const trips = stores.withoutRedis({ database: pool, ...options });
    reservations.push(trips);
    return trips;
  };
  try {
    await work(open, pool);
  } finally {
    await Promise.all(reservations.map((trips) => trips.close()));
    await pool.end();
  }
}

describe.each([
  ['with named statements, which it may lose', {}],
  ['without named statements', { namedStatements: false }],
])('through PgBouncer in transaction mode, %s', (_name, options) => {
  test('the whole life of a trip works as usual', async () => {
    await throughPgBouncer(options, async (open, pool) => {
      expect(await migrateTrips(pool)).toMatchObject({ applied: [] });
      const trips = open();
      const [tripId, driverId, other] = freshIds(3) as [bigint, bigint, bigint];
      await trips.requestTrip({ tripId, riderId: 7n, offeredTo: [driverId] });
      expect((await trips.acceptTrip({ tripId, driverId: other, offerEpoch: 1 })).kind).toBe('NOT_OFFERED');
      expect((await trips.broadcastOffer({ tripId, epoch: 1, offeredTo: [other] })).kind).toBe('OFFERED');
      expect((await trips.rejectTrip({ tripId, driverId: other, offerEpoch: 1 })).kind).toBe('REJECTED');
      expect((await trips.acceptTrip({ tripId, driverId, offerEpoch: 1 })).kind).toBe('ACCEPTED');
      expect((await trips.startTrip({ tripId, driverId })).kind).toBe('STARTED');
      expect((await trips.completeTrip({ tripId, driverId })).kind).toBe('COMPLETED');
      expect(await trips.tripHistory({ tripId })).toHaveLength(5);
      await trips.expireOffers();
    });
  });

  test('a hundred trips with three drivers each have one winner each, in two processes', async () => {
    await throughPgBouncer(options, async (open) => {
      const processes = [open(), open()];
      const tripIds = await Promise.all(
        Array.from({ length: 100 }, async () => (await stores.openTrip()).id),
      );
      const drivers = freshIds(300);
      const outcomes = valuesOf(
        await race(300, (index) =>
          (processes[index % 2] as TripReservation).acceptTrip({
            tripId: tripIds[index % 100] ?? 0n,
            driverId: drivers[index] ?? 0n,
            offerEpoch: 1,
          }),
        ),
      );
      expect(outcomes.filter(({ kind }) => kind === 'ACCEPTED')).toHaveLength(100);
      expect(outcomes.filter(({ kind }) => kind === 'TAKEN')).toHaveLength(200);
    });
  });

  test('a lock limit does not leak into shared connections', async () => {
    await throughPgBouncer(options, async (open, pool) => {
      const trips = open();
      for (let count = 0; count < 5; count += 1) {
        await trips.acceptTrip({ tripId: (await stores.openTrip()).id, driverId: freshId(), offerEpoch: 1 });
      }
      const settings = await Promise.all(
        Array.from({ length: 10 }, async () => (await pool.query('SHOW lock_timeout')).rows[0].lock_timeout),
      );
      expect(new Set(settings)).toEqual(new Set(['0']));
    });
  });

  test('events are relayed', async () => {
    await throughPgBouncer(options, async (open) => {
      const trips = open();
      const redis = await stores.connectRedis();
      await using relay = trips.startOutboxRelay({ redis, intervalMs: 20 });
      await trips.requestTrip({ tripId: freshId(), riderId: 7n });
      await until(async () => {
        const { rows } = await stores.database.pool.query(
          'SELECT FROM trip_outbox WHERE published_at IS NULL',
        );
        return rows.length === 0;
      });
      await relay.stop();
    });
  });
});
