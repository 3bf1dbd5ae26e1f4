import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import {
  createTestDatabase,
  type FaultProxy,
  type PostgresTestServer,
  startFaultProxy,
  startPostgresServer,
} from '@solegate/testkit';
import { Pool } from 'pg';
import {
  createTripReservation,
  migrations,
  type TripReservation,
  TripReservationError,
} from '../src/index.js';
import { freshId } from './stores.js';

/** The only limit: a plain pool waits without end. */
const TIMEOUT_MS = 400;

let server: PostgresTestServer;

beforeAll(async () => {
  server = await startPostgresServer();
});

afterAll(() => server.stop());

/** Every public call that uses PostgreSQL. */
function callsOf(trips: TripReservation, tripId: bigint): Readonly<Record<string, () => Promise<unknown>>> {
  const offer = { tripId, driverId: 5n, offerEpoch: 1 };
  return {
    requestTrip: () => trips.requestTrip({ tripId: freshId(), riderId: 1n }),
    broadcastOffer: () => trips.broadcastOffer({ tripId, epoch: 1 }),
    acceptTrip: () => trips.acceptTrip(offer),
    rejectTrip: () => trips.rejectTrip(offer),
    startTrip: () => trips.startTrip(offer),
    completeTrip: () => trips.completeTrip(offer),
    'cancelTrip by the rider': () => trips.cancelTrip({ tripId, riderId: tripId }),
    'cancelTrip by the driver': () => trips.cancelTrip({ tripId, driverId: 5n }),
    findTrip: () => trips.findTrip(tripId),
    findTrips: () => trips.findTrips([tripId]),
    listTrips: () => trips.listTrips(),
    tripHistory: () => trips.tripHistory({ tripId }),
    expireOffers: () => trips.expireOffers(),
  };
}

async function expectToEnd(name: string, call: () => Promise<unknown>): Promise<void> {
  const value = await call().then(
    () => ({ code: 'ANSWERED', retryable: true }),
    (error: unknown) => error,
  );
  const { code, retryable } = value as TripReservationError;
  // The name is compared, too, so that a failure shows it.
  expect({ name, code, retryable }).toEqual({
    name,
    code: expect.stringMatching(/^(ANSWERED|STORE_UNAVAILABLE|OUTCOME_UNKNOWN)$/),
    retryable: true,
  });
}

interface Silence {
  begin(proxy: FaultProxy): Promise<void>;
  end(proxy: FaultProxy): Promise<void>;
}

const SILENCES: Readonly<Record<string, Silence>> = {
  'a black hole': {
    begin: async (proxy) => proxy.set('blackHole'),
    end: async (proxy) => proxy.set('pass'),
  },
  frozen: { begin: () => server.pause(), end: () => server.resume() },
};

describe.each(Object.entries(SILENCES))('while PostgreSQL is %s', (_name, { begin, end }) => {
  test.each([
    ['before any connection was made', false],
    ['with connections open', true],
  ])('a plain pg Pool lets every call end, and close() too, %s', async (_when, isWarm) => {
    await using database = await createTestDatabase({ migrations, serverUrl: server.url });
    await using proxy = await startFaultProxy(database.url);
    const pool = new Pool({ connectionString: proxy.url });
    pool.on('error', () => {});
    const trips = createTripReservation({ database: pool, requestTimeoutMs: TIMEOUT_MS, connectionMax: 4 });
    const tripId = freshId();
    if (isWarm) await trips.requestTrip({ tripId, riderId: tripId });
    await begin(proxy);
    try {
      // Many of each concurrently, so that they compete for connections.
      const crowd = Array.from({ length: 10 }, () => Object.entries(callsOf(trips, tripId))).flat();
      await Promise.all(crowd.map(([name, call]) => expectToEnd(name, call)));
      trips.startSweeper();
      await expectToEnd('close', () => trips.close());
    } finally {
      await end(proxy);
      await pool.end();
    }
  });
});
