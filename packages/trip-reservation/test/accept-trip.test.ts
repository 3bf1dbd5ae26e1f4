import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import {
  createTestDatabase,
  createTestRedis,
  race,
  type TestDatabase,
  type TestRedis,
  valuesOf,
} from '@solegate/testkit';
import { createTripReservation, migrations } from '../src/index.js';

let database: TestDatabase;
let redis: TestRedis;

beforeAll(async () => {
  database = await createTestDatabase({ migrations });
  redis = await createTestRedis();
});

afterAll(async () => {
  await database.drop();
  await redis.drop();
});

describe('acceptTrip', () => {
  test('gives the trip to one of a hundred drivers and tells the others that it is taken', async () => {
    await using trips = createTripReservation({ database: database.pool, redis: redis.client });
    const trip = await trips.requestTrip({ tripId: 1n, riderId: 1n });
    expect(trip.status).toBe('FINDING');
    const outcomes = valuesOf(
      await race(100, (index) =>
        trips.acceptTrip({ tripId: 1n, driverId: BigInt(index + 1), offerEpoch: 1 }),
      ),
    );
    expect(outcomes.filter(({ kind }) => kind === 'ACCEPTED')).toHaveLength(1);
    expect(outcomes.filter(({ kind }) => kind === 'TAKEN')).toHaveLength(99);
    const history = await trips.tripHistory({ tripId: 1n });
    expect(history.map(({ type }) => type)).toEqual(['TRIP_REQUESTED', 'TRIP_ACCEPTED']);
  });
});
