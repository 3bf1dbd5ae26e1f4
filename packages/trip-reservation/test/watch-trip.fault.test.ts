import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { connectRedis, createPubSub, type PubSub, type RedisConnection } from '@solegate/redis-infra';
import { type RedisTestServer, startRedisServer, until } from '@solegate/testkit';
import {
  type TripEvent,
  TripNotFoundError,
  type TripReservation,
  type TripWatch,
  tripEventChannel,
} from '../src/index.js';
import { CountingPool, freshId, Stores } from './stores.js';

let stores: Stores;
let server: RedisTestServer;
let connections: RedisConnection[];
let pubSub: PubSub;
let trips: TripReservation;

beforeAll(async () => {
  stores = await Stores.open();
  server = await startRedisServer({ persistence: 'none' });
  const subscriber = connectRedis({ url: server.url, purpose: 'subscriber' });
  const publisher = connectRedis({ url: server.url, purpose: 'background' });
  connections = [subscriber, publisher];
  await until(() => connections.every(({ status }) => status === 'ready'));
  pubSub = createPubSub({ subscriber, publisher });
  trips = stores.withoutRedis({ pubSub });
});

afterEach(() => server.resume());

afterAll(async () => {
  pubSub.close();
  for (const connection of connections) connection.disconnect();
  await stores[Symbol.asyncDispose]();
  await server.stop();
});

/** Reads a watch to its end, in the background. */
function readAll(watch: TripWatch) {
  const events: TripEvent[] = [];
  const ended = (async () => {
    for await (const event of watch) events.push(event);
  })();
  return { events, ended, types: () => events.map(({ type }) => type) };
}

/** Publishes like a relay, on this test's own Redis. */
async function publish(event: TripEvent): Promise<void> {
  const text = JSON.stringify(event, (_key, value) => (typeof value === 'bigint' ? String(value) : value));
  await pubSub.publish(tripEventChannel(stores.namespace, event.tripId), text);
}

describe('a watch of a trip', () => {
  test('yields earlier events, then each new one once and in order, and ends with the trip', async () => {
    const { id: tripId, riderId } = await stores.openTrip();
    const driverId = freshId();
    const { ended, types } = readAll(await trips.watchTrip({ tripId, afterRevision: 0 }));
    await trips.acceptTrip({ tripId, driverId, offerEpoch: 1 });
    await trips.startTrip({ tripId, driverId });
    const [requested, accepted, started] = await trips.tripHistory({ tripId });
    // Relays repeat events and overtake each other.
    for (const event of [started, accepted, requested, started]) if (event) await publish(event);
    await until(() => types().length >= 3);
    await trips.cancelTrip({ tripId, riderId });
    await ended;
    expect(types()).toEqual(['TRIP_REQUESTED', 'TRIP_ACCEPTED', 'TRIP_STARTED', 'TRIP_CANCELLED']);
  });

  test('yields earlier events to all who wait for one', async () => {
    const { id: tripId } = await stores.openTrip();
    await trips.acceptTrip({ tripId, driverId: freshId(), offerEpoch: 1 });
    await using watch = await trips.watchTrip({ tripId, afterRevision: 0 });
    const events = await Promise.all([watch.next(), watch.next()]);
    expect(events.map(({ value }) => value?.revision)).toEqual([1, 2]);
  });

  test('forwards events from Redis without querying PostgreSQL for them', async () => {
    const { id: tripId } = await stores.openTrip();
    const database = new CountingPool(stores.database.directPool);
    const watching = stores.withoutRedis({ database, pubSub });
    const watch = await watching.watchTrip({ tripId, afterRevision: 1 });
    const { types } = readAll(watch);
    await until(() => database.countOf('solegate_read_history') > 0);
    const asked = database.countOf('solegate_read_history');
    await trips.acceptTrip({ tripId, driverId: freshId(), offerEpoch: 1 });
    const [accepted] = await trips.tripHistory({ tripId, afterRevision: 1 });
    if (accepted) await publish(accepted);
    await until(() => types().length === 1);
    expect(types()).toEqual(['TRIP_ACCEPTED']);
    expect(database.countOf('solegate_read_history')).toBe(asked);
    watch.close();
  });

  test.each([
    ['is stopped', true],
    ['was never there', false],
  ])('hears of an accept while Redis %s', async (_name, isSubscribed) => {
    const { id: tripId } = await stores.openTrip();
    const watching = isSubscribed ? trips : stores.withoutRedis();
    const watch = await watching.watchTrip({ tripId, afterRevision: 1 });
    const { types, ended } = readAll(watch);
    if (isSubscribed) server.pause();
    await trips.acceptTrip({ tripId, driverId: freshId(), offerEpoch: 1 });
    await until(() => types().length === 1, { timeoutMs: 4_000 });
    expect(types()).toEqual(['TRIP_ACCEPTED']);
    watch.close();
    await ended;
  });

  test('starts promptly even while Redis is paused', async () => {
    const { id: tripId } = await stores.openTrip();
    server.pause();
    const watch = await trips.watchTrip({ tripId, afterRevision: 0 });
    expect((await watch.next()).value).toMatchObject({ type: 'TRIP_REQUESTED', revision: 1 });
    watch.close();
    expect(await watch.next()).toEqual({ done: true, value: undefined });
  });

  test('polls revisions once for all watches of a process', async () => {
    const database = new CountingPool(stores.database.directPool);
    const watching = stores.withoutRedis({ database, pubSub });
    const watches = await Promise.all(
      Array.from({ length: 50 }, async () => watching.watchTrip({ tripId: (await stores.openTrip()).id })),
    );
    await until(() => database.countOf('solegate_read_revisions') >= 2);
    expect(database.countOf('solegate_read_revisions')).toBeLessThan(10);
    for (const watch of watches) watch.close();
    const asked = database.names.length;
    await new Promise((resolve) => setTimeout(resolve, 1_500));
    expect(database.names.length).toBe(asked);
  });

  test('of a trip that has ended yields the remaining events and ends; of an unknown trip it is rejected', async () => {
    const { id: tripId, riderId } = await stores.openTrip();
    await trips.cancelTrip({ tripId, riderId });
    const rest = readAll(await trips.watchTrip({ tripId, afterRevision: 1 }));
    await rest.ended;
    expect(rest.types()).toEqual(['TRIP_CANCELLED']);
    const state = readAll(await trips.watchTrip({ tripId }));
    await state.ended;
    expect(state.types()).toEqual(['TRIP_CANCELLED']);
    await expect(trips.watchTrip({ tripId: freshId() })).rejects.toThrow(TripNotFoundError);
    await until(() => pubSub.channelCount === 0);
  });

  test('ends with the reservation', async () => {
    const watching = stores.withoutRedis({ pubSub });
    const { ended } = readAll(await watching.watchTrip({ tripId: (await stores.openTrip()).id }));
    await watching.close();
    await expect(ended).resolves.toBeUndefined();
  });
});
