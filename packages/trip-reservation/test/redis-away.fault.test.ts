import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import {
  type FaultProxy,
  type RedisTestServer,
  race,
  startFaultProxy,
  startRedisServer,
  until,
  valuesOf,
} from '@solegate/testkit';
import type { AcceptRoundFacts, TripReservation } from '../src/index.js';
import { freshId, freshIds, Stores } from './stores.js';

let stores: Stores;
let server: RedisTestServer;
let proxy: FaultProxy;
let rounds: AcceptRoundFacts[];

beforeAll(async () => {
  stores = await Stores.open();
  server = await startRedisServer({ persistence: 'none' });
});

beforeEach(async () => {
  proxy = await startFaultProxy(server.url);
  rounds = [];
});

afterEach(async () => {
  await proxy.close();
});

afterAll(async () => {
  await stores[Symbol.asyncDispose]();
  await server.stop();
});

/** A process that has already used Redis, through the proxy. */
async function gateway(): Promise<TripReservation> {
  const redis = await stores.connectRedis(proxy.url);
  const trips = stores.withoutRedis({ redis, observer: { acceptRoundEnded: (facts) => rounds.push(facts) } });
  const { id: tripId } = await stores.openTrip();
  await trips.acceptTrip({ tripId, driverId: freshId(), offerEpoch: 1 });
  return trips;
}

async function compete(gateways: readonly TripReservation[], driverCount: number) {
  const { id: tripId } = await stores.openTrip();
  const drivers = freshIds(driverCount);
  const outcomes = valuesOf(
    await race(driverCount, async (index) => {
      const trips = gateways[index % gateways.length];
      if (!trips) throw new Error('no gateway');
      return trips.acceptTrip({ tripId, driverId: drivers[index] ?? 0n, offerEpoch: 1 });
    }),
  );
  return outcomes.map(({ kind }) => kind);
}

async function expectOneWinner(gateways: readonly TripReservation[], driverCount: number) {
  const answered = await compete(gateways, driverCount);
  expect(answered.filter((kind) => kind === 'ACCEPTED')).toHaveLength(1);
  expect(answered.filter((kind) => kind === 'TAKEN')).toHaveLength(driverCount - 1);
}

async function expectGateBackInUse(trips: TripReservation): Promise<void> {
  await until(
    async () => {
      const { id: tripId } = await stores.openTrip();
      await trips.acceptTrip({ tripId, driverId: freshId(), offerEpoch: 1 });
      return rounds.at(-1)?.gate === 'HELD';
    },
    { what: 'The gate being used again' },
  );
}

const FAULTS: Readonly<Record<string, { goAway(): Promise<void>; comeBack(): Promise<void> }>> = {
  'a black hole': { goAway: async () => proxy.set('blackHole'), comeBack: async () => proxy.set('pass') },
  'refusing connections': { goAway: async () => proxy.set('reset'), comeBack: async () => proxy.set('pass') },
  'slower than any patience': {
    goAway: async () => proxy.set({ delayMs: 2000 }),
    comeBack: async () => proxy.set('pass'),
  },
  stopped: { goAway: async () => server.pause(), comeBack: async () => server.resume() },
  dead: { goAway: () => server.kill(), comeBack: () => server.restart() },
};

describe.each(Object.entries(FAULTS))('while Redis is %s', (_state, { goAway, comeBack }) => {
  test('every call is answered, with one winner, and the gate is used again afterwards', async () => {
    const gateways = [await gateway(), await gateway(), await gateway()];
    await goAway();
    try {
      for (const trips of gateways) await expectOneWinner([trips], 1);
      for (const driverCount of [10, 100, 100, 1]) await expectOneWinner(gateways, driverCount);
      expect(rounds.at(-1)?.gate).toBe('SKIPPED');
    } finally {
      await comeBack();
    }
    for (const trips of gateways) await expectGateBackInUse(trips);
  });
});

test('a gate that may take longer than a call leaves it the time for its statement', async () => {
  const redis = await stores.connectPatiently(proxy.url);
  const trips = stores.withoutRedis({ redis, requestTimeoutMs: 1500, gateTimeoutMs: 4000 });
  const { id: tripId } = await stores.openTrip();
  proxy.set('blackHole');
  expect(await trips.acceptTrip({ tripId, driverId: freshId(), offerEpoch: 1 })).toMatchObject({
    kind: 'ACCEPTED',
  });
});

test('without Redis, one process still sends one statement for a crowd', async () => {
  const trips = stores.withoutRedis({ observer: { acceptRoundEnded: (facts) => rounds.push(facts) } });
  const answered = await compete([trips], 1000);
  expect(answered.filter((kind) => kind === 'ACCEPTED')).toHaveLength(1);
  expect(rounds).toHaveLength(1);
});

test('gateways with and without Redis compete for many trips and none is won twice', async () => {
  const gateways = [await gateway(), stores.withoutRedis(), await gateway(), stores.withoutRedis()];
  const tripIds = (await Promise.all(Array.from({ length: 50 }, () => stores.openTrip()))).map(
    ({ id }) => id,
  );
  const answered = valuesOf(
    await race(1000, async (index) => {
      const trips = gateways[index % 4];
      const tripId = tripIds[Math.floor(index / 20)] ?? 0n;
      return trips?.acceptTrip({ tripId, driverId: freshId(), offerEpoch: 1 });
    }),
  );
  const won = answered.flatMap((outcome) => (outcome?.kind === 'ACCEPTED' ? [outcome.tripId] : []));
  expect(won).toHaveLength(50);
  expect(new Set(won).size).toBe(50);
});
