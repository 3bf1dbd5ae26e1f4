import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { until, watchedPool } from '@solegate/testkit';
import { freshId, Stores } from './stores.js';

/* In a database of its own: no offer ends meanwhile, whose event a relay would publish. */

/** A relay that looks often does so several times between two sweeps. */
const SWEEP = { intervalMs: 300 };
const RELAY = { intervalMs: 50 };

let stores: Stores;

beforeAll(async () => {
  stores = await Stores.open();
});

afterAll(async () => {
  await stores[Symbol.asyncDispose]();
});

/** What a process asks of PostgreSQL, by a clock of its own. */
class Watched {
  nowMs = performance.now();
  texts: string[] = [];
  readonly options = {
    clock: { now: () => this.nowMs },
    database: watchedPool(stores.database.pool, async (statement, run) => {
      this.texts.push(statement.text);
      return run();
    }),
  };

  countOf(part: string): number {
    return this.texts.filter((text) => text.includes(part)).length;
  }

  get passCount(): number {
    return this.countOf('FROM trip_outbox\n');
  }

  get lookCount(): number {
    return this.countOf('isUnpublished');
  }

  /** Until a relay that looks often would have looked several times. */
  async untilIdle(): Promise<void> {
    this.nowMs += 10_000;
    for (let passes = -1; passes !== this.passCount; ) {
      passes = this.passCount;
      const looks = this.lookCount;
      await until(() => this.lookCount >= looks + 2);
    }
  }
}

test('an idle relay looks rarely, if a sweeper does, and publishes events of other processes all the same', async () => {
  const watched = new Watched();
  const trips = await stores.reservation(watched.options);
  await using sweeper = trips.startSweeper(SWEEP);
  await using relay = trips.startOutboxRelay(RELAY);
  // The first sweep ends with old attempts.
  await until(() => watched.countOf('DELETE FROM trip_attempts') > 0);
  await watched.untilIdle();
  watched.texts = [];
  await until(() => watched.lookCount >= 3);
  expect(watched.passCount).toBe(0);
  expect(watched.countOf('SKIP LOCKED')).toBe(0);

  await stores.withoutRedis().requestTrip({ tripId: freshId(), riderId: 7n });
  const published = 'SELECT FROM trip_outbox WHERE published_at IS NOT NULL';
  await until(async () => (await stores.database.pool.query(published)).rowCount === 1);
  await sweeper.stop();
  await relay.stop();
});

test('an idle relay looks often again when another process is about to write, which might die before it publishes', async () => {
  const watched = new Watched();
  const { clock } = watched.options;
  const idle = await stores.reservation({ ...watched.options, pubSub: await stores.pubSub() });
  const writer = stores.withoutRedis({ clock, pubSub: await stores.pubSub() });
  await using sweeper = idle.startSweeper(SWEEP);
  await using relay = idle.startOutboxRelay(RELAY);
  const channel = `trip_writes:${stores.namespace}`;
  await until(async () => ((await stores.redis.client.pubsub('CHANNELS', channel)) as string[]).length === 1);

  for (const _round of ['the first notice', 'one that follows a long silence']) {
    await watched.untilIdle();
    const idleCount = watched.passCount;
    // It writes nothing, so that no sweeper finds anything: only the notice wakes the relay.
    const missing = { tripId: freshId(), driverId: freshId() };
    await expect(writer.startTrip(missing)).rejects.toThrow('does not exist');
    await until(() => watched.passCount >= idleCount + 4);
  }
  await sweeper.stop();
  await relay.stop();
});

test('a relay that looks often is not woken by notices as well', async () => {
  const watched = new Watched();
  const pubSub = await stores.pubSub();
  const trips = await stores.reservation({ ...watched.options, pubSub });
  const channel = `trip_writes:${stores.namespace}`;
  const heard: unknown[] = [];
  const listen = async () => {
    for await (const notice of await pubSub.subscribe(channel)) heard.push(notice);
  };
  void listen();
  await using relay = trips.startOutboxRelay({ intervalMs: 60_000 });
  await until(() => watched.passCount === 1);
  for (let count = 1; count <= 5; count += 1) {
    await stores.redis.client.publish(channel, '');
    await until(() => heard.length === count);
  }
  watched.nowMs += 10_000;
  await stores.redis.client.publish(channel, '');
  await until(() => watched.passCount > 1);
  await relay.stop();
  expect(watched.passCount).toBe(2);
});
