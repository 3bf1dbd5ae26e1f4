import { describe, expect, test } from '@jest/globals';
import { until } from '@solegate/testkit';
import { gatewayOfFile, type Json } from './gateway-fixture.js';

/** Trips offered to the nearest drivers over GraphQL: two drivers per step, half a second apart. */
const gateway = gatewayOfFile({
  NEAREST_OFFER: '2:500:1000,3000',
});

async function ask(query: string, as: string): Promise<Json> {
  const { data, errors } = await gateway.ask(query, { as });
  expect(errors).toEqual([]);
  return data;
}

const report = (driver: string, longitude: number) =>
  ask(
    `mutation { updateDriverPosition(input: { latitude: 13.75, longitude: ${longitude} }) { ... on DriverPositionUpdated { countsForMs } } }`,
    driver,
  );

const statusFor = async (id: string, driver: string) => {
  const { data, errors } = await gateway.ask(`{ trip(id: "${id}") { status pickup { latitude } } }`, {
    as: driver,
  });
  return errors.length > 0 ? errors[0]?.extensions.reason : data.trip.status;
};

describe('a trip that is offered to the nearest first', () => {
  test('is offered to two drivers, then automatically to the next two; others can neither see nor accept it', async () => {
    expect(await report('driver-21', 100.501)).toEqual({ updateDriverPosition: { countsForMs: 30_000 } });
    await report('driver-22', 100.502);
    await report('driver-23', 100.503);
    await report('driver-24', 100.52);
    await report('driver-25', 101.5);
    const { requestTrip } = await ask(
      `mutation { requestTrip(input: { nearestFirst: true, offerTtlMs: 60000, pickup: { latitude: 13.75, longitude: 100.5 } }) { ... on Trip { id } } }`,
      'rider-1',
    );
    const { id } = requestTrip;
    expect(await statusFor(id, 'driver-21')).toBe('FINDING');
    expect(await statusFor(id, 'driver-22')).toBe('FINDING');
    expect(await statusFor(id, 'driver-25')).toBe('NOT_YOUR_TRIP');
    await until(async () => (await statusFor(id, 'driver-24')) === 'FINDING');
    const { tripHistory } = await ask(`{ tripHistory(tripId: "${id}") { type } }`, 'rider-1');
    expect(tripHistory).toEqual([{ type: 'TRIP_REQUESTED' }, { type: 'TRIP_OFFERED' }]);
    // Like a client: retries while the outcome is undecided.
    const accept = async (driver: string): Promise<Json> => {
      for (;;) {
        const mutation = `mutation { acceptTrip(input: { tripId: "${id}", offerEpoch: 1 }) { __typename } }`;
        const answer = await ask(mutation, driver);
        if (answer.acceptTrip.__typename !== 'TripUndecided') return answer;
      }
    };
    expect(await accept('driver-25')).toEqual({ acceptTrip: { __typename: 'NotOffered' } });
    expect(await accept('driver-24')).toEqual({ acceptTrip: { __typename: 'TripAccepted' } });
  });

  test('requires a pickup', async () => {
    const { errors } = await gateway.ask(
      'mutation { requestTrip(input: { nearestFirst: true }) { ... on Trip { id } } }',
      {
        as: 'rider-1',
      },
    );
    expect(errors[0]?.extensions).toMatchObject({ code: 'BAD_USER_INPUT', reason: 'PICKUP_NEEDED' });
  });

  test('positions are accepted only from drivers, and only if valid', async () => {
    const query =
      'mutation { updateDriverPosition(input: { latitude: 95, longitude: 0 }) { ... on DriverPositionUpdated { countsForMs } } }';
    expect((await gateway.ask(query, { as: 'rider-1' })).errors[0]?.extensions.code).toBe('FORBIDDEN');
    expect((await gateway.ask(query, { as: 'driver-21' })).errors[0]?.extensions.code).toBe('BAD_USER_INPUT');
  });
});
