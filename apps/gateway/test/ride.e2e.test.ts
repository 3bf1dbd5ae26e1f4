import { describe, expect, test } from '@jest/globals';
import { gatewayOfFile, type Json } from './gateway-fixture.js';

/** Arrivals, no-shows, cancellation reasons and scheduled trips over GraphQL. */
const gateway = gatewayOfFile();

async function ask(query: string, as: string): Promise<Json> {
  const { data, errors } = await gateway.ask(query, { as });
  expect(errors).toEqual([]);
  return data;
}

async function acceptedTrip(driver: string): Promise<string> {
  const { requestTrip } = await ask(
    'mutation { requestTrip(input: { offerTtlMs: 60000 }) { ... on Trip { id } } }',
    'rider-1',
  );
  await ask(
    `mutation { acceptTrip(input: { tripId: "${requestTrip.id}", offerEpoch: 1 }) { __typename } }`,
    driver,
  );
  return requestTrip.id;
}

const reportArrival = (id: string, driver: string) =>
  ask(
    `mutation { reportArrival(input: { tripId: "${id}" }) { __typename ... on DriverArrived { trip { arrivedAt } } } }`,
    driver,
  );
const reportNoShow = (id: string, driver: string) =>
  ask(
    `mutation { reportNoShow(input: { tripId: "${id}" }) {
      __typename ... on NoShowTooEarly { allowedAt } ... on TripCancelled { trip { cancelReason } }
    } }`,
    driver,
  );

async function letFiveMinutesPass(id: string): Promise<void> {
  await gateway.stores.database.pool.query(
    "UPDATE trips SET arrived_at = arrived_at - interval '5 minutes' WHERE id = $1",
    [id],
  );
}

describe('a driver at the pickup', () => {
  test('arrives, waits, and can then report a no-show', async () => {
    const id = await acceptedTrip('driver-31');
    expect(await reportNoShow(id, 'driver-31')).toEqual({
      reportNoShow: { __typename: 'NoShowTooEarly', allowedAt: null },
    });
    expect(await reportArrival(id, 'driver-31')).toMatchObject({
      reportArrival: { __typename: 'DriverArrived', trip: { arrivedAt: expect.any(String) } },
    });
    expect(await reportNoShow(id, 'driver-31')).toMatchObject({
      reportNoShow: { __typename: 'NoShowTooEarly', allowedAt: expect.any(String) },
    });
    await letFiveMinutesPass(id);
    expect(await reportNoShow(id, 'driver-31')).toEqual({
      reportNoShow: { __typename: 'TripCancelled', trip: { cancelReason: 'RIDER_NO_SHOW' } },
    });
  });

  test('is refused if the trip is not theirs', async () => {
    const id = await acceptedTrip('driver-32');
    const query = `mutation { reportArrival(input: { tripId: "${id}" }) { __typename } }`;
    expect((await gateway.ask(query, { as: 'driver-33' })).errors[0]?.extensions.reason).toBe(
      'NOT_YOUR_TRIP',
    );
    expect((await gateway.ask(query, { as: 'rider-1' })).errors[0]?.extensions.code).toBe('FORBIDDEN');
  });
});

describe('a cancellation reason', () => {
  test("is shown to the trip's participants, and must fit the caller's role", async () => {
    const id = await acceptedTrip('driver-34');
    const cancel = (reason: string) =>
      gateway.ask(`mutation { cancelTrip(input: { tripId: "${id}", reason: ${reason} }) { __typename } }`, {
        as: 'rider-1',
      });
    expect((await cancel('TOO_FAR')).errors[0]?.extensions.code).toBe('BAD_USER_INPUT');
    expect((await cancel('CHANGED_PLANS')).data).toEqual({ cancelTrip: { __typename: 'TripCancelled' } });
    expect(await ask(`{ trip(id: "${id}") { cancelReason } }`, 'rider-1')).toEqual({
      trip: { cancelReason: 'CHANGED_PLANS' },
    });
    const { tripHistory } = await ask(`{ tripHistory(tripId: "${id}") { type reason } }`, 'driver-34');
    expect(tripHistory.at(-1)).toEqual({ type: 'TRIP_CANCELLED', reason: 'CHANGED_PLANS' });
  });
});

test('a scheduled trip is hidden from drivers until its time', async () => {
  const offerAt = new Date(Date.now() + 3_600_000).toISOString();
  const { requestTrip } = await ask(
    `mutation { requestTrip(input: { offerAt: "${offerAt}" }) { ... on Trip { id status offerAt } } }`,
    'rider-1',
  );
  expect(requestTrip).toMatchObject({ status: 'SCHEDULED', offerAt });
  const { errors } = await gateway.ask(`{ trip(id: "${requestTrip.id}") { status } }`, { as: 'driver-35' });
  expect(errors[0]?.extensions.reason).toBe('NOT_YOUR_TRIP');
});
