import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { startFaultProxy, startRedisServer, until, watchedPool } from '@solegate/testkit';
import { Redis } from 'ioredis';
import { Pool } from 'pg';
import {
  createTripReservation,
  decodeTripEvent,
  type TripEvent,
  tripEventChannel,
  tripOfferChannel,
} from '../src/index.js';
import { freshId, freshIds, Stores } from './stores.js';

let stores: Stores;
let subscriber: Redis;
let received: { channel: string; event: TripEvent }[];

beforeAll(async () => {
  stores = await Stores.open();
  subscriber = new Redis(stores.redis.url);
  subscriber.on('message', (channel: string, message: string) => {
    received.push({ channel, event: decodeTripEvent(message) });
  });
});

beforeEach(() => {
  received = [];
});

afterAll(async () => {
  subscriber.disconnect();
  await stores[Symbol.asyncDispose]();
});

const typesOn = (channel: string) =>
  received.filter((message) => message.channel === channel).map(({ event }) => event.type);

const channelOf = (tripId: bigint) => tripEventChannel(stores.namespace, tripId);

describe('the outbox relay', () => {
  test('publishes each change to the channel of the trip, and offers to the channel of drivers too', async () => {
    const trips = await stores.reservation();
    await using relay = trips.startOutboxRelay();
    const [tripId, driverId] = [freshId(), freshId()];
    const own = channelOf(tripId);
    await subscriber.subscribe(own, tripOfferChannel(stores.namespace));
    await trips.requestTrip({ tripId, riderId: 7n, offeredTo: [driverId] });
    await trips.acceptTrip({ tripId, driverId, offerEpoch: 1 });
    await trips.startTrip({ tripId, driverId });
    await trips.completeTrip({ tripId, driverId });
    await until(() => typesOn(own).length >= 4);
    expect(typesOn(own)).toEqual(['TRIP_REQUESTED', 'TRIP_ACCEPTED', 'TRIP_STARTED', 'TRIP_COMPLETED']);
    expect(typesOn(tripOfferChannel(stores.namespace))).toEqual(['TRIP_REQUESTED', 'TRIP_ACCEPTED']);
    const published = received.filter(({ channel }) => channel === own).map(({ event }) => event);
    expect(published).toEqual(await trips.tripHistory({ tripId }));
    await relay.stop();
  });

  test('shares the work with other relays and loses nothing while each is stopped and started', async () => {
    const gateways = await Promise.all(Array.from({ length: 3 }, () => stores.reservation()));
    const tripIds = Array.from({ length: 60 }, freshId);
    await subscriber.subscribe(...tripIds.map(channelOf));
    const admin = stores.withoutRedis();
    for (const tripId of tripIds) await admin.requestTrip({ tripId, riderId: tripId });
    const first = gateways.map((trips) => trips.startOutboxRelay({ batchMax: 5 }));
    await Promise.all(first.map((relay) => relay.stop()));
    const second = gateways.map((trips) => trips.startOutboxRelay({ batchMax: 5, intervalMs: 10 }));
    const seen = () => new Set(received.map(({ event }) => event.tripId));
    await until(() => tripIds.every((tripId) => seen().has(tripId)));
    await Promise.all(second.map((relay) => relay.stop()));
    const { rows } = await stores.database.pool.query('SELECT FROM trip_outbox WHERE published_at IS NULL');
    expect(rows).toEqual([]);
  });

  test('continues where it was when Redis recovers', async () => {
    await using server = await startRedisServer({ persistence: 'none' });
    const failures: string[] = [];
    const trips = stores.withoutRedis({
      observer: { backgroundFailed: (_error, work) => failures.push(work) },
    });
    const publisher = await stores.connectRedis(server.url);
    await server.kill();
    await until(() => publisher.status !== 'ready');
    await using relay = trips.startOutboxRelay({ redis: publisher, intervalMs: 20 });
    const tripIds = freshIds(3);
    for (const tripId of tripIds) await trips.requestTrip({ tripId, riderId: tripId });
    await until(() => failures.includes('RELAY'));
    await server.restart();
    relay.wake();
    await until(async () => {
      const { rows } = await stores.database.pool.query(
        'SELECT FROM trip_outbox WHERE trip_id = ANY ($1::bigint[]) AND published_at IS NULL',
        [tripIds.map(String)],
      );
      return rows.length === 0;
    });
    await relay.stop();
  });

  test('repeats an event under the same ID when it dies after publishing', async () => {
    const trips = await stores.reservation();
    const tripId = freshId();
    await subscriber.subscribe(channelOf(tripId));
    await trips.requestTrip({ tripId, riderId: 7n });
    const { pool } = stores.database;
    // A relay whose connection breaks at the commit: published but not marked.
    const failing = stores.withoutRedis({
      database: watchedPool(pool, async (statement, run) => {
        if (statement.text.endsWith('COMMIT')) throw new Error('connection lost');
        return run();
      }),
    });
    const redis = await stores.connectRedis();
    const broken = failing.startOutboxRelay({ redis, intervalMs: 10_000 });
    await until(() => received.length > 0);
    await broken.stop();
    await using relay = trips.startOutboxRelay();
    await until(() => received.length > 1);
    await relay.stop();
    expect(new Set(received.map(({ event }) => event.id))).toEqual(new Set([`${tripId}-1`]));
  });

  test('finds events of before its start, and whatever Redis refused meanwhile, however old', async () => {
    const trips = await stores.reservation();
    const tripId = freshId();
    await trips.requestTrip({ tripId, riderId: 7n });
    await stores.database.pool.query(
      "UPDATE trip_outbox SET occurred_at = clock_timestamp() - interval '1 hour' WHERE trip_id = $1",
      [String(tripId)],
    );
    await subscriber.subscribe(channelOf(tripId));
    await using relay = trips.startOutboxRelay();
    await until(() => typesOn(channelOf(tripId)).length === 1);
    await relay.stop();
  });

  test('loses its batch to another relay when its host disappears: the server waits five seconds for it', async () => {
    await using proxy = await startFaultProxy(stores.database.url);
    const pool = new Pool({ connectionString: proxy.url });
    pool.on('error', () => {});
    const statements: string[] = [];
    const database = watchedPool(pool, (statement, run) => {
      statements.push(statement.text);
      return run();
    });
    const vanishing = createTripReservation({ database, requestTimeoutMs: 500 });
    const tripId = freshId();
    await stores.withoutRedis().requestTrip({ tripId, riderId: 7n });
    // The host disappears while it holds the batch; neither server hears from it again.
    const redis = await stores.connectRedis();
    redis.publish = () => {
      proxy.set('blackHole');
      return new Promise<number>(() => {});
    };
    vanishing.startOutboxRelay({ redis });
    await until(() => proxy.mode === 'blackHole');
    expect(statements.join()).toContain('idle_in_transaction_session_timeout = 5000');
    await subscriber.subscribe(channelOf(tripId));
    const healthy = await stores.reservation();
    await using relay = healthy.startOutboxRelay({ intervalMs: 50 });
    await until(() => received.some(({ event }) => event.tripId === tripId), {
      what: 'The event of the relay that disappeared',
    });
    await relay.stop();
    await vanishing.close();
    proxy.set('pass');
    await pool.end();
  });
});
