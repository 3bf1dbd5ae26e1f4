import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { until } from '@solegate/testkit';
import { CountingPool, freshId, freshIds, Stores } from './stores.js';

let stores: Stores;

beforeAll(async () => {
  stores = await Stores.open();
});

afterAll(async () => {
  await stores[Symbol.asyncDispose]();
});

/** A process for which no time passes, so that it forgets nothing, and what it asks of its stores. */
async function remembering() {
  const database = new CountingPool(stores.database.directPool);
  const redis = await stores.connectPatiently();
  const trips = await stores.reservation({ database, redis, clock: { now: () => 0 } });
  // The first call of a connection also loads a script.
  await trips.acceptTrip({ tripId: (await stores.openTrip()).id, driverId: freshId(), offerEpoch: 1 });
  const commands: string[] = [];
  const original = redis.sendCommand.bind(redis) as (...args: unknown[]) => unknown;
  Object.assign(redis, {
    sendCommand: (command: { name: string }, ...rest: unknown[]) => {
      commands.push(command.name);
      return original(command, ...rest);
    },
  });
  return { trips, database, commands };
}

describe('a driver who was refused, and won the offer on another process since, gets the same answer again', () => {
  test('if they were busy', async () => {
    const { trips } = await remembering();
    const elsewhere = await stores.reservation();
    const [{ id: first }, { id: tripId }, driverId] = [
      await stores.openTrip(),
      await stores.openTrip(),
      freshId(),
    ];
    await elsewhere.acceptTrip({ tripId: first, driverId, offerEpoch: 1 });
    const offer = { tripId, driverId, offerEpoch: 1 };
    expect(await trips.acceptTrip(offer)).toMatchObject({ kind: 'DRIVER_BUSY', activeTripId: first });
    await elsewhere.startTrip({ tripId: first, driverId });
    await elsewhere.completeTrip({ tripId: first, driverId });
    const won = await elsewhere.acceptTrip(offer);
    expect(won.kind).toBe('ACCEPTED');
    expect(await trips.acceptTrip(offer)).toEqual(won);
    expect(await trips.acceptTrip(offer)).toEqual(won);
  });

  test('if they were not listed', async () => {
    const { trips } = await remembering();
    const elsewhere = await stores.reservation();
    const [driverId = 0n, listed = 0n] = freshIds(2);
    const { id: tripId } = await stores.openTrip({ offeredTo: [listed] });
    const offer = { tripId, driverId, offerEpoch: 1 };
    expect(await trips.acceptTrip(offer)).toMatchObject({ kind: 'NOT_OFFERED', reason: 'NOT_LISTED' });
    await elsewhere.broadcastOffer({ tripId, epoch: 1, offeredTo: [driverId] });
    const won = await elsewhere.acceptTrip(offer);
    expect(won.kind).toBe('ACCEPTED');
    expect(await trips.acceptTrip(offer)).toEqual(won);
  });
});

describe('a driver who was refused before', () => {
  test('wins as soon as the reason is gone', async () => {
    const { trips } = await remembering();
    const [driverId = 0n, listed = 0n] = freshIds(2);
    const { id: tripId } = await stores.openTrip({ offeredTo: [listed] });
    const offer = { tripId, driverId, offerEpoch: 1 };
    expect((await trips.acceptTrip(offer)).kind).toBe('NOT_OFFERED');
    await stores.withoutRedis().broadcastOffer({ tripId, epoch: 1 });
    expect((await trips.acceptTrip(offer)).kind).toBe('ACCEPTED');
  });

  test.each([
    ['busy', 'DRIVER_BUSY', 1],
    ['not listed', 'NOT_OFFERED', 1],
    ['rejecting', 'NOT_OFFERED', 0],
  ])('takes no hold: %s', async (state, kind, readCount) => {
    const { trips, database, commands } = await remembering();
    const driverId = freshId();
    const { id: other } = await stores.openTrip();
    if (state === 'busy') await trips.acceptTrip({ tripId: other, driverId, offerEpoch: 1 });
    const offeredTo = state === 'not listed' ? { offeredTo: [freshId()] } : {};
    const { id: tripId } = await stores.openTrip(offeredTo);
    const offer = { tripId, driverId, offerEpoch: 1 };
    if (state === 'rejecting') await trips.rejectTrip(offer);
    expect((await trips.acceptTrip(offer)).kind).toBe(kind);
    // What it sends to Redis after an answer comes before this decision.
    const [{ id: last }, winner] = [await stores.openTrip(), freshId()];
    await trips.acceptTrip({ tripId: last, driverId: winner, offerEpoch: 1 });
    await until(async () => (await stores.redis.client.get(stores.gateKey(last))) === `${winner}:DECIDED`);
    database.names.length = 0;
    const sentCount = commands.length;
    const repeats = Array.from({ length: 10 }, () => trips.acceptTrip(offer));
    expect(new Set((await Promise.all(repeats)).map((answer) => answer.kind))).toEqual(new Set([kind]));
    expect(database.names).toEqual(Array.from({ length: readCount }, () => 'solegate_read_standing'));
    expect(commands.length).toBe(sentCount);
  });
});
