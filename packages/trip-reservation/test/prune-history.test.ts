import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { BoundedDatabase, Deadline, Places } from '@solegate/postgres-infra';
import { connectRedis } from '@solegate/redis-infra';
import { race, until, valuesOf } from '@solegate/testkit';
import { type PruneOptions, pruneHistory } from '../src/events/prune.js';
import { InvalidRequestError, type PruneReport, type TripReservation } from '../src/index.js';
import { TripDatabase } from '../src/sql/database.js';

import { freshId, Stores } from './stores.js';

const DAY_MS = 86_400_000;
const KEPT = {
  batchMax: 200,
  historyKeptMs: 90 * DAY_MS,
  tripsKeptMs: undefined,
  attemptsKeptMs: 30 * DAY_MS,
};

let stores: Stores;
let prune: (options: PruneOptions) => Promise<PruneReport>;
let trips: TripReservation;

beforeAll(async () => {
  stores = await Stores.open();
  const database = new TripDatabase({
    database: new BoundedDatabase({ pool: stores.database.pool }),
    heldRows: new Places(1),
    random: Math.random,
  });
  prune = (options) => pruneHistory(database.call(Deadline.after(5000)), options);
  trips = stores.withoutRedis();
});

afterEach(async () => {
  await stores.database.pool.query('TRUNCATE trips, trip_outbox, trip_attempts, driver_active');
});

afterAll(async () => {
  await stores[Symbol.asyncDispose]();
});

async function cancelledTrip(): Promise<bigint> {
  const { id: tripId } = await stores.openTrip();
  await trips.cancelTrip({ tripId, riderId: tripId });
  return tripId;
}

/** Moves the publication of a trip's events into the past. */
async function publishedAgo(tripId: bigint, days: number): Promise<void> {
  await stores.database.pool.query(
    `UPDATE trip_outbox SET published_at = clock_timestamp() - $2 * interval '1 day' WHERE trip_id = $1`,
    [String(tripId), days],
  );
}

async function revisionsOf(tripId: bigint): Promise<number[]> {
  return (await trips.tripHistory({ tripId })).map(({ revision }) => revision);
}

async function addAttempts(count: number, daysAgo: number): Promise<void> {
  await stores.database.pool.query(
    `INSERT INTO trip_attempts (trip_id, epoch, outcome, attempt_count, counted_at)
     SELECT i, 1, 'TAKEN', 1, clock_timestamp() - $2 * interval '1 day' FROM generate_series(1, $1) i`,
    [count, daysAgo],
  );
}

async function attemptRowCount(): Promise<number> {
  const { rows } = await stores.database.pool.query('SELECT count(*)::int AS count FROM trip_attempts');
  return rows[0].count;
}

describe('the history of a trip', () => {
  test('is deleted as a whole after its retention, counted from the publication of its end; the trip stays', async () => {
    const [old, young] = [await cancelledTrip(), await cancelledTrip()];
    await publishedAgo(old, 91);
    await publishedAgo(young, 89);
    expect(await prune(KEPT)).toEqual({ historyCount: 1, tripCount: 0, attemptRowCount: 0 });
    expect(await revisionsOf(old)).toEqual([]);
    expect(await revisionsOf(young)).toEqual([1, 2]);
    expect(await trips.findTrip(old)).toMatchObject({ status: 'CANCELLED', revision: 2 });
  });

  test('is complete until its trip ends, however old its first events are', async () => {
    const { id: tripId } = await stores.openTrip();
    // Closing writes its counts, which would otherwise appear in a later test.
    const accepting = stores.withoutRedis();
    await accepting.acceptTrip({ tripId, driverId: freshId(), offerEpoch: 1 });
    await accepting.close();
    await publishedAgo(tripId, 1000);
    await prune(KEPT);
    expect(await revisionsOf(tripId)).toEqual([1, 2]);
    await trips.cancelTrip({ tripId, riderId: tripId });
    await stores.database.pool.query(
      'UPDATE trip_outbox SET published_at = clock_timestamp() WHERE trip_id = $1 AND revision = 3',
      [String(tripId)],
    );
    await prune(KEPT);
    expect(await revisionsOf(tripId)).toEqual([1, 2, 3]);
  });

  test('stays while one of its events waits for a relay', async () => {
    const tripId = await cancelledTrip();
    await publishedAgo(tripId, 91);
    await stores.database.pool.query(
      'UPDATE trip_outbox SET published_at = NULL WHERE trip_id = $1 AND revision = 1',
      [String(tripId)],
    );
    expect(await prune(KEPT)).toMatchObject({ historyCount: 0 });
    expect(await revisionsOf(tripId)).toEqual([1, 2]);
  });

  test('is found through the index of ended trips', async () => {
    const session = await stores.database.pool.connect();
    try {
      await session.query('SET enable_seqscan = off');
      const { rows } = await session.query(
        `EXPLAIN SELECT trip_id FROM trip_outbox
         WHERE published_at < clock_timestamp() AND status IN ('COMPLETED', 'CANCELLED', 'EXPIRED')
         ORDER BY published_at LIMIT 10`,
      );
      expect(rows.map((row) => row['QUERY PLAN']).join('\n')).toContain('trip_outbox_ended');
    } finally {
      session.release(true);
    }
  });

  test('is pruned by many processes concurrently, each trip by one of them', async () => {
    const ended = await Promise.all(Array.from({ length: 40 }, cancelledTrip));
    await Promise.all(ended.map((tripId) => publishedAgo(tripId, 91)));
    let prunedCount = 0;
    for (let lastCount = 1; lastCount > 0; prunedCount += lastCount) {
      const reports = valuesOf(await race(4, () => prune({ ...KEPT, batchMax: 5 })));
      lastCount = reports.reduce((sum, { historyCount }) => sum + historyCount, 0);
    }
    expect(prunedCount).toBe(40);
  });
});

/** Moves a trip and its events into the past. */
async function endedAgo(tripId: bigint, days: number): Promise<void> {
  for (const change of [
    "UPDATE trip_outbox SET occurred_at = clock_timestamp() - $2 * interval '1 day' WHERE trip_id = $1",
    "UPDATE trips SET ended_at = clock_timestamp() - $2 * interval '1 day' WHERE id = $1",
  ]) {
    await stores.database.pool.query(change, [String(tripId), days]);
  }
}

describe('where no relay publishes', () => {
  test('the history of a trip is deleted after its retention, counted from its end', async () => {
    const [old, young, open] = [await cancelledTrip(), await cancelledTrip(), (await stores.openTrip()).id];
    await endedAgo(old, 91);
    await endedAgo(young, 89);
    await stores.database.pool.query(
      "UPDATE trip_outbox SET occurred_at = clock_timestamp() - interval '91 days' WHERE trip_id = $1",
      [String(open)],
    );
    expect(await prune(KEPT)).toMatchObject({ historyCount: 1, tripCount: 0 });
    expect(await Promise.all([old, young, open].map(revisionsOf))).toEqual([[], [1, 2], [1]]);
  });

  test('nothing unpublished is deleted once a relay has published the end of a trip', async () => {
    const [old, published] = [await cancelledTrip(), await cancelledTrip()];
    await endedAgo(old, 91);
    await publishedAgo(published, 1);
    expect(await prune(KEPT)).toMatchObject({ historyCount: 0 });
  });
});

describe('a trip itself', () => {
  test('is kept for ever unless a retention is set, and at least as long as its history', async () => {
    const [old, recent, withHistory] = [await cancelledTrip(), await cancelledTrip(), await cancelledTrip()];
    for (const tripId of [old, recent]) {
      await endedAgo(tripId, 100);
      await publishedAgo(tripId, 100);
    }
    await endedAgo(withHistory, 100);
    await publishedAgo(withHistory, 1);
    await stores.database.pool.query(
      "UPDATE trips SET ended_at = clock_timestamp() - interval '10 days' WHERE id = $1",
      [String(recent)],
    );
    expect(await prune(KEPT)).toMatchObject({ historyCount: 2, tripCount: 0 });
    expect(await prune({ ...KEPT, tripsKeptMs: 50 * DAY_MS })).toMatchObject({ tripCount: 1 });
    const left = await trips.findTrips([old, recent, withHistory]);
    expect(left.map((trip) => trip?.status)).toEqual([undefined, 'CANCELLED', 'CANCELLED']);
  });
});

describe('attempt counts', () => {
  test('are deleted by their own age, at most one batch at a time', async () => {
    await addAttempts(25, 31);
    await addAttempts(5, 29);
    expect(await prune({ ...KEPT, batchMax: 20 })).toEqual({
      historyCount: 0,
      tripCount: 0,
      attemptRowCount: 20,
    });
    expect(await prune({ ...KEPT, batchMax: 20 })).toMatchObject({ attemptRowCount: 5 });
    expect(await attemptRowCount()).toBe(5);
  });
});

describe('a sweeper', () => {
  test('prunes batch after batch until nothing old is left, and reports it', async () => {
    const reports: PruneReport[] = [];
    const sweeping = stores.withoutRedis({ observer: { historyPruned: (report) => reports.push(report) } });
    const [old, young] = [await cancelledTrip(), await cancelledTrip()];
    await publishedAgo(old, 91);
    await publishedAgo(young, 89);
    await addAttempts(95, 31);
    // The next cleaning would run after 60 intervals.
    await using _sweeper = sweeping.startSweeper({ intervalMs: 3_600_000, batchMax: 10 });
    await until(async () => (await attemptRowCount()) === 0);
    expect(await revisionsOf(old)).toEqual([]);
    expect(await revisionsOf(young)).toEqual([1, 2]);
    await until(() => reports.reduce((sum, report) => sum + report.attemptRowCount, 0) === 95);
    expect(reports).toHaveLength(10);
  });

  test.each(['historyKeptMs', 'tripsKeptMs', 'attemptsKeptMs'])(
    'refuses a %s that would leave no time to catch up',
    (name) => {
      for (const keptMs of [0, 3_599_999, 1.5e9 + 0.5, Number.POSITIVE_INFINITY, -1]) {
        expect(() => trips.startSweeper({ [name]: keptMs })).toThrow(InvalidRequestError);
      }
    },
  );

  test('keeps what a reconnecting client needs while events are published', async () => {
    const redis = connectRedis({ url: stores.redis.url, purpose: 'background' });
    try {
      const tripId = await cancelledTrip();
      const relay = trips.startOutboxRelay({ redis, intervalMs: 10 });
      const count = async () =>
        (await stores.database.pool.query('SELECT FROM trip_outbox WHERE published_at IS NULL')).rowCount;
      await until(async () => (await count()) === 0);
      await relay.stop();
      await prune({ ...KEPT, historyKeptMs: 3_600_000 });
      expect(await revisionsOf(tripId)).toEqual([1, 2]);
    } finally {
      redis.disconnect();
    }
  });
});

test('what was deleted is noted for feeds', async () => {
  const tripId = await cancelledTrip();
  await publishedAgo(tripId, 91);
  const { rows } = await stores.database.pool.query(
    'SELECT max(occurred_at) AS newest FROM trip_outbox WHERE trip_id = $1',
    [String(tripId)],
  );
  await prune(KEPT);
  const noted = await stores.database.pool.query('SELECT pruned_until FROM trip_namespace');
  expect(noted.rows[0].pruned_until).toEqual(rows[0].newest);
});
