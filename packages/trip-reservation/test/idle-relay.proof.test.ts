import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { until } from '@solegate/testkit';
import { Redis } from 'ioredis';
import { tripEventChannel } from '../src/index.js';
import { freshId, Stores } from './stores.js';
import { watchedPool } from './watched-pool.js';

/*
 * How long an event stays unpublished whose process died right after its commit, when nothing happened before: the only other
 * process is idle, and finds it. The dead one is a process without a relay. Without notices, a sweeper finds the event.
 */

const ROUNDS = 12;
/** With a notice, a relay looks every 150 to 250 ms; without, a sweeper every 750 to 1,250 ms. */
const EXPECTED = { 'with notices': 400, 'without notices': 1_500 };

let stores: Stores;
let subscriber: Redis;
const heard = new Map<string, number>();

beforeAll(async () => {
  stores = await Stores.open();
  subscriber = new Redis(stores.redis.url);
  subscriber.on('message', (channel: string) => heard.set(channel, performance.now()));
});

afterAll(async () => {
  subscriber.disconnect();
  await stores[Symbol.asyncDispose]();
});

test.each(Object.entries(EXPECTED))(
  '%s',
  async (name, medianMaxMs) => {
    const pubSub = async () => (name === 'with notices' ? { pubSub: await stores.pubSub() } : {});
    let nowMs = performance.now();
    let passCount = 0;
    let lookCount = 0;
    const clock = { now: () => nowMs };
    const database = watchedPool(stores.database.pool, (statement, run) => {
      if (statement.text.includes('FROM trip_outbox\n')) passCount += 1;
      if (statement.text.includes('isUnpublished')) lookCount += 1;
      return run();
    });
    const idle = await stores.reservation({ clock, database, ...(await pubSub()) });
    const dying = stores.withoutRedis({ clock, offerTtlMs: 3_600_000, ...(await pubSub()) });
    await using _sweeper = idle.startSweeper();
    await using _relay = idle.startOutboxRelay();

    const foundMs: number[] = [];
    for (let round = 0; round < ROUNDS; round += 1) {
      // The pass that published last has ended; this one or the next finds the relay idle.
      const last = passCount;
      await until(() => passCount > last);
      nowMs += 10_000;
      const looks = lookCount;
      await until(() => lookCount > looks + 1);
      await pause(Math.random() * 1_000);
      const tripId = freshId();
      const channel = tripEventChannel(stores.namespace, tripId);
      await subscriber.subscribe(channel);
      await dying.requestTrip({ tripId, riderId: tripId });
      const committedAt = performance.now();
      await until(() => heard.has(channel));
      foundMs.push((heard.get(channel) ?? 0) - committedAt);
    }
    foundMs.sort((one, other) => one - other);
    const median = foundMs[ROUNDS / 2] ?? Number.NaN;
    process.stdout.write(
      `${name}: found after ${Math.round(median)} ms (median of ${ROUNDS}), at most ${Math.round(foundMs.at(-1) ?? 0)} ms\n`,
    );
    expect(median).toBeLessThan(medianMaxMs);
  },
  120_000,
);
