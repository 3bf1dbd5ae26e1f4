import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { until, watchedPool } from '@solegate/testkit';
import type { Redis } from 'ioredis';
import { TripReservationError } from '../src/index.js';
import { CountingPool, freshId, freshIds, PATIENT, Stores } from './stores.js';

let stores: Stores;

beforeAll(async () => {
  stores = await Stores.open();
});

afterAll(async () => {
  await stores[Symbol.asyncDispose]();
});

const UNAVAILABLE = { code: 'STORE_UNAVAILABLE', retryable: true };
const UNKNOWN = { code: 'OUTCOME_UNKNOWN', retryable: true };
const BUSY = { code: 'BUSY', retryable: true };
const MISCONFIGURED = { code: 'STORE_MISCONFIGURED', retryable: false };
const REFUSED = { code: 'STORE_REFUSED', retryable: false };

/** How a change fails for each code; a read with an unknown outcome counts as unavailable. */
const MEANINGS: readonly (readonly [state: string, meaning: { code: string; retryable: boolean }])[] = [
  ['25006', UNAVAILABLE],
  ['53100', UNAVAILABLE],
  ['53200', UNAVAILABLE],
  ['53300', UNAVAILABLE],
  ['57P03', UNAVAILABLE],
  ['58030', UNAVAILABLE],
  ['ECONNREFUSED', UNAVAILABLE],
  ['ETIMEDOUT', UNAVAILABLE],
  ['40001', BUSY],
  ['40P01', BUSY],
  ['55P03', BUSY],
  ['57014', BUSY],
  ['57P01', UNKNOWN],
  ['57P02', UNKNOWN],
  ['57P05', UNKNOWN],
  ['26000', MISCONFIGURED],
  ['28P01', MISCONFIGURED],
  ['3D000', MISCONFIGURED],
  ['42501', MISCONFIGURED],
  ['42P01', MISCONFIGURED],
  ['42P05', MISCONFIGURED],
  ['23514', REFUSED],
];

/** An error like those of pg: an SQLSTATE, or a Node code from connecting. */
function errorOf(code: string): Error {
  return Object.assign(new Error(`failed with ${code}`), {
    code,
    ...(code.startsWith('E') ? { syscall: 'connect' } : {}),
  });
}

function brokenPool(code: string) {
  return watchedPool(stores.database.pool, () => Promise.reject(errorOf(code)));
}

async function meaningOf(call: Promise<unknown>): Promise<{ code: string; retryable: boolean } | undefined> {
  try {
    await call;
    return undefined;
  } catch (error) {
    if (!(error instanceof TripReservationError)) throw error;
    return { code: error.code, retryable: error.retryable };
  }
}

describe('a PostgreSQL error code maps to the same error for every call', () => {
  test.each(MEANINGS)('%s', async (code, meaning) => {
    const trips = stores.withoutRedis({ database: brokenPool(code), requestTimeoutMs: 300 });
    const offer = { tripId: 1n, driverId: 2n, offerEpoch: 1 };
    const changes = {
      acceptTrip: () => trips.acceptTrip(offer),
      rejectTrip: () => trips.rejectTrip(offer),
      requestTrip: () => trips.requestTrip({ tripId: 1n, riderId: 1n }),
    };
    for (const [name, call] of Object.entries(changes)) {
      expect({ name, meaning: await meaningOf(call()) }).toEqual({ name, meaning });
    }
    const read = meaning === UNKNOWN ? UNAVAILABLE : meaning;
    expect(await meaningOf(trips.findTrip(1n))).toEqual(read);
    expect(await meaningOf(trips.cancelTrip({ tripId: 1n, riderId: 1n }))).toEqual(read);
  });
});

test('a lost reply stays unknown when the result cannot be read back', async () => {
  let count = 0;
  const trips = stores.withoutRedis({
    database: watchedPool(stores.database.pool, async (_statement, run) => {
      count += 1;
      if (count > 1) throw errorOf('ECONNREFUSED');
      await run();
      throw new Error('Connection terminated unexpectedly');
    }),
  });
  const { id: tripId } = await stores.openTrip();
  const driverId = freshId();
  const call = trips.acceptTrip({ tripId, driverId, offerEpoch: 1 });
  expect(await meaningOf(call)).toEqual(UNKNOWN);
  expect(await stores.withoutRedis().acceptTrip({ tripId, driverId, offerEpoch: 1 })).toMatchObject({
    kind: 'ACCEPTED',
  });
});

/** A connection to a Redis that has loaded the gate's script; loading it would count as a call. */
async function connectWithScript(): Promise<Redis> {
  const redis = (await stores.connectPatiently()) as Redis;
  const trips = stores.withoutRedis({ redis, ...PATIENT });
  const { id: tripId } = await stores.openTrip();
  await trips.acceptTrip({ tripId, driverId: freshId(), offerEpoch: 1 });
  await trips.close();
  return redis;
}

/** Counts this connection's commands for one offer. */
function askedAbout(redis: Redis, tripId: bigint): () => number {
  let count = 0;
  const original = redis.sendCommand.bind(redis);
  redis.sendCommand = (command, ...rest) => {
    if (command.args.some((argument) => argument === stores.gateKey(tripId))) count += 1;
    return original(command, ...rest);
  };
  return () => count;
}

test('a driver who might have the trip keeps the gate: it is not released', async () => {
  const redis = await connectWithScript();
  const { id: tripId } = await stores.openTrip();
  const askCount = askedAbout(redis, tripId);
  const trips = stores.withoutRedis({
    redis,
    ...PATIENT,
    database: watchedPool(stores.database.pool, () => Promise.reject(errorOf('57P01'))),
    requestTimeoutMs: 300,
  });
  expect(await meaningOf(trips.acceptTrip({ tripId, driverId: freshId(), offerEpoch: 1 }))).toEqual(UNKNOWN);
  await trips.close();
  expect(askCount()).toBe(1);
});

test('a driver who has the trip is shown at the gate, and it is not released', async () => {
  const redis = await connectWithScript();
  const { id: tripId } = await stores.openTrip();
  const askCount = askedAbout(redis, tripId);
  const trips = stores.withoutRedis({ redis, ...PATIENT });
  const driverId = freshId();
  expect(await trips.acceptTrip({ tripId, driverId, offerEpoch: 1 })).toMatchObject({ kind: 'ACCEPTED' });
  await until(() => askCount() === 2);
});

test('only the driver whose statement was sent gets an unknown outcome; the others of the round can simply retry', async () => {
  const trips = stores.withoutRedis({ database: brokenPool('57P01'), requestTimeoutMs: 300 });
  const calls = freshIds(3).map((driverId) =>
    meaningOf(trips.acceptTrip({ tripId: 1n, driverId, offerEpoch: 1 })),
  );
  expect(await Promise.all(calls)).toEqual([UNKNOWN, UNAVAILABLE, UNAVAILABLE]);
});

describe('a server that rejects changes, like a standby after a failover', () => {
  test.each([
    ['one trip', 1],
    ['a hundred trips', 100],
  ])('receives few statements for a hundred accepts of %s', async (_name, tripCount) => {
    await using readOnly = await Stores.open();
    const tripIds: bigint[] = [];
    for (let count = 0; count < tripCount; count += 1) tripIds.push((await readOnly.openTrip()).id);
    const name = new URL(readOnly.database.url).pathname.slice(1);
    const { pool } = readOnly.database;
    await pool.query(`ALTER DATABASE ${name} SET default_transaction_read_only = on`);
    // Sessions read the setting when they begin, so all open ones are ended.
    await pool
      .query('SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = $1', [name])
      .catch(() => undefined);
    const database = new CountingPool(pool);
    const trips = readOnly.withoutRedis({ database });
    const calls = freshIds(100).map((driverId, index) =>
      meaningOf(trips.acceptTrip({ tripId: tripIds[index % tripCount] ?? 0n, driverId, offerEpoch: 1 })),
    );
    const meanings = new Set((await Promise.all(calls)).map((meaning) => meaning?.code));
    expect([...meanings]).toEqual(['STORE_UNAVAILABLE']);
    expect(database.names.length).toBeLessThan(20);
  });
});
