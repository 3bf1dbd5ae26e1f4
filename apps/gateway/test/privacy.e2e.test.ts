import { describe, expect, test } from '@jest/globals';
import { createClient } from 'graphql-ws';
import WebSocket from 'ws';
import { gatewayOfFile, type Json } from './gateway-fixture.js';

/** What each role can see of a trip: an offer shows only the pickup; people, places and history are for participants. */
const gateway = gatewayOfFile();

const PLACES = `pickup: { latitude: 1, longitude: 2, address: "home" }
  dropoff: { latitude: 3, longitude: 4, address: "clinic" }`;

async function ask(query: string, as: string): Promise<Json> {
  const { data, errors } = await gateway.ask(query, { as });
  expect(errors).toEqual([]);
  return data;
}

async function request(input = PLACES): Promise<string> {
  return (await ask(`mutation { requestTrip(input: { ${input} }) { ... on Trip { id } } }`, 'rider-81'))
    .requestTrip.id;
}

const accept = (id: string, as: string, offerEpoch = 1) =>
  ask(`mutation { acceptTrip(input: { tripId: "${id}", offerEpoch: ${offerEpoch} }) { __typename } }`, as);
const read = (id: string, as: string) =>
  gateway.ask(
    `{ trip(id: "${id}") { status riderId rider { name } pickup { address } dropoff { address } driverId } }`,
    { as },
  );
const history = (id: string, as: string) => gateway.ask(`{ tripHistory(tripId: "${id}") { id } }`, { as });
const reasonOf = ({ errors }: Awaited<ReturnType<typeof read>>) => errors[0]?.extensions.reason;

describe('a trip that is offered to every driver', () => {
  test('shows drivers its pickup, but no people', async () => {
    const id = await request();
    const { data, errors } = await read(id, 'driver-999');
    expect(errors).toEqual([]);
    expect(data.trip).toEqual({
      status: 'FINDING',
      riderId: null,
      rider: null,
      pickup: { address: 'home' },
      dropoff: null,
      driverId: null,
    });
    expect(reasonOf(await history(id, 'driver-999'))).toBe('NOT_YOUR_TRIP');
  });

  test('is hidden permanently from drivers who did not get it', async () => {
    const id = await request();
    await accept(id, 'driver-901');
    expect(reasonOf(await read(id, 'driver-999'))).toBe('NOT_YOUR_TRIP');
    await ask(`mutation { startTrip(input: { tripId: "${id}" }) { __typename } }`, 'driver-901');
    await ask(`mutation { completeTrip(input: { tripId: "${id}" }) { __typename } }`, 'driver-901');
    expect(reasonOf(await read(id, 'driver-999'))).toBe('NOT_YOUR_TRIP');
    expect(reasonOf(await history(id, 'driver-999'))).toBe('NOT_YOUR_TRIP');
    for (const who of ['driver-901', 'rider-81', 'admin-1']) {
      const { data } = await read(id, who);
      expect(data.trip).toMatchObject({ riderId: '81', dropoff: { address: 'clinic' }, driverId: '901' });
      expect((await history(id, who)).errors).toEqual([]);
    }
  });

  test('is hidden from a driver who left it', async () => {
    const id = await request();
    await accept(id, 'driver-902');
    const left = await ask(
      `mutation { cancelTrip(input: { tripId: "${id}" }) {
        ... on TripRedispatched { trip { riderId dropoff { address } } }
      } }`,
      'driver-902',
    );
    expect(left.cancelTrip.trip).toEqual({ riderId: null, dropoff: null });
    expect(reasonOf(await read(id, 'driver-902'))).toBe('NOT_YOUR_TRIP');
    await accept(id, 'driver-903', 2);
    const repeated = await ask(
      `mutation { cancelTrip(input: { tripId: "${id}" }) {
        ... on TripRedispatched { trip { driverId driver { id } acceptedAt } }
      } }`,
      'driver-902',
    );
    expect(repeated.cancelTrip.trip).toEqual({ driverId: null, driver: null, acceptedAt: null });
  });
});

describe('subscribers', () => {
  const watch = (id: string, demoUser: string, afterRevision = 0) => {
    const client = createClient({
      url: `${gateway.url.replace('http', 'ws')}/graphql`,
      webSocketImpl: WebSocket,
      connectionParams: { demoUser },
      retryAttempts: 0,
    });
    const events = client.iterate({
      query: `subscription { tripUpdated(tripId: "${id}", afterRevision: ${afterRevision}) { revision status driverId } }`,
    }) as AsyncIterableIterator<Json>;
    return { client, events };
  };
  const rest = async (events: AsyncIterableIterator<Json>): Promise<Json[]> => {
    const heard: Json[] = [];
    for await (const { data } of events) heard.push(data.tripUpdated);
    return heard;
  };

  test('a driver is notified that the offer has closed, but not who took it, and then receives nothing more', async () => {
    const id = await request();
    const { client, events } = watch(id, 'driver-903');
    expect((await events.next()).value.data.tripUpdated).toMatchObject({ revision: 1, status: 'FINDING' });
    await accept(id, 'driver-904');
    expect(await rest(events)).toEqual([{ revision: 2, status: 'ACCEPTED', driverId: null }]);
    await client.dispose();
  });

  test('a driver who gets the trip receives events until they leave it', async () => {
    const id = await request();
    const { client, events } = watch(id, 'driver-905');
    await events.next();
    await accept(id, 'driver-905');
    expect((await events.next()).value.data.tripUpdated).toMatchObject({ revision: 2, driverId: '905' });
    await ask(`mutation { cancelTrip(input: { tripId: "${id}" }) { __typename } }`, 'driver-905');
    expect(await rest(events)).toMatchObject([{ revision: 3, status: 'FINDING', driverId: '905' }]);
    await client.dispose();
  });

  test('a driver in a later round cannot see who had the trip before', async () => {
    const id = await request();
    await accept(id, 'driver-906');
    await ask(`mutation { cancelTrip(input: { tripId: "${id}" }) { __typename } }`, 'driver-906');
    const { client, events } = watch(id, 'driver-907');
    const heard = [await events.next(), await events.next(), await events.next()].map(
      ({ value }) => value.data.tripUpdated.driverId,
    );
    expect(heard).toEqual([null, null, null]);
    await client.dispose();
  });
});
