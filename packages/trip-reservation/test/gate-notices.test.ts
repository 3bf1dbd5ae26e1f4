import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import type { SqlPool } from '@solegate/postgres-infra';
import { connectRedis, createPubSub, type PubSub, type RedisConnection } from '@solegate/redis-infra';
import { until, watchedPool } from '@solegate/testkit';
import type { TripReservationOptions } from '../src/index.js';
import { CountingPool, freshId, freshIds, Stores } from './stores.js';

let stores: Stores;
const closers: (() => void)[] = [];

beforeAll(async () => {
  stores = await Stores.open();
});

afterEach(() => {
  for (const close of closers.splice(0)) close();
});

afterAll(async () => {
  await stores[Symbol.asyncDispose]();
});

/** Long enough that a busy machine does not look like a lost notice. */
const PATIENT_MS = 1000;

function hearing(): PubSub {
  const subscriber = connectRedis({ url: stores.redis.url, purpose: 'subscriber' });
  const pubSub = createPubSub({ subscriber, publisher: subscriber });
  closers.push(() => {
    pubSub.close();
    subscriber.disconnect();
  });
  return pubSub;
}

/** Messages to its channels go elsewhere. */
const deaf = (pubSub: PubSub): PubSub => ({
  channelCount: 0,
  publish: (channel, payload) => pubSub.publish(channel, payload),
  subscribe: (channel) => pubSub.subscribe(`${channel}:elsewhere`),
  close: () => pubSub.close(),
  [Symbol.asyncDispose]: () => pubSub[Symbol.asyncDispose](),
});

/** Counts what a connection sends. */
function counted(redis: RedisConnection): () => number {
  let count = 0;
  const original = redis.sendCommand.bind(redis) as (...args: unknown[]) => unknown;
  Object.assign(redis, {
    sendCommand: (...args: unknown[]) => {
      count += 1;
      return original(...args);
    },
  });
  return () => count;
}

/** How many processes are subscribed. */
async function gateChannels(): Promise<number> {
  return ((await stores.redis.client.pubsub('CHANNELS', `trip_gate:${stores.namespace}:*`)) as string[])
    .length;
}

type ProcessOptions = Partial<Omit<TripReservationOptions, 'database'>> & { readonly database?: SqlPool };

/** A process that hears notices, if it has a `pubSub`. */
async function process({ database: pool = stores.database.pool, ...options }: ProcessOptions = {}) {
  const redis = await stores.connectPatiently();
  const database = new CountingPool(pool);
  const patienceMs = PATIENT_MS;
  const trips = await stores.reservation({ patienceMs, ...options, redis, database });
  // Its first call subscribes, and the last command of that call follows the answer.
  const { id: tripId } = await stores.openTrip();
  const [channels, driverId] = [await gateChannels(), freshId()];
  await trips.acceptTrip({ tripId, driverId, offerEpoch: 1 });
  await until(async () => (await stores.redis.client.get(stores.gateKey(tripId))) === `${driverId}:DECIDED`);
  if (options.pubSub) await until(async () => (await gateChannels()) > channels);
  const before = database.names.length;
  const commandCount = counted(redis);
  return { trips, commandCount, statementCount: () => database.names.length - before };
}

/** A process whose next decision waits for `go`, and then does what `then` says. */
async function deciding(options: Partial<TripReservationOptions> = {}) {
  let go = () => {};
  let isHeld = false;
  const held = new Promise<void>((resolve) => {
    go = resolve;
  });
  const database = watchedPool(stores.database.pool, async (statement, run) => {
    if (isHeld && statement.name === 'solegate_decide_trips') await held;
    return run();
  });
  const made = await process({ ...options, database });
  isHeld = true;
  return { ...made, go };
}

/** How many processes wait for the hold of the offer. */
async function waitingCount(tripId: bigint): Promise<number> {
  return ((await stores.redis.client.get(stores.gateKey(tripId)))?.split(' ').length ?? 0) - 1;
}

/** Both processes accept; the second waits behind the hold of the first, which then goes on. */
async function answersOf(
  tripId: bigint,
  first: Awaited<ReturnType<typeof deciding>>,
  second: Awaited<ReturnType<typeof process>>,
  [firstId, secondId]: readonly [bigint, bigint] = [freshId(), freshId()],
): Promise<string[]> {
  const held = first.trips.acceptTrip({ tripId, driverId: firstId, offerEpoch: 1 });
  await until(async () => (await waitingCount(tripId)) === 0);
  const waiting = second.trips.acceptTrip({ tripId, driverId: secondId, offerEpoch: 1 });
  await until(async () => (await waitingCount(tripId)) === 1);
  first.go();
  return [(await held).kind, (await waiting).kind];
}

describe('drivers behind the hold of another process', () => {
  test('cost at most 5 statements and 6 Redis calls a trip: 100 drivers in four processes', async () => {
    const fleet = await Promise.all(Array.from({ length: 4 }, () => process({ pubSub: hearing() })));
    const open = await Promise.all(Array.from({ length: 10 }, () => stores.openTrip()));
    const kinds: string[] = [];
    for (const { id: tripId } of open) {
      const answers = freshIds(100).map(async (driverId, place) => {
        const answer = await fleet[place % 4]?.trips.acceptTrip({ tripId, driverId, offerEpoch: 1 });
        kinds.push(answer?.kind ?? '');
      });
      await Promise.all(answers);
    }
    const sum = (counts: readonly number[]) => counts.reduce((total, count) => total + count, 0);
    expect(kinds.filter((kind) => kind === 'ACCEPTED')).toHaveLength(10);
    expect(kinds.filter((kind) => kind === 'TAKEN')).toHaveLength(990);
    expect(sum(fleet.map(({ statementCount }) => statementCount())) / 10).toBeLessThanOrEqual(5);
    expect(sum(fleet.map(({ commandCount }) => commandCount())) / 10).toBeLessThanOrEqual(6);
  });

  test('hear its decision without asking Redis again', async () => {
    const winner = await deciding();
    const loser = await process({ pubSub: hearing() });
    const { id: tripId } = await stores.openTrip();
    expect(await answersOf(tripId, winner, loser)).toEqual(['ACCEPTED', 'TAKEN']);
    expect([loser.commandCount(), loser.statementCount()]).toEqual([1, 0]);
  });

  test('get the trip as soon as the hold ends without a winner', async () => {
    const first = await deciding();
    const next = await process({ pubSub: hearing() });
    const [free = 0n, unlisted = 0n] = freshIds(2);
    const { id: tripId } = await stores.openTrip({ offeredTo: [free] });
    expect(await answersOf(tripId, first, next, [unlisted, free])).toEqual(['NOT_OFFERED', 'ACCEPTED']);
    // Two holds and a decision.
    await until(() => next.commandCount() === 3);
  });

  test('are answered by the row when the notice is lost', async () => {
    const winner = await deciding();
    const loser = await process({ pubSub: deaf(hearing()), patienceMs: 100 });
    const { id: tripId } = await stores.openTrip();
    expect(await answersOf(tripId, winner, loser)).toEqual(['ACCEPTED', 'TAKEN']);
    expect(loser.commandCount()).toBe(2);
  });

  test('look at Redis a few times if their process hears no notices', async () => {
    const { trips, commandCount } = await process({ patienceMs: 50 });
    const { id: tripId } = await stores.openTrip();
    await stores.redis.client.set(stores.gateKey(tripId), `${freshId()}:elsewhere`, 'PX', 60_000);
    expect((await trips.acceptTrip({ tripId, driverId: freshId(), offerEpoch: 1 })).kind).toBe('UNDECIDED');
    expect(commandCount()).toBeLessThanOrEqual(8);
    expect(await waitingCount(tripId)).toBe(0);
  });
});
