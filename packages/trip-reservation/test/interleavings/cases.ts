import { startFaultProxy, until } from '@solegate/testkit';
import { type Flow, freshId } from './flow.js';

/** The stores and faults of a case. */
export interface Stage {
  readonly redisUrl: string;
  readonly databaseUrl: string;
  /** Kills Redis and restarts it empty; resolves when it responds. */
  loseRedisData(): Promise<void>;
}

/** Runs one interleaving step by step and returns the violations. */
export type Case = (flow: Flow, stage: Stage) => Promise<string[]>;

/** A call that takes longer counts as hanging; no promise allows more than 250 ms. */
const HANGS_MS = 1500;

/** A dead process may block a trip for 0.8 s; the rest is an allowance for a busy machine. */
const DEAD_TIME_MAX_MS = 1600;

function expectOneYes(answered: Record<string, string>): string[] {
  const yes = Object.keys(answered).filter((driver) => answered[driver] === 'ACCEPTED');
  return yes.length === 1 ? [] : [`${yes.length} drivers were answered yes: ${JSON.stringify(answered)}`];
}

function expectEqual(what: string, actual: unknown, expected: unknown): string[] {
  return actual === expected ? [] : [`${what}: ${actual}, not ${expected}`];
}

async function isSlow(call: Promise<unknown>, boundMs: number): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const slow = new Promise<true>((resolve) => {
    timer = setTimeout(() => resolve(true), boundMs);
  });
  try {
    return await Promise.race([call.then(() => false), slow]);
  } finally {
    clearTimeout(timer);
  }
}

export const CASES: Readonly<Record<string, Case>> = {
  'F1 a late driver arrives after the key has expired': async (flow) => {
    const [tripId, d1, d2] = [await flow.openTrip(), freshId(), freshId()];
    const gateway = await flow.gateway();
    const other = await flow.gateway();
    const first = await gateway.accept(tripId, d1);
    await flow.holdRunsOut(tripId);
    const second = await other.accept(tripId, d2);
    const { driverId } = await flow.stored(tripId);
    return [...expectOneYes({ first, second }), ...expectEqual('stored driver', driverId, d1)];
  },

  'F2 the winner is paused past the life of their key': async (flow) => {
    const [tripId, d1, d2] = [await flow.openTrip(), freshId(), freshId()];
    const sleeper = await flow.gateway();
    const other = await flow.gateway();
    const stop = sleeper.stopBeforeDecision();
    const firstAnswer = sleeper.accept(tripId, d1);
    await stop.reached;
    await flow.holdRunsOut(tripId);
    const second = await other.accept(tripId, d2);
    stop.resume();
    const first = await firstAnswer;
    const { driverId } = await flow.stored(tripId);
    return [...expectOneYes({ first, second }), ...expectEqual('stored driver', driverId, d2)];
  },

  'F3 a failed process removes a key that is not its own': async (flow) => {
    const [tripId, d1, d2, d3] = [await flow.openTrip(), freshId(), freshId(), freshId()];
    const failing = await flow.gateway();
    const slow = await flow.gateway();
    const third = await flow.gateway();
    const failingStop = failing.stopBeforeDecision();
    const firstAnswer = failing.accept(tripId, d1);
    await failingStop.reached;
    await flow.holdRunsOut(tripId);
    const slowStop = slow.stopBeforeDecision();
    const secondAnswer = slow.accept(tripId, d2);
    await slowStop.reached;
    failing.failNextDecision();
    failingStop.resume();
    const first = await firstAnswer;
    const last = await third.accept(tripId, d3);
    slowStop.resume();
    return expectOneYes({ first, second: await secondAnswer, last });
  },

  'F4 Redis dies and restarts without the key': async (flow, stage) => {
    const [tripId, d1, d2] = [await flow.openTrip(), freshId(), freshId()];
    const first = await (await flow.gateway()).accept(tripId, d1);
    await stage.loseRedisData();
    const second = await (await flow.gateway()).accept(tripId, d2);
    return expectOneYes({ first, second });
  },

  'F5 the winner dies between gate and decision': async (flow) => {
    const [tripId, d1, d2] = [await flow.openTrip(), freshId(), freshId()];
    const dying = await flow.gateway();
    const other = await flow.gateway();
    const stop = dying.stopBeforeDecision();
    const lost = dying.accept(tripId, d1);
    await stop.reached;
    const diedAt = performance.now();
    const isReplaced = until(async () => (await other.accept(tripId, d2)) === 'ACCEPTED', {
      timeoutMs: DEAD_TIME_MAX_MS,
    });
    const violations = await isReplaced.then(
      () => [],
      () => [`nobody could have the trip for ${Math.round(performance.now() - diedAt)} ms`],
    );
    stop.resume();
    await lost;
    return violations;
  },

  'F6 one driver accepts two trips at once': async (flow) => {
    const [tripA, tripB, driver] = [await flow.openTrip(), await flow.openTrip(), freshId()];
    const [gatewayA, gatewayB] = [await flow.gateway(), await flow.gateway()];
    const answered = await Promise.all([gatewayA.accept(tripA, driver), gatewayB.accept(tripB, driver)]);
    return [
      ...expectOneYes({ tripA: answered[0], tripB: answered[1] }),
      ...expectEqual('active trips', await flow.activeTripCount(driver), 1),
    ];
  },

  'F6b one driver accepts a second trip after all keys have expired': async (flow) => {
    const [tripA, tripB, driver] = [await flow.openTrip(), await flow.openTrip(), freshId()];
    const gateway = await flow.gateway();
    const first = await gateway.accept(tripA, driver);
    await flow.holdRunsOut(tripA);
    const second = await gateway.accept(tripB, driver);
    return [
      ...expectOneYes({ first, second }),
      ...expectEqual('active trips', await flow.activeTripCount(driver), 1),
    ];
  },

  'F7 the winner retries because the answer was lost': async (flow) => {
    const [tripId, driver] = [await flow.openTrip(), freshId()];
    await (await flow.gateway()).accept(tripId, driver);
    return expectEqual('answer to a repeat', await (await flow.gateway()).accept(tripId, driver), 'ACCEPTED');
  },

  'F8 the rider cancels between gate and decision': async (flow) => {
    const [tripId, driver] = [await flow.openTrip(), freshId()];
    const gateway = await flow.gateway();
    const stop = gateway.stopBeforeDecision();
    const answer = gateway.accept(tripId, driver);
    await stop.reached;
    await flow.cancelByRider(tripId);
    stop.resume();
    const answered = await answer;
    const { status } = await flow.stored(tripId);
    return [...expectEqual('answer', answered, 'NOT_OPEN'), ...expectEqual('status', status, 'CANCELLED')];
  },

  'F9 one process uses Redis and one does not': async (flow) => {
    const [tripId, d1, d2] = [await flow.openTrip(), freshId(), freshId()];
    const byRedis = await flow.gateway();
    const direct = await flow.gateway({ withoutRedis: true });
    const stop = byRedis.stopBeforeDecision();
    const firstAnswer = byRedis.accept(tripId, d1);
    await stop.reached;
    const second = await direct.accept(tripId, d2);
    stop.resume();
    return expectOneYes({ first: await firstAnswer, second });
  },

  'F10 a stale accept arrives in the next dispatch round': async (flow) => {
    const [tripId, d1, d2] = [await flow.openTrip(), freshId(), freshId()];
    const sleeper = await flow.gateway();
    const direct = await flow.gateway({ withoutRedis: true });
    const stop = sleeper.stopBeforeDecision();
    const staleAnswer = sleeper.accept(tripId, d1);
    await stop.reached;
    await direct.accept(tripId, d2);
    await flow.redispatch(tripId, d2);
    stop.resume();
    const answered = await staleAnswer;
    const { status } = await flow.stored(tripId);
    return [...expectEqual('answer', answered, 'STALE_OFFER'), ...expectEqual('status', status, 'FINDING')];
  },

  'F12 Redis is emptied before the next dispatch round': async (flow, stage) => {
    const [tripId, d1, d2] = [await flow.openTrip(), freshId(), freshId()];
    await (await flow.gateway()).accept(tripId, d1);
    await stage.loseRedisData();
    const epoch = await flow.redispatch(tripId, d1);
    const answered = await (await flow.gateway()).accept(tripId, d2, epoch);
    return expectEqual('answer in the next round', answered, 'ACCEPTED');
  },

  'E1 the reply of the gate is lost': async (flow, stage) => {
    await using proxy = await startFaultProxy(stage.redisUrl);
    const [tripId, driver] = [await flow.openTrip(), freshId()];
    const gateway = await flow.gateway({ redisUrl: proxy.url });
    // One accept first, so that the script is loaded and the lost reply is the gate's.
    await gateway.accept(await flow.openTrip(), freshId());
    proxy.set('cutAfterReply', { count: 1, matching: new RegExp(`trip_lock:\\w*:?${tripId}\\b`) });
    return expectEqual('answer', await gateway.accept(tripId, driver), 'ACCEPTED');
  },

  'E9 Redis is a black hole': async (flow, stage) => {
    await using proxy = await startFaultProxy(stage.redisUrl);
    const [tripId, driver] = [await flow.openTrip(), freshId()];
    const gateway = await flow.gateway({ redisUrl: proxy.url });
    proxy.set('blackHole');
    const answer = gateway.accept(tripId, driver);
    const hangs = await isSlow(answer, HANGS_MS);
    proxy.set('pass');
    return [...expectEqual('hangs', hangs, false), ...expectEqual('answer', await answer, 'ACCEPTED')];
  },

  'E11 the reply of the commit is lost': async (flow, stage) => {
    await using proxy = await startFaultProxy(stage.databaseUrl);
    const [tripId, driver] = [await flow.openTrip(), freshId()];
    const gateway = await flow.gateway({ databaseUrl: proxy.url });
    await gateway.accept(await flow.openTrip(), freshId());
    proxy.set('cutAfterReply', { count: 1, matching: String(driver) });
    const answered = await gateway.accept(tripId, driver);
    const { driverId } = await flow.stored(tripId);
    return [
      ...expectEqual('answer', answered, 'ACCEPTED'),
      ...expectEqual('stored driver', driverId, driver),
    ];
  },
};
