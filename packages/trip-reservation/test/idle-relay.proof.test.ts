import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { until, watchedPool } from '@solegate/testkit';
import { Redis } from 'ioredis';
import { tripEventChannel } from '../src/index.js';
import { freshId, Stores } from './stores.js';

/*
 * How long an event stays unpublished whose process died right after its commit, when nothing happened before: the only other
 * process is idle, and finds it. The dead one is a process without a relay. Without notices, a sweeper finds the event.
 */

const ROUNDS = 12;
/** Whether the sweeper finds it, in most rounds: with a notice, the relay looks several times between two of its looks. */
const IS_FOUND_BY_SWEEPER = { 'with notices': false, 'without notices': true };

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

test.each(Object.entries(IS_FOUND_BY_SWEEPER))('%s', async (name, isFoundBySweeper) => {
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

  const found: { readonly ms: number; readonly looks: number }[] = [];
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
    const [committedAt, looksAtCommit] = [performance.now(), lookCount];
    await until(() => heard.has(channel));
    found.push({ ms: (heard.get(channel) ?? 0) - committedAt, looks: lookCount - looksAtCommit });
  }
  const ascending = (of: 'ms' | 'looks') => found.map((one) => one[of]).toSorted((one, other) => one - other);
  const ms = ascending('ms').map(Math.round);
  process.stdout.write(
    `${name}: found after ${ms[ROUNDS / 2]} ms (median of ${ROUNDS}), at most ${ms.at(-1)} ms\n`,
  );
  expect((ascending('looks')[ROUNDS / 2] ?? 0) > 0).toBe(isFoundBySweeper);
});
