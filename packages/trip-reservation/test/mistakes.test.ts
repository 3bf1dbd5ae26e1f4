import { afterAll, expect, test } from '@jest/globals';
import pg from 'pg';
import { createDriverPool, type DriverPoolOptions } from '../src/driver-pool/index.js';
import { createTripReservation, type SqlTransaction, type TripReservationOptions } from '../src/index.js';

/** Whatever is sent fails: nothing listens there. */
const pool = new pg.Pool({ host: '127.0.0.1', port: 1, connectionTimeoutMillis: 1 });
const trips = createTripReservation({ database: pool });
afterAll(async () => {
  await trips.close();
  await pool.end();
});

const nodeRedis = { evalSha: () => undefined, isOpen: true };

test.each<[string, object, string, RegExp]>([
  [
    'a URL as database',
    { database: 'postgres://host' },
    'database',
    /pass new Pool\(\{ connectionString \}\)/,
  ],
  ['one client as database', { database: new pg.Client() }, 'database', /pass new Pool/],
  ['a misspelled option', { database: pool, offerTtl: 5 }, 'offerTtl', /nearest is offerTtlMs/],
  ['node-redis', { database: pool, redis: nodeRedis }, 'redis', /a client of node-redis; pass connectRedis/],
])('%s is refused when it is passed, with what to pass', (_, options, field, text) => {
  const create = () => createTripReservation(options as TripReservationOptions);
  expect(create).toThrow(text);
  expect(create).toThrow(expect.objectContaining({ code: 'INVALID_REQUEST', field, retryable: false }));
});

test('a driver pool refuses a client of node-redis', () => {
  const options = { redis: nodeRedis, database: pool } as object as DriverPoolOptions;
  expect(() => createDriverPool(options)).toThrow(/a client of node-redis/);
});

test('a relay refuses a client of node-redis', () => {
  const redis = nodeRedis as object as NonNullable<TripReservationOptions['redis']>;
  expect(() => trips.startOutboxRelay({ redis })).toThrow(/a client of node-redis/);
});

test.each<[string, unknown, RegExp]>([
  ['an empty object', {}, /query\(\{ text, values \}\)/],
  ['a pool', pool, /pool.connect\(\)/],
])('%s as a session is refused before anything is sent', async (_, session, text) => {
  const refused = trips.requestTrip({ tripId: 1n, riderId: 1n, session: session as SqlTransaction });
  await expect(refused).rejects.toThrow(text);
  await expect(refused).rejects.toMatchObject({ code: 'INVALID_REQUEST', field: 'session' });
});
