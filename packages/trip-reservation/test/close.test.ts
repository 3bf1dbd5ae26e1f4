import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { PubSub } from '@solegate/redis-infra';
import { until, watchedPool } from '@solegate/testkit';
import { freshId, Stores } from './stores.js';

let stores: Stores;

beforeAll(async () => {
  stores = await Stores.open();
});

afterAll(async () => {
  await stores[Symbol.asyncDispose]();
});

const CLOSED = { code: 'TRIP_RESERVATION_CLOSED' };

/** A call that has begun, and continues with `go`. */
function held() {
  let go = () => {};
  const isDue = new Promise<void>((resolve) => {
    go = resolve;
  });
  let hasBegun = false;
  const wait = async () => {
    hasBegun = true;
    await isDue;
  };
  return { go, wait, begun: () => until(() => hasBegun) };
}

/** A reservation whose statement of this name waits. */
function holding(name: string, pubSub?: PubSub) {
  const { go, wait, begun } = held();
  const database = watchedPool(stores.database.pool, async (statement, run) => {
    if (statement.name === name) await wait();
    return run();
  });
  return { trips: stores.withoutRedis({ database, ...(pubSub && { pubSub }) }), go, begun };
}

describe('when the reservation is closed', () => {
  test('a watch that is just opening is refused, and leaves no subscription', async () => {
    const pubSub = await stores.pubSub();
    const { trips, go, begun } = holding('solegate_find_trips', pubSub);
    const opening = trips.watchTrip({ tripId: (await stores.openTrip()).id });
    await begun();
    const closing = trips.close();
    go();
    await expect(opening).rejects.toMatchObject(CLOSED);
    await closing;
    await until(() => pubSub.channelCount === 0);
  });

  test('a feed that is just opening is refused', async () => {
    const { trips, go, begun } = holding('solegate_check_feed');
    const opening = trips.feed();
    await begun();
    const closing = trips.close();
    go();
    await expect(opening).rejects.toMatchObject(CLOSED);
    await closing;
  });

  test('a feed ends that looks for the first time', async () => {
    const { trips, go, begun } = holding('solegate_read_feed');
    const opening = trips.feed();
    await begun();
    const closing = trips.close();
    go();
    expect(await (await opening).take(1)).toEqual([]);
    await closing;
  });

  test('it hears no more notices of other processes', async () => {
    const pubSub = await stores.pubSub();
    const trips = await stores.reservation({ pubSub });
    await trips.acceptTrip({ tripId: (await stores.openTrip()).id, driverId: freshId(), offerEpoch: 1 });
    await until(() => pubSub.channelCount === 1);
    await trips.close();
    await until(() => pubSub.channelCount === 0);
  });

  test('nor those whose subscription is just beginning', async () => {
    const pubSub = await stores.pubSub();
    const { go, wait, begun } = held();
    const slow: PubSub = {
      channelCount: 0,
      publish: (channel, payload) => pubSub.publish(channel, payload),
      subscribe: (channel) => wait().then(() => pubSub.subscribe(channel)),
      close: () => pubSub.close(),
      [Symbol.asyncDispose]: () => pubSub[Symbol.asyncDispose](),
    };
    const trips = await stores.reservation({ pubSub: slow });
    await trips.acceptTrip({ tripId: (await stores.openTrip()).id, driverId: freshId(), offerEpoch: 1 });
    await begun();
    await trips.close();
    go();
    // Confirmed after the other one, by the same connection.
    (await pubSub.subscribe('another')).close();
    await until(() => pubSub.channelCount === 0);
  });
});
