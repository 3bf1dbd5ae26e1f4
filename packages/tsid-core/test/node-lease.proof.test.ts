import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { createTestRedis, type TestRedis } from '@solegate/testkit';
import type { NodeLease } from '../src/node-lease/index.js';
import { type Fleet, windowFleet } from './fleet/fleet.js';
import { MintLog } from './fleet/mint-log.js';
import { originalFleet } from './fleet/original-fleet.js';
import {
  burstAndReuse,
  clockSteps,
  holderStopped,
  lateRenewal,
  redisWiped,
  type Scenario,
  scenarios,
} from './fleet/scenarios.js';
import { type Weakening, weakenedRedis } from './fleet/weakened-redis.js';

let redis: TestRedis;
beforeEach(async () => {
  redis = await createTestRedis();
});
afterEach(() => redis.drop());

/** A play in which a busy machine minted fewer IDs proves little, so it is repeated. */
const ENOUGH = 90_000;

/** Plays the scenario and returns what was minted. */
async function playedWith(scenario: Scenario, fleet: Fleet): Promise<MintLog> {
  try {
    await scenario.play(fleet, redis.client);
  } finally {
    await fleet.stop();
  }
  return fleet.log;
}

/**
 * Plays the scenario until IDs are equal. Some overlaps last only 100 ms, and a busy machine may need that long to start the
 * next process, which proves nothing; so it is repeated.
 */
async function duplicatesWith(scenario: Scenario, fleetOf: () => Fleet): Promise<number> {
  for (let play = 0; play < 40; play++) {
    await redis.client.flushdb();
    const duplicateCount = (await playedWith(scenario, fleetOf())).duplicateCount();
    if (duplicateCount > 0) return duplicateCount;
  }
  return 0;
}

describe('the window lease', () => {
  test.each(scenarios)('mints no equal IDs and breaks no order when $name', async (scenario) => {
    let mintedCount = 0;
    for (let play = 0; play < 5 && mintedCount <= ENOUGH; play++) {
      await redis.client.flushdb();
      const log = await playedWith(
        scenario,
        windowFleet(new MintLog(), redis.client, { layout: scenario.layout }),
      );
      expect({ duplicates: log.duplicateCount(), orderBreaks: log.orderBreakCount() }).toEqual({
        duplicates: 0,
        orderBreaks: 0,
      });
      mintedCount = log.count;
    }
    expect(mintedCount).toBeGreaterThan(ENOUGH);
  });
});

describe('the plain lock of SET NX, TTL and refresh, as a control', () => {
  const safe: readonly Scenario[] = [clockSteps];
  test.each(scenarios.filter((scenario) => !safe.includes(scenario)))(
    'mints equal IDs when $name',
    async (scenario) => {
      const fleetOf = () => originalFleet(new MintLog(), redis.client, scenario.layout);
      expect(await duplicatesWith(scenario, fleetOf)).toBeGreaterThan(0);
    },
  );
});

describe('each guard matters: without it the lease mints equal IDs too', () => {
  const withoutGuard = async (scenario: Scenario, ...weakenings: readonly Weakening[]): Promise<number> => {
    const weakened = weakenedRedis(redis.client, ...weakenings);
    const count = await duplicatesWith(scenario, () =>
      windowFleet(new MintLog(), weakened.redis, { layout: scenario.layout }),
    );
    weakened.check();
    return count;
  };

  test('the quarantine, when Redis is wiped', async () => {
    expect(await withoutGuard(redisWiped, ['if isQuarantined then', 'if false then'])).toBeGreaterThan(0);
  });

  test('the carried floor, when a burst is released and reused', async () => {
    const guard = 'math.max(tonumber(floor), tonumber(ARGV[4]))';
    expect(await withoutGuard(burstAndReuse, [guard, 'tonumber(floor)'])).toBeGreaterThan(0);
  });

  test('the token, when a late renewal arrives', async () => {
    const guard = 'if grant and (lastLife == life or ceiling >= ownCeiling) and not isKnown then';
    const visible = 'if not isOurs then return lost';
    const without: Weakening[] = [
      [guard, 'if false then'],
      [visible, 'if false then return lost'],
    ];
    expect(await withoutGuard(lateRenewal, ...without)).toBeGreaterThan(0);
  });

  test('the ceiling in the mint path, when a holder slept past its window', async () => {
    const endless = (lease: NodeLease) => ({
      layout: lease.layout,
      namespace: lease.namespace,
      runAheadMaxMs: lease.runAheadMaxMs,
      attach: (user: Parameters<NodeLease['attach']>[0]) => lease.attach(user),
      window: () => {
        const window = lease.window();
        return typeof window === 'string' ? window : { ...window, ceilingMs: Number.MAX_SAFE_INTEGER };
      },
    });
    const fleetOf = () => windowFleet(new MintLog(), redis.client, { layout: holderStopped.layout }, endless);
    expect(await duplicatesWith(holderStopped, fleetOf)).toBeGreaterThan(0);
  });
});
