import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { startFaultProxy, until, watchedPool } from '@solegate/testkit';
import { Pool } from 'pg';
import {
  BusyError,
  createTripReservation,
  OutcomeUnknownError,
  type SqlPool,
  StoreMisconfiguredError,
  StoreUnavailableError,
} from '../src/index.js';
import { freshId, freshIds, Stores } from './stores.js';

let stores: Stores;

beforeAll(async () => {
  stores = await Stores.open();
});

afterAll(async () => {
  await stores[Symbol.asyncDispose]();
});

async function withPool<Value>(
  options: { connectionString: string; max?: number },
  use: (pool: Pool) => Promise<Value>,
) {
  const pool = new Pool({ query_timeout: 300, connectionTimeoutMillis: 300, ...options });
  pool.on('error', () => {});
  try {
    return await use(pool);
  } finally {
    await pool.end();
  }
}

/** A real pool whose next statements of one name fail as PostgreSQL would make them fail. */
function failingPool(name: string, failures: Error[]): SqlPool {
  return watchedPool(stores.database.directPool, async (statement, run) => {
    const failure = statement.name === name ? failures.shift() : undefined;
    if (failure) throw failure;
    return run();
  });
}

const sqlError = (code: string) => Object.assign(new Error(`SQLSTATE ${code}`), { code });

describe('a store that fails', () => {
  test('is reported as unavailable when unreachable, and nothing was changed', async () => {
    await withPool({ connectionString: 'postgres://127.0.0.1:1/nowhere' }, async (pool) => {
      await using trips = createTripReservation({ database: pool });
      const call = trips.acceptTrip({ tripId: 1n, driverId: 1n, offerEpoch: 1 });
      await expect(call).rejects.toThrow(StoreUnavailableError);
      await expect(call).rejects.toMatchObject({ code: 'STORE_UNAVAILABLE' });
    });
  });

  test('yields an unknown outcome when it does not reply; the same call returns it later', async () => {
    await using proxy = await startFaultProxy(stores.database.url);
    await withPool({ connectionString: proxy.url, max: 1 }, async (pool) => {
      await using trips = createTripReservation({ database: pool });
      const offer = { tripId: (await stores.openTrip()).id, driverId: freshId(), offerEpoch: 1 };
      await trips.findTrip(offer.tripId);
      proxy.set('blackHole');
      const call = trips.acceptTrip(offer);
      await expect(call).rejects.toThrow(OutcomeUnknownError);
      await expect(call).rejects.toMatchObject({ code: 'OUTCOME_UNKNOWN' });
      proxy.set('pass');
      expect(await trips.acceptTrip(offer)).toMatchObject({ kind: 'ACCEPTED' });
    });
  });

  test('is called again after a lost connection, and every caller gets what is stored', async () => {
    await using proxy = await startFaultProxy(stores.database.url);
    await withPool({ connectionString: proxy.url, max: 4 }, async (pool) => {
      await using trips = createTripReservation({ database: pool });
      for (const mode of ['cutBeforeReply', 'cutAfterReply'] as const) {
        const { id: tripId } = await stores.openTrip();
        proxy.set(mode, { count: 1, matching: `{${tripId}}` });
        const drivers = freshIds(10);
        const answered = await Promise.all(
          drivers.map((driverId) => trips.acceptTrip({ tripId, driverId, offerEpoch: 1 })),
        );
        const trip = await trips.findTrip(tripId);
        expect(answered.map(({ kind }) => kind)).toEqual(
          drivers.map((driverId) => (driverId === trip?.driverId ? 'ACCEPTED' : 'TAKEN')),
        );
      }
    });
  });

  test('is called again after a deadlock or a serialization failure', async () => {
    const database = failingPool('solegate_decide_trips', [sqlError('40P01'), sqlError('40001')]);
    const trips = stores.withoutRedis({ database, random: () => 0 });
    const { id: tripId } = await stores.openTrip();
    expect(await trips.acceptTrip({ tripId, driverId: freshId(), offerEpoch: 1 })).toMatchObject({
      kind: 'ACCEPTED',
    });
  });

  test('that refuses a statement is not called again', async () => {
    const database = failingPool('solegate_decide_trips', [sqlError('42P01')]);
    const trips = stores.withoutRedis({ database });
    const { id: tripId } = await stores.openTrip();
    const call = trips.acceptTrip({ tripId, driverId: freshId(), offerEpoch: 1 });
    await expect(call).rejects.toThrow(StoreMisconfiguredError);
    await expect(call).rejects.toThrow(/Run the migrations/);
  });
});

test('an accept that gave up while it was queued leaves every other its own answer', async () => {
  const resume: (() => void)[] = [];
  let sentCount = 0;
  const trips = stores.withoutRedis({
    requestTimeoutMs: 3000,
    database: watchedPool(stores.database.pool, async (statement, run) => {
      if (statement.name === 'solegate_decide_trips') {
        sentCount += 1;
        // The first two groups take half of the time that a caller has; the next two wait for the test.
        if (sentCount <= 2) await new Promise((resolve) => setTimeout(resolve, 1500));
        else if (sentCount <= 4) await new Promise<void>((resolve) => resume.push(resolve));
      }
      return run();
    }),
  });
  const accept = (tripId: bigint, driverId = freshId()) =>
    trips.acceptTrip({ tripId, driverId, offerEpoch: 1 });
  const opened = await Promise.all(Array.from({ length: 4 }, () => stores.openTrip()));
  const [, { id: takenId } = { id: 0n }] = opened;
  await stores.withoutRedis().acceptTrip({ tripId: takenId, driverId: freshId(), offerEpoch: 1 });
  const earlier: Promise<unknown>[] = [];
  for (const count of [1, 2]) {
    earlier.push(accept(freshId()).catch(String));
    await until(() => sentCount === count);
  }
  earlier.push(...freshIds(200).map((tripId) => accept(tripId).catch(String)));
  await expect(accept(freshId())).rejects.toThrow(StoreUnavailableError);
  expect(resume).toHaveLength(2);
  const drivers = freshIds(opened.length);
  const answers = Promise.all(opened.map(({ id }, index) => accept(id, drivers[index])));
  for (const go of resume) go();
  expect(await answers).toMatchObject(
    opened.map(({ id: tripId }, index) =>
      tripId === takenId ? { kind: 'TAKEN', tripId } : { kind: 'ACCEPTED', tripId, driverId: drivers[index] },
    ),
  );
  for (const [index, { id }] of opened.entries()) {
    const { driverId } = (await trips.findTrip(id)) ?? {};
    expect(driverId === drivers[index]).toBe(id !== takenId);
  }
  await Promise.all(earlier);
});

test.each([
  ['cannot be read', () => Promise.reject(sqlError('ECONNREFUSED')), StoreUnavailableError],
  ['never comes', () => new Promise<never>(() => {}), OutcomeUnknownError],
])(
  'a driver who won gets ACCEPTED, even if the answer to another of the same group %s',
  async (_what, readStanding, refusal) => {
    const [first, second] = [await stores.openTrip(), await stores.openTrip({ offeredTo: [freshId()] })];
    const trips = stores.withoutRedis({
      database: watchedPool(stores.database.directPool, (statement, run) =>
        statement.name === 'solegate_read_standing' ? readStanding() : run(),
      ),
      // A busy machine decides within that time too; with less, both calls may end undecided.
      requestTimeoutMs: 6000,
    });
    const driverId = freshId();
    const calls = [
      trips.acceptTrip({ tripId: first.id, driverId, offerEpoch: 1 }),
      trips.acceptTrip({ tripId: second.id, driverId: freshId(), offerEpoch: 1 }),
    ] as const;
    await expect(calls[1]).rejects.toThrow(refusal);
    expect(await calls[0]).toMatchObject({ kind: 'ACCEPTED', tripId: first.id, driverId });
  },
);

test('a pooler that loses prepared statements is served without them', async () => {
  await withPool({ connectionString: stores.database.url, max: 1 }, async (pool) => {
    await using trips = createTripReservation({ database: pool });
    for (let round = 0; round < 3; round += 1) {
      const { id: tripId } = await stores.openTrip();
      const answered = await trips.acceptTrip({ tripId, driverId: freshId(), offerEpoch: 1 });
      expect(answered.kind).toBe('ACCEPTED');
      await pool.query('DEALLOCATE ALL');
    }
  });
});

test('a trip that changes during every attempt is reported as busy', async () => {
  const { pool } = stores.database;
  const { id: tripId, riderId } = await stores.openTrip();
  const trips = stores.withoutRedis({
    database: watchedPool(pool, async (statement, run) => {
      // Another session always wins the race.
      if (statement.name === 'solegate_cancel_trip') {
        await pool.query('UPDATE trips SET revision = revision + 1 WHERE id = $1', [String(tripId)]);
      }
      return run();
    }),
  });
  const call = trips.cancelTrip({ tripId, riderId });
  await expect(call).rejects.toThrow(BusyError);
  await expect(call).rejects.toMatchObject({ code: 'BUSY', tripId });
});

test('groups of several processes that want the same trips and drivers in opposite orders never deadlock', async () => {
  const gateways = Array.from({ length: 4 }, () => stores.withoutRedis());
  const tripIds = (await Promise.all(Array.from({ length: 40 }, () => stores.openTrip()))).map(
    ({ id }) => id,
  );
  const drivers = freshIds(40);
  const answered = await Promise.all(
    gateways.flatMap((trips, process) =>
      tripIds.map((tripId, index) => {
        // Each process pairs trips and drivers in a different order.
        const driverId = drivers[(index * (2 * process + 1) + process) % 40] ?? 0n;
        return trips.acceptTrip({ tripId, driverId, offerEpoch: 1 });
      }),
    ),
  );
  const won = answered.flatMap((outcome) => (outcome.kind === 'ACCEPTED' ? [outcome] : []));
  expect(new Set(won.map(({ tripId }) => tripId)).size).toBe(won.length);
  expect(new Set(won.map(({ driverId }) => driverId)).size).toBe(won.length);
});
