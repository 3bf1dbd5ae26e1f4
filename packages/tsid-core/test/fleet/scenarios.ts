import { setTimeout as pause } from 'node:timers/promises';
import type { TestRedis } from '@solegate/testkit';
import type { TsidLayout } from '../../src/index.js';
import {
  type Fleet,
  type FleetProcess,
  mintInTurns,
  ONE_NODE,
  ONE_SLOW_NODE,
  type ProcessOptions,
  renewingMeanwhile,
  startWhenFree,
  TWO_NODES,
} from './fleet.js';

/** A fault, written once and played with either kind of fleet. */
export interface Scenario {
  readonly name: string;
  readonly layout: TsidLayout;
  readonly play: (fleet: Fleet, redis: TestRedis['client']) => Promise<void>;
}

const clockShiftedBy = (ms: number) => () => Date.now() + ms;

/** Starts a process, or returns undefined if the fleet rejects its clock. */
async function startOrRefused(
  fleet: Fleet,
  name: string,
  options: ProcessOptions,
): Promise<FleetProcess | undefined> {
  try {
    return await fleet.start(name, options);
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'CLOCK_DIFFERENCE') return undefined;
    throw error;
  }
}

export const redisWiped: Scenario = {
  name: 'Redis is wiped while a holder lives, and another process starts',
  layout: TWO_NODES,
  async play(fleet, redis) {
    const living = await fleet.start('living');
    living.mint(2_000);
    await redis.flushdb();
    const newcomer = await renewingMeanwhile(living, fleet.start('newcomer'));
    await mintInTurns(living, newcomer);
  },
};

export const holderStopped: Scenario = {
  name: 'a holder sleeps past its window, another takes the node, the sleeper wakes up',
  layout: ONE_NODE,
  async play(fleet) {
    const sleeper = await fleet.start('sleeper');
    sleeper.mint(2_000);
    const successor = await startWhenFree(fleet, 'successor');
    await mintInTurns(sleeper, successor);
  },
};

export const lateRenewal: Scenario = {
  name: 'a renewal that was queued arrives after another process took the node',
  layout: ONE_NODE,
  async play(fleet) {
    // It was sent while the window lasted.
    const late = await fleet.start('late', { lease: { now: clockShiftedBy(-100) } });
    late.mint(2_000);
    const successor = await startWhenFree(fleet, 'successor');
    await late.renew();
    await mintInTurns(late, successor);
  },
};

export const clockBehind: Scenario = {
  name: 'a node is released and reused at once by a process whose clock is 100 ms behind',
  layout: ONE_NODE,
  async play(fleet) {
    const first = await fleet.start('first');
    await first.mintFor(150);
    await first.release();
    const second = await startWhenFree(fleet, 'second', { now: clockShiftedBy(-100) });
    await second.mintFor(150);
  },
};

export const crashAndClockFarBehind: Scenario = {
  name: 'a holder crashes and its node goes to a process whose clock is seconds behind',
  layout: ONE_NODE,
  async play(fleet) {
    const crashed = await fleet.start('crashed');
    const startedMs = Date.now();
    await crashed.mintFor(300);
    await startWhenFree(fleet, 'freed').then((freed) => freed.release());
    // Its clock reads what the crashed process's clock read at its start.
    const behind = await startOrRefused(fleet, 'behind', { now: clockShiftedBy(startedMs - Date.now()) });
    await behind?.mintFor(300);
  },
};

export const clockAhead: Scenario = {
  name: 'the clock of a holder is 140 ms ahead, and it releases its node to a process with a true clock',
  layout: ONE_NODE,
  async play(fleet) {
    const ahead = await fleet.start('ahead', { now: clockShiftedBy(140) });
    await ahead.mintFor(50);
    await ahead.release();
    const exact = await startWhenFree(fleet, 'exact');
    await exact.mintFor(250);
  },
};

export const burstAndReuse: Scenario = {
  name: 'a holder mints a burst ahead of its clock, releases, and the node is reused at once by true clocks',
  layout: ONE_SLOW_NODE,
  async play(fleet) {
    const overflow = { borrowMaxMs: 120 } as const;
    const first = await fleet.start('first', { overflow });
    first.mint(4_096 * 120);
    await first.release();
    const second = await startWhenFree(fleet, 'second', { overflow });
    second.mint(4_096 * 120);
  },
};

export const releasedAndReused: Scenario = {
  name: 'a node is released and reused 40 times in a row, several times a millisecond',
  layout: ONE_NODE,
  async play(fleet) {
    for (let turn = 0; turn < 40; turn++) {
      const holder = await startWhenFree(fleet, `holder ${turn}`);
      holder.mint(3_000);
      await holder.release();
    }
  },
};

export const clockSteps: Scenario = {
  name: 'the clock of a holder steps back by 1 ms to 1 h and forward again',
  layout: ONE_NODE,
  async play(fleet) {
    let shiftMs = 0;
    const holder = await fleet.start('holder', { now: () => Date.now() + shiftMs });
    for (const stepMs of [1, 10, 100, 1_000, 60_000, 3_600_000]) {
      holder.mint(20_000);
      shiftMs = -stepMs;
      holder.mint(20_000);
      shiftMs = 0;
      await pause(2);
      await holder.renew();
    }
    holder.mint(20_000);
  },
};

/** Scenarios that need only one Redis database. */
export const scenarios = [
  redisWiped,
  holderStopped,
  lateRenewal,
  clockBehind,
  crashAndClockFarBehind,
  clockAhead,
  burstAndReuse,
  releasedAndReused,
  clockSteps,
];
