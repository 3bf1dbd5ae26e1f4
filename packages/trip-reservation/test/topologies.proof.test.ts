import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { RedisConnection } from '@solegate/redis-infra';
import { startRedisCluster, startSentinel, until } from '@solegate/testkit';
import type { AcceptRoundFacts, TripReservation, TripReservationOptions } from '../src/index.js';
import { freshId, PATIENT, Stores } from './stores.js';

let stores: Stores;

beforeAll(async () => {
  stores = await Stores.open();
});

afterAll(async () => {
  await stores[Symbol.asyncDispose]();
});

/** A gateway on that Redis, and its rounds and failures. */
async function openGateway(redis: RedisConnection, options: Partial<TripReservationOptions> = {}) {
  const rounds: AcceptRoundFacts[] = [];
  const failures: string[] = [];
  const trips = stores.withoutRedis({
    redis,
    ...options,
    observer: {
      acceptRoundEnded: (facts) => rounds.push(facts),
      gateFailed: (error) => failures.push(`${error.message} ${error.cause}`),
    },
  });
  /** Opens a trip for two drivers; resolves when both are answered. */
  const dispatch = async () => {
    expect(await competeOn(trips)).toEqual(['ACCEPTED', 'TAKEN']);
  };
  return { rounds, failures, dispatch };
}

/** Dispatches a new trip to two drivers; resolves with their answers, the winner first. */
async function competeOn(trips: TripReservation): Promise<string[]> {
  const { id: tripId } = await stores.openTrip();
  const accept = () => trips.acceptTrip({ tripId, driverId: freshId(), offerEpoch: 1 });
  const outcomes = await Promise.all([accept(), accept()]);
  return outcomes.map(({ kind }) => kind).toSorted();
}

/** Dispatches without a pause until the work is done, and twenty times more. */
async function dispatchDuring(dispatch: () => Promise<void>, work: Promise<unknown>): Promise<void> {
  let isDone = false;
  const watched = work.finally(() => {
    isDone = true;
  });
  while (!isDone) await dispatch();
  await watched;
  for (let count = 0; count < 20; count += 1) await dispatch();
}

/** Resolves once this many consecutive trips were held in Redis: a cluster connection can reconnect at any time. */
function allHeld({ rounds, dispatch }: Awaited<ReturnType<typeof openGateway>>, tripCount: number) {
  return until(async () => {
    rounds.length = 0;
    for (let count = 0; count < tripCount; count += 1) await dispatch();
    return rounds.every(({ gate }) => gate === 'HELD');
  });
}

describe('Sentinel', () => {
  test('accepts continue while the master dies, and use the new master afterwards', async () => {
    await using group = await startSentinel({ replicas: 1, sentinels: 3 });
    const { rounds, dispatch } = await openGateway(await stores.connectRedis(group.url));
    await until(async () => {
      await dispatch();
      return rounds.at(-1)?.gate === 'HELD';
    });
    await dispatchDuring(dispatch, group.killMaster());
    await until(async () => {
      await dispatch();
      return rounds.at(-1)?.gate === 'HELD';
    });
  });
});

describe('Cluster', () => {
  test('every offer finds its slot, and accepts continue while a master dies', async () => {
    await using group = await startRedisCluster({ masters: 3, replicasPerMaster: 1 });
    const patient = await openGateway(await stores.connectPatiently(group.url), PATIENT);
    await allHeld(patient, 50);
    const gateway = await openGateway(await stores.connectRedis(group.url));
    await dispatchDuring(gateway.dispatch, group.killMasterOf('trip_lock:1:1'));
    await allHeld(gateway, 10);
    const failures = [...patient.failures, ...gateway.failures];
    expect(failures.filter((failure) => failure.includes('CROSSSLOT'))).toEqual([]);
  });
});
