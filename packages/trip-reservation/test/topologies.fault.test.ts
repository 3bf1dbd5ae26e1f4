import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { startRedisCluster, startSentinel, until } from '@solegate/testkit';
import type { AcceptRoundFacts } from '../src/index.js';
import { type TimedCall, timeCall } from './stall-meter.js';
import { freshId, Stores } from './stores.js';

/** No call takes longer while a master dies and another takes over. */
const CALL_MAX_MS = 250;

let stores: Stores;

beforeAll(async () => {
  stores = await Stores.open();
});

afterAll(async () => {
  await stores[Symbol.asyncDispose]();
});

/** A gateway on that Redis, with what it went through. */
async function openGateway(url: string) {
  const rounds: AcceptRoundFacts[] = [];
  const failures: string[] = [];
  const redis = await stores.connectRedis(url);
  const trips = stores.withoutRedis({
    redis,
    observer: {
      acceptRoundEnded: (facts) => rounds.push(facts),
      gateFailed: (error) => failures.push(`${error.message} ${error.cause}`),
    },
  });
  /** A new trip and two drivers; resolves when both are answered. */
  const dispatch = async () => {
    const { id: tripId } = await stores.openTrip();
    const accept = () => trips.acceptTrip({ tripId, driverId: freshId(), offerEpoch: 1 });
    const call = await timeCall(() => Promise.all([accept(), accept()]));
    const kinds = call.value.map(({ kind }) => kind);
    expect([...kinds].sort()).toEqual(['ACCEPTED', 'TAKEN']);
    return call;
  };
  return { rounds, failures, dispatch };
}

/** Dispatches without a pause until the work is done, and twenty times more. */
async function dispatchDuring(
  dispatch: () => Promise<TimedCall<unknown>>,
  work: Promise<unknown>,
): Promise<number[]> {
  const times: number[] = [];
  let isDone = false;
  const watched = work.finally(() => {
    isDone = true;
  });
  while (!isDone) times.push((await dispatch()).elapsedMs);
  await watched;
  for (let count = 0; count < 20; count += 1) times.push((await dispatch()).elapsedMs);
  return times;
}

describe('Sentinel', () => {
  test('accepts go on while the master dies, and use the new master afterwards', async () => {
    await using group = await startSentinel({ replicas: 1, sentinels: 3 });
    const { rounds, dispatch } = await openGateway(group.url);
    await dispatch();
    expect(rounds.at(-1)?.gate).toBe('HELD');
    const times = await dispatchDuring(dispatch, group.killMaster());
    expect(Math.max(...times)).toBeLessThanOrEqual(CALL_MAX_MS);
    await until(async () => {
      await dispatch();
      return rounds.at(-1)?.gate === 'HELD';
    });
  }, 60_000);
});

describe('Cluster', () => {
  test('every offer finds its slot, and accepts go on while a master dies', async () => {
    await using group = await startRedisCluster({ masters: 3, replicasPerMaster: 1 });
    const { rounds, failures, dispatch } = await openGateway(group.url);
    for (let count = 0; count < 50; count += 1) await dispatch();
    expect(new Set(rounds.map(({ gate }) => gate))).toEqual(new Set(['HELD']));
    expect(failures).toEqual([]);
    const times = await dispatchDuring(dispatch, group.killMasterOf('trip_lock:1:1'));
    expect(Math.max(...times)).toBeLessThanOrEqual(CALL_MAX_MS);
    await until(
      async () => {
        rounds.length = 0;
        for (let count = 0; count < 10; count += 1) await dispatch();
        return rounds.every(({ gate }) => gate === 'HELD');
      },
      { timeoutMs: 20_000 },
    );
    expect(failures.filter((failure) => failure.includes('CROSSSLOT'))).toEqual([]);
  }, 90_000);
});
