import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { until } from '@solegate/testkit';
import type { AcceptOutcome, AcceptRoundFacts, TripReservationOptions } from '../src/index.js';
import { CountingPool, freshId, freshIds, Stores } from './stores.js';

let stores: Stores;

beforeAll(async () => {
  stores = await Stores.open();
});

afterAll(async () => {
  await stores[Symbol.asyncDispose]();
});

/** A process that has met no other at the gate for ten seconds, and what it does. */
async function lonely(options: Partial<TripReservationOptions> = {}) {
  let passedMs = 0;
  const database = new CountingPool(stores.database.pool);
  const rounds: AcceptRoundFacts[] = [];
  const redis = await stores.connectPatiently();
  const trips = await stores.reservation({
    database,
    redis,
    clock: { now: () => performance.now() + passedMs },
    observer: { acceptRoundEnded: (facts) => rounds.push(facts) },
    ...options,
  });
  passedMs = 10_000;
  return { trips, database, rounds, redis };
}

/** How many commands the connection sends from now on. */
function commandsOf(redis: { sendCommand: (...args: never[]) => unknown }): () => number {
  let count = 0;
  const original = redis.sendCommand.bind(redis);
  redis.sendCommand = (...args) => {
    count += 1;
    return original(...args);
  };
  return () => count;
}

const elsewhere = (tripId: bigint) =>
  stores.redis.client.set(stores.gateKey(tripId), `${freshId()}:elsewhere`, 'PX', 60_000);

describe('a process that is alone at the gate', () => {
  test('asks the row without waiting for the gate, so a hold that nobody uses delays no one', async () => {
    const { trips, rounds } = await lonely();
    const { id: tripId } = await stores.openTrip();
    await elsewhere(tripId);
    expect((await trips.acceptTrip({ tripId, driverId: freshId(), offerEpoch: 1 })).kind).toBe('ACCEPTED');
    await trips.close();
    expect(rounds[0]?.gate).toBe('REFUSED');
  });

  test('asks the gate first again once it met another process there', async () => {
    const { trips, rounds } = await lonely();
    const [first, second] = [await stores.openTrip(), await stores.openTrip()];
    for (const { id } of [first, second]) await elsewhere(id);
    const ask = (tripId: bigint) => trips.acceptTrip({ tripId, driverId: freshId(), offerEpoch: 1 });
    expect((await ask(first.id)).kind).toBe('ACCEPTED');
    await until(() => rounds.length === 1);
    expect((await ask(second.id)).kind).toBe('UNDECIDED');
  });

  test('shows its decision to others, and its next drivers take over its hold', async () => {
    const { trips } = await lonely();
    const [busy = 0n, free = 0n] = freshIds(2);
    const { id: other } = await stores.openTrip();
    await trips.acceptTrip({ tripId: other, driverId: busy, offerEpoch: 1 });
    const { id: tripId } = await stores.openTrip();
    const answers = await Promise.all(
      [busy, free].map((driverId) => trips.acceptTrip({ tripId, driverId, offerEpoch: 1 })),
    );
    expect(answers.map(({ kind }) => kind)).toEqual(['DRIVER_BUSY', 'ACCEPTED']);
    await until(async () => (await stores.redis.client.get(stores.gateKey(tripId))) === `${free}:DECIDED`);
  });

  test.each([1, 100])(
    'costs at most 1.3 statements and 3 Redis calls a trip with %i drivers',
    async (driverCount) => {
      const { trips, database, redis } = await lonely();
      const open = await Promise.all(Array.from({ length: 20 }, () => stores.openTrip()));
      await trips.acceptTrip({ tripId: (await stores.openTrip()).id, driverId: freshId(), offerEpoch: 1 });
      database.names.length = 0;
      const commandCount = commandsOf(redis as never);
      for (const { id: tripId } of open) {
        await Promise.all(
          freshIds(driverCount).map((driverId) => trips.acceptTrip({ tripId, driverId, offerEpoch: 1 })),
        );
      }
      await trips.close();
      expect(database.names.length / open.length).toBeLessThanOrEqual(1.3);
      expect(commandCount() / open.length).toBeLessThanOrEqual(3);
    },
  );
});

describe('with patienceMs: 0', () => {
  test('drivers behind another process hear UNDECIDED without another look at the gate', async () => {
    const redis = await stores.connectPatiently();
    const trips = await stores.reservation({ redis, patienceMs: 0 });
    await trips.acceptTrip({ tripId: (await stores.openTrip()).id, driverId: freshId(), offerEpoch: 1 });
    const { id: tripId } = await stores.openTrip();
    await elsewhere(tripId);
    const commandCount = commandsOf(redis as never);
    const answer = await trips.acceptTrip({ tripId, driverId: freshId(), offerEpoch: 1 });
    expect(answer).toMatchObject({ kind: 'UNDECIDED', afterRevision: 1 });
    expect(commandCount()).toBe(1);
  });
});

describe('a driver who accepts in any turn around the end of a round', () => {
  /** The answer to a driver who accepts so many microtasks after `before`. */
  async function answerAfter(before: Promise<unknown>, turns: number, accept: () => Promise<AcceptOutcome>) {
    await before;
    for (let turn = 0; turn < turns; turn += 1) await Promise.resolve();
    return (await accept()).kind;
  }

  const turns = Array.from({ length: 20 }, (_, turn) => turn);

  test('gets the same answer again if it is the winner', async () => {
    for (const turn of turns) {
      const [{ id: tripId }, driverId] = [await stores.openTrip(), freshId()];
      let decided: () => void = () => undefined;
      const decision = new Promise<void>((resolve) => {
        decided = resolve;
      });
      const trips = stores.withoutRedis({ observer: { decisionEnded: () => decided() } });
      const accept = () => trips.acceptTrip({ tripId, driverId, offerEpoch: 1 });
      const [first, again] = await Promise.all([accept(), answerAfter(decision, turn, accept)]);
      expect([first.kind, again]).toEqual(['ACCEPTED', 'ACCEPTED']);
    }
  });

  test('wins after a busy driver, who is answered together with the winner of another trip', async () => {
    const trips = stores.withoutRedis();
    const busy = freshId();
    const accept = (tripId: bigint, driverId = freshId()) =>
      trips.acceptTrip({ tripId, driverId, offerEpoch: 1 });
    await accept((await stores.openTrip()).id, busy);
    for (const turn of turns) {
      const [{ id: other }, { id: tripId }] = [await stores.openTrip(), await stores.openTrip()];
      const [otherAnswer, refused] = [accept(other), accept(tripId, busy)];
      expect(await answerAfter(otherAnswer, turn, () => accept(tripId))).toBe('ACCEPTED');
      expect((await refused).kind).toBe('DRIVER_BUSY');
    }
  });
});
