import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { createTestRedis, type TestRedis } from '@solegate/testkit';
import { TSID_42_10_12 } from '../src/index.js';
import { leaseNode, type NodeLeaseEvent, type NodeLeaseOptions } from '../src/node-lease/index.js';
import { type LeasedProcess, mintingMeanwhile, windowFleet } from './fleet/fleet.js';
import { MintLog } from './fleet/mint-log.js';

/* Changes while a fleet mints: other windows, and processes with wrong settings. */

let redis: TestRedis;
let log: MintLog;
let events: NodeLeaseEvent[];
beforeEach(async () => {
  redis = await createTestRedis();
  log = new MintLog();
  events = [];
});
afterEach(() => redis.drop());

const fleetOf = (settings: Partial<NodeLeaseOptions> = {}) =>
  windowFleet(log, redis.client, {
    layout: TSID_42_10_12,
    automatic: true,
    observer: (event) => events.push(event),
    ...settings,
  });
const setbacks = () =>
  events.filter(({ kind }) => ['LOST', 'RENEWAL_FAILED', 'CLAIM_FAILED', 'QUARANTINED'].includes(kind));
const verdict = () => ({ duplicates: log.duplicateCount(), orderBreaks: log.orderBreakCount() });
const clean = { duplicates: 0, orderBreaks: 0 };

test('a fleet of five doubles its windows one process at a time: none stops, no IDs are equal', async () => {
  const fleet = fleetOf();
  const members: LeasedProcess[] = [];
  for (let member = 0; member < 5; member++) members.push(await fleet.start(`0-${member}`));
  const declared = { quarantineMs: 2_100 };
  const doubled = { windowMs: 1_800, skewMaxMs: 300 };
  for (const [stage, lease] of [declared, { ...declared, ...doubled }, doubled].entries()) {
    for (let member = 0; member < 5; member++) {
      await members[member]?.release();
      members[member] = await mintingMeanwhile(
        members.filter((_, index) => index !== member),
        fleet.start(`${stage + 1}-${member}`, { lease }),
      );
    }
  }
  await mintingMeanwhile(members, pause(700));
  expect(setbacks()).toEqual([]);
  expect(members.map((member) => member.refusedCount())).toEqual([0, 0, 0, 0, 0]);
  await fleet.stop();
  expect(verdict()).toEqual(clean);
});

test('misconfigured starters do no harm, before and after a wipe', async () => {
  const fleet = fleetOf();
  const members = [await fleet.start('first'), await fleet.start('second')];
  const wrong: Partial<NodeLeaseOptions>[] = [
    { windowMs: 60_000 },
    { windowMs: 300 },
    { layout: { ...TSID_42_10_12, name: '41/10/13' } },
    { layout: { ...TSID_42_10_12, epochMs: 1 } },
    { allocatorId: 'another' },
    { now: () => Date.now() + 3_600_000 },
  ];
  for (const harm of [async () => 'none', () => redis.client.flushdb()]) {
    await harm();
    const all = wrong.map((options) =>
      leaseNode({ redis: redis.client, waitMaxMs: 0, automatic: false, ...options }).then(
        (lease) => lease.release(),
        ({ code }) =>
          expect(['LEASE_PIN_MISMATCH', 'NODE_LEASE_QUARANTINED', 'CLOCK_DIFFERENCE']).toContain(code),
      ),
    );
    await mintingMeanwhile(members, Promise.all(all));
    await mintingMeanwhile(members, pause(1_200));
  }
  expect(setbacks()).toEqual([]);
  expect(members.map((member) => member.refusedCount())).toEqual([0, 0]);
  await fleet.stop();
  expect(verdict()).toEqual(clean);
});
