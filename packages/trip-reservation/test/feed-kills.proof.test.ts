import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import {
  createTestDatabase,
  forkTypeScript,
  type PostgresTestServer,
  startPostgresServer,
  type TestDatabase,
  until,
} from '@solegate/testkit';
import {
  createTripReservation,
  migrations,
  type TripReservation,
  TripReservationError,
} from '../src/index.js';

/** 2,000 trips, read by a process that is killed 50 times while PostgreSQL is killed and transactions commit late. */
const TRIPS = 2000;
const KILLS = 50;
const CALLERS = 10;

let postgres: PostgresTestServer;
let database: TestDatabase;
let trips: TripReservation;

beforeAll(async () => {
  postgres = await startPostgresServer();
  database = await createTestDatabase({ migrations, serverUrl: postgres.url });
  database.pool.on('error', () => undefined);
  trips = createTripReservation({ database: database.pool, connectionMax: 8 });
});

afterAll(async () => {
  await trips?.close();
  await database?.drop();
  await postgres?.stop();
});

async function insist<Result>(call: () => Promise<Result>): Promise<Result> {
  for (;;) {
    try {
      return await call();
    } catch (error) {
      if (!(error instanceof TripReservationError && error.retryable)) throw error;
      await pause(50);
    }
  }
}

async function ride(index: number): Promise<void> {
  const tripId = BigInt(index + 1);
  const driverId = BigInt(1_000_000 + index);
  await insist(() => trips.requestTrip({ tripId, riderId: tripId, offerTtlMs: 600_000 }));
  await insist(() => trips.acceptTrip({ tripId, driverId, offerEpoch: 1 }));
  await insist(() => trips.startTrip({ tripId, driverId }));
  await insist(() => trips.completeTrip({ tripId, driverId }));
}

/** Requests a trip in a transaction that commits two seconds later, or not at all if PostgreSQL ends before. */
async function requestLate(tripId: bigint): Promise<void> {
  const client = await database.pool.connect().catch(() => undefined);
  try {
    await client?.query('BEGIN');
    if (client) await trips.requestTrip({ tripId, riderId: tripId, session: client });
    await pause(2000);
    await client?.query('COMMIT');
    client?.release();
  } catch (error) {
    client?.release(error instanceof Error ? error : true);
  }
}

interface Line {
  readonly cursor: string;
  readonly events: readonly (readonly [tripId: string, revision: number])[];
}

test('a process that is killed 50 times reads each event once and in order', async () => {
  const events: Line['events'][number][] = [];
  let cursor = '';
  let next = 0;
  let isLoaded = false;
  const caller = async () => {
    for (let index = next++; index < TRIPS; index = next++) await ride(index);
  };
  const loading = Promise.all(Array.from({ length: CALLERS }, caller)).finally(() => {
    isLoaded = true;
  });
  const late = (async () => {
    for (let tripId = 10_000_000n; !isLoaded; tripId += 1n) await requestLate(tripId);
  })();
  const follow = async (isDone: (readCount: number) => Promise<boolean>) => {
    const file = new URL('./fleet/feed-consumer.ts', import.meta.url);
    await using consumer = forkTypeScript(file, [database.url, cursor]);
    const lines = () => consumer.lines as readonly Line[];
    const readCount = () => lines().reduce((sum, line) => sum + line.events.length, events.length);
    await until(() => isDone(readCount()), { timeoutMs: 120_000, intervalMs: 50 }).catch(() => undefined);
    await consumer.kill();
    for (const line of lines()) {
      events.push(...line.events);
      ({ cursor } = line);
    }
  };
  for (let count = 0; count < KILLS; count += 1) {
    if (count === 15 || count === 35) {
      await postgres.kill();
      await postgres.restart();
    }
    const endsAtMs = performance.now() + 800 + (count % 7) * 150;
    await follow(async () => performance.now() > endsAtMs);
  }
  await Promise.all([loading, late]);
  const { rows } = await database.pool.query('SELECT count(*)::int AS count FROM trip_outbox');
  const total: number = rows[0].count;
  await follow(async (readCount) => readCount >= total);
  const names = events.map((event) => event.join('-'));
  expect(new Set(names).size).toBe(names.length);
  expect(names.length).toBe(total);
  const last = new Map<string, number>();
  for (const [tripId, revision] of events) {
    expect(revision).toBe((last.get(tripId) ?? 0) + 1);
    last.set(tripId, revision);
  }
  process.stdout.write(`${names.length} events of ${last.size} trips, ${KILLS} kills\n`);
});
