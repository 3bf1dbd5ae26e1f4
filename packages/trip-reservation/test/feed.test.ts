import { createHash } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { type TripEvent, type TripFeed, TripFeedBrokenError, type TripReservation } from '../src/index.js';
import { freshId, Stores } from './stores.js';

let stores: Stores;
let trips: TripReservation;

beforeAll(async () => {
  stores = await Stores.open();
  trips = stores.withoutRedis();
});

beforeEach(async () => {
  await stores.database.pool.query('TRUNCATE trips, trip_outbox, driver_active');
});

afterAll(async () => {
  await stores[Symbol.asyncDispose]();
});

const open = (after?: string): Promise<TripFeed> =>
  trips.feed({ pollMs: 20, ...(after === undefined ? {} : { after }) });

async function read(feed: TripFeed, count: number): Promise<TripEvent[]> {
  const events: TripEvent[] = [];
  while (events.length < count) {
    const taken = await feed.take(count - events.length);
    if (taken.length === 0) throw new Error(`the feed ended after ${events.length} events`);
    events.push(...taken);
  }
  return events;
}

const idsOf = (events: readonly TripEvent[]) => events.map(({ id }) => id);

async function ride(tripId: bigint): Promise<void> {
  const driverId = freshId();
  await trips.acceptTrip({ tripId, driverId, offerEpoch: 1 });
  await trips.startTrip({ tripId, driverId });
  await trips.completeTrip({ tripId, driverId });
}

const revisionsOf = (tripId: bigint, ...revisions: number[]) =>
  revisions.map((revision) => `${tripId}-${revision}`);

test('a feed has the events of every trip in the order of its revisions, then new ones', async () => {
  const { id: first } = await stores.openTrip();
  const { id: second } = await stores.openTrip();
  await using feed = await open();
  await Promise.all([ride(first), ride(second)]);
  const ids = idsOf(await read(feed, 8));
  for (const tripId of [first, second]) {
    const own = ids.filter((id) => id.startsWith(`${tripId}-`));
    expect(own).toEqual(revisionsOf(tripId, 1, 2, 3, 4));
  }
  expect(feed.behindCount).toBe(0);
});

test('a reader that comes back with its cursor gets what follows, and nothing twice', async () => {
  const { id } = await stores.openTrip();
  await ride(id);
  const ids: string[] = [];
  let after: string | undefined;
  for (let round = 0; round < 4; round += 1) {
    await using feed = await open(after);
    ids.push(...idsOf(await read(feed, 1)));
    after = feed.cursor;
  }
  expect(ids).toEqual(revisionsOf(id, 1, 2, 3, 4));
});

test('an event whose transaction commits after later ones is not missed', async () => {
  const slow = await stores.database.pool.connect();
  const [late, early] = [freshId(), freshId()];
  await using feed = await open();
  try {
    await slow.query('BEGIN');
    await trips.requestTrip({ tripId: late, riderId: late, session: slow });
    await trips.requestTrip({ tripId: early, riderId: early });
    expect(idsOf(await read(feed, 1))).toEqual(revisionsOf(early, 1));
    await slow.query('COMMIT');
  } finally {
    slow.release();
  }
  await using again = await open(feed.cursor);
  expect(idsOf(await read(again, 1))).toEqual(revisionsOf(late, 1));
});

test('several readers get the same events in the same order', async () => {
  const opened = await Promise.all([1, 2, 3].map(() => open()));
  for (let count = 0; count < 5; count += 1) await stores.openTrip();
  const [one, ...others] = await Promise.all(opened.map(async (feed) => idsOf(await read(feed, 5))));
  for (const other of others) expect(other).toEqual(one);
  for (const feed of opened) await feed.return?.();
});

test('a cursor of before a restore is refused, with one from which to read again', async () => {
  const { id: old } = await stores.openTrip();
  await using feed = await open();
  await read(feed, 1);
  await stores.database.pool.query("UPDATE trip_outbox SET occurred_at = occurred_at - interval '2 hours'");
  await using aged = await open();
  await read(aged, 1);
  const { id: lost } = await stores.openTrip();
  await read(aged, 1);
  await stores.database.pool.query('DELETE FROM trip_outbox WHERE trip_id = $1', [String(lost)]);
  await stores.database.pool.query('UPDATE trip_feed SET last_position = last_position - 1');
  const { id: next } = await stores.openTrip();
  const refused = await open(aged.cursor).catch((error: unknown) => error);
  expect(refused).toBeInstanceOf(TripFeedBrokenError);
  expect(refused).toMatchObject({ why: 'RESTORED', retryable: false });
  await using again = await open((refused as TripFeedBrokenError).after);
  expect(idsOf(await read(again, 1))).toEqual(revisionsOf(next, 1));
  expect(old).not.toBe(next);
});

test('a cursor is refused once events that it has not read have been deleted', async () => {
  await using unread = await open();
  const { id } = await stores.openTrip();
  await using feed = await open();
  await read(feed, 1);
  await using current = await open(feed.cursor);
  const { pool } = stores.database;
  await pool.query(
    "UPDATE trip_namespace SET pruned_until = clock_timestamp() + interval '2 ms'; SELECT pg_sleep(0.01)",
  );
  const broken = { code: 'TRIP_FEED_BROKEN', why: 'PRUNED' };
  try {
    for (const cursor of [current.cursor, unread.cursor])
      await expect(open(cursor)).rejects.toMatchObject(broken);
    await expect(current.take(1)).rejects.toMatchObject(broken);
    await using fresh = await open();
    expect(idsOf(await read(fresh, 1))).toEqual(revisionsOf(id, 1));
  } finally {
    await pool.query('UPDATE trip_namespace SET pruned_until = NULL');
  }
});

test.each(['', 'no cursor', 'A'.repeat(300)])('%j is refused as a cursor', async (after) => {
  await expect(open(after)).rejects.toMatchObject({ code: 'INVALID_REQUEST', field: 'after' });
});

test.each([
  ['position', 1, 'NaN'],
  ['trip', 2, '9223372036854775808'],
  ['trip', 2, "1' OR 1"],
  ['revision', 3, '2147483648'],
  ['time', 6, ''],
])('a cursor with a forged %s is refused', async (_name, at, value) => {
  await using feed = await open();
  const facts = Buffer.from(feed.cursor.slice(6), 'base64url').toString().split(',');
  const text = Buffer.from(facts.with(at, value).join()).toString('base64url');
  const check = createHash('sha256').update(text).digest('base64url').slice(0, 6);
  await expect(open(check + text)).rejects.toMatchObject({ code: 'INVALID_REQUEST', field: 'after' });
});

test('closing the reservation ends its feeds, also while they wait', async () => {
  const other = stores.withoutRedis();
  const feed = await other.feed({ pollMs: 60_000 });
  const next = feed.next();
  await other.close();
  expect((await next).done).toBe(true);
});
