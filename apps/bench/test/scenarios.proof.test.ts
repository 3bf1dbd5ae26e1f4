import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { holdCeiling } from '../src/ids/hold-ceiling.js';
import type * as MintTiming from '../src/ids/mint-timing.js';
import { measureFleet } from '../src/ids/run-ids.js';
import { runNodeLeases } from '../src/node-leases/run-node-leases.js';
import { runNumbers } from '../src/numbers/run-numbers.js';
import { type BenchStores, openStores } from '../src/running/stores.js';
import { runTrips } from '../src/trips/run-trips.js';
import { Child } from '../src/workers/child.js';
import { brokenRules, tinyContext, tinyContextOf, verifiedCount, withFreshNames } from './tiny-run.js';

let server: BenchStores;
let stores: BenchStores;

beforeAll(async () => {
  server = await openStores();
  stores = withFreshNames(server);
});

afterAll(async () => {
  await server[Symbol.asyncDispose]();
});

/** Plays a sabotage until a rule is broken: on an overloaded machine, two processes might never run at once. */
async function rulesBrokenBy(play: () => Promise<Parameters<typeof brokenRules>[0]>): Promise<string[]> {
  let broken: string[] = [];
  for (let count = 0; count < 5 && broken.length === 0; count += 1) broken = brokenRules(await play());
  return broken;
}

describe('numbers', () => {
  test('keep every rule, beside everything they are compared with', async () => {
    const experiments = await runNumbers(tinyContext(stores));
    expect(experiments.map(({ id }) => id)).toEqual(['numbers.hot.2x10', 'numbers.spread.2x10']);
    expect(verifiedCount(experiments)).toBeGreaterThan(20);
    expect(brokenRules(experiments)).toEqual([]);
    for (const { subject, repeats } of experiments.flatMap(({ measurements }) => measurements)) {
      expect([subject, (repeats[0]?.answeredCount ?? 0) > 0]).toEqual([subject, true]);
    }
  });

  test('keep every rule when half of the callers of one counter write a document, and when their WAL is counted', async () => {
    const experiments = await runNumbers(tinyContextOf(stores, 'numbers.w'));
    expect(experiments.map(({ id }) => id)).toEqual(['numbers.writer.1x100', 'numbers.wal.small']);
    expect(brokenRules(experiments)).toEqual([]);
    const [documents, wal] = experiments.map(({ measurements }) => measurements);
    const mixed = documents?.find(({ subject }) => subject === 'solegate, mixed callers');
    expect(mixed?.verifiedCount).toBeGreaterThan(1);
    const chained = documents?.find(({ subject }) => subject === 'solegate writer, chained');
    expect(chained?.verifiedCount).toBeGreaterThan(1);
    expect(wal?.[0]?.repeats[0]?.walBytesPerNumber).toBeGreaterThan(0);
    expect(wal?.[0]?.verifiedCount).toBe(60);
  });

  test('keep every rule through PgBouncer', async () => {
    const experiments = await runNumbers(tinyContextOf(stores, 'numbers.pooled', { quick: false }));
    expect(experiments.map(({ id }) => id)).toEqual(['numbers.pooled.1x1']);
    expect(brokenRules(experiments)).toEqual([]);
    expect(verifiedCount(experiments)).toBeGreaterThan(1);
  });

  test('are reported as broken when PostgreSQL forgets commits', async () => {
    // One shape of load only: callers of a counter that forgets wait for their time limit, ten seconds.
    const sabotage = new Set(['numbers']);
    // Every second commit is forgotten, and an overloaded machine might make only one in a shorter time.
    const overrides = { sabotage, durationMs: 2_000 };
    const play = () => runNumbers(tinyContextOf(stores, 'numbers.hot.1x100', overrides));
    expect(await rulesBrokenBy(play)).not.toEqual([]);
  });
});

describe('trips', () => {
  test('keep every rule, beside everything they are compared with', async () => {
    const experiments = await runTrips(tinyContext(stores));
    expect(experiments.map(({ id }) => id)).toEqual(['trips.1x20.p2']);
    expect(verifiedCount(experiments)).toBeGreaterThan(20);
    expect(brokenRules(experiments)).toEqual([]);
  });

  test('are reported as broken when PostgreSQL forgets commits', async () => {
    const play = () => runTrips(tinyContext(stores, { sabotage: new Set(['trips']) }));
    expect(await rulesBrokenBy(play)).not.toEqual([]);
  });
});

describe('node leases', () => {
  test('are distinct, in one round trip each', async () => {
    const experiments = await runNodeLeases(tinyContext(stores));
    expect(brokenRules(experiments)).toEqual([]);
    const claim = experiments.find(({ id }) => id === 'node-leases.claim');
    const [ours, original] = claim?.measurements ?? [];
    expect(ours?.repeats[0]?.roundTrips).toBe(1);
    expect(original?.repeats[0]?.roundTrips).toBe(1024);
  });

  test('are reported as duplicates when two halves of a fleet lease from separate pools', async () => {
    const play = () => runNodeLeases(tinyContext(stores, { sabotage: new Set(['node-leases']) }));
    expect(await rulesBrokenBy(play)).toContain('unique');
  });
});

describe('IDs', () => {
  test('of a fleet with leases are unique', async () => {
    const experiment = await measureFleet(tinyContext(stores));
    expect(verifiedCount([experiment])).toBe(200_000);
    expect(brokenRules([experiment])).toEqual([]);
  });

  test('are reported as duplicates when all processes of a fleet mint on one node', async () => {
    const play = async () => [await measureFleet(tinyContext(stores, { sabotage: new Set(['ids']) }))];
    expect(await rulesBrokenBy(play)).toContain('unique');
  });

  test.each(['mocked', 'real'] as const)('are timed in a process of their own, %s clock', async (clock) => {
    const timing = new URL('../dist/ids/mint-timing.js', import.meta.url);
    await using child = new Child<typeof MintTiming>(timing);
    const { nsPerId, repeatedCount, checkedCount } = await child.call(
      'timeCase',
      'bigint',
      'solegate next()',
      clock,
    );
    expect([nsPerId > 0, checkedCount > 0, repeatedCount]).toEqual([true, true, 0]);
  });

  test('fill what the layout allows, in order', () => {
    const { share, orderBreak } = holdCeiling('42/10/12', 200);
    expect(orderBreak).toBeUndefined();
    expect(share > 0 && share <= 1.1).toBe(true);
  });
});
