import { afterEach, describe, expect, test } from '@jest/globals';
import { manualClock } from '@solegate/testkit';
import fc from 'fast-check';
import {
  createTsidGenerator,
  explain,
  type LeasedNodeOptions,
  type NodeWindow,
  type Overflow,
  type StaticNodeOptions,
  TSID_42_10_12,
  type TsidGenerator,
} from '../src/index.js';
import { ManualSource } from './fleet/manual-source.js';

/* What decides which timestamp and which sequence an ID gets: the window, the start of a millisecond, the last reading. */

const START_MS = Date.UTC(2026, 0, 1);
const realNow = Date.now;
let namespaceCount = 0;
const open: TsidGenerator[] = [];
afterEach(() => {
  for (const generator of open.splice(0)) generator.close();
  Date.now = realNow;
});

function generatorOf(
  options: Partial<StaticNodeOptions> | (Partial<LeasedNodeOptions> & { lease: ManualSource }),
) {
  const node = 'lease' in options ? {} : { node: 3 };
  const generator = createTsidGenerator({
    namespace: `mint path ${namespaceCount++}`,
    ...node,
    ...options,
  } as StaticNodeOptions);
  open.push(generator);
  return generator;
}

const sourceOf = (window: NodeWindow) => new ManualSource(`mint path ${namespaceCount++}`, window);
const ended = expect.objectContaining({ code: 'NODE_UNAVAILABLE', reason: 'ENDED' });

describe('a window', () => {
  test('ends right below its ceiling, where the one of the next holder begins', () => {
    const clock = manualClock(START_MS);
    const ceilingMs = START_MS + 2;
    const before = generatorOf({
      lease: sourceOf({ node: 1, floorMs: START_MS, ceilingMs }),
      now: clock.now,
    });
    const after = generatorOf({
      lease: sourceOf({ node: 1, floorMs: ceilingMs, ceilingMs: ceilingMs + 9 }),
      now: clock.now,
    });
    clock.advance(1);
    expect(explain(before.next()).timeMs).toBe(ceilingMs - 1);
    clock.advance(1);
    expect(() => before.next()).toThrow(ended);
    expect(explain(after.next()).timeMs).toBe(ceilingMs);
  });

  test('need not exist when the generator is created, and is requested with the first ID', () => {
    const clock = manualClock(START_MS);
    const lease = sourceOf({ node: 1, floorMs: START_MS, ceilingMs: START_MS + 9 });
    lease.change('LOST');
    const generator = generatorOf({ lease, now: clock.now });
    expect(lease.user?.lastMintedMs()).toBeUndefined();
    expect(() => generator.next()).toThrow(expect.objectContaining({ reason: 'LOST' }));
    lease.change({ node: 4, floorMs: START_MS, ceilingMs: START_MS + 9 });
    expect(explain(generator.next()).node).toBe(4);
    expect(lease.user?.lastMintedMs()).toBe(START_MS);
  });

  test('may begin with the first millisecond of the layout', () => {
    const generator = generatorOf({ now: () => TSID_42_10_12.epochMs });
    expect(explain(generator.next())).toMatchObject({ timeMs: TSID_42_10_12.epochMs, sequence: 0 });
  });

  test('is not exceeded by borrowing', () => {
    const clock = manualClock(START_MS);
    const lease = sourceOf({ node: 1, floorMs: START_MS, ceilingMs: START_MS + 3 });
    const generator = generatorOf({
      lease,
      now: clock.now,
      overflow: { borrowMaxMs: 500 },
      randomStart: false,
    });
    const ids = generator.fill(new BigUint64Array(4_096 * 3));
    expect(explain(ids.at(-1) ?? 0n).timeMs).toBe(START_MS + 2);
    expect(() => generator.next()).toThrow(ended);
  });

  test('on a smaller node begins above the last millisecond minted on another one', () => {
    const clock = manualClock(START_MS + 5);
    const lease = sourceOf({ node: 5, floorMs: START_MS, ceilingMs: START_MS + 100 });
    const generator = generatorOf({ lease, now: clock.now });
    const before = generator.next();
    lease.change({ node: 3, floorMs: START_MS, ceilingMs: START_MS + 100 });
    expect(() => generator.next()).toThrow(expect.objectContaining({ code: 'CLOCK_STALLED' }));
    clock.advance(1);
    const after = generator.next();
    expect(explain(after)).toMatchObject({ node: 3, timeMs: START_MS + 6 });
    expect(after).toBeGreaterThan(before);
  });

  test('begins at its floor, which a slower clock waits for', () => {
    const clock = manualClock(START_MS);
    let reads = 0;
    const walking = () => {
      if (++reads % 50 === 0) clock.advance(1);
      return clock.now();
    };
    const lease = sourceOf({ node: 1, floorMs: START_MS + 20, ceilingMs: START_MS + 100 });
    expect(explain(generatorOf({ lease, now: walking }).next()).timeMs).toBe(START_MS + 20);
  });
});

test('fill writes one ID per element, however many milliseconds it spans', () => {
  const clock = manualClock(START_MS);
  let reads = 0;
  const walking = () => {
    if (++reads % 50 === 0) clock.advance(1);
    return clock.now();
  };
  const generator = generatorOf({ now: walking, randomStart: false });
  const ids = generator.fill(new BigUint64Array(4_096 + 10));
  expect(generator.next() - (ids.at(-1) ?? 0n)).toBe(1n);
});

describe('a millisecond', () => {
  test('begins at random, or at 0 after an exhausted one, so that the full rate is reached', () => {
    const clock = manualClock(START_MS);
    let reads = 0;
    const walking = () => {
      if (++reads % 20_000 === 0) clock.advance(1);
      return clock.now();
    };
    const heard: number[] = [];
    const overflowed = ({ timeMs }: Overflow) => heard.push(timeMs);
    const generator = generatorOf({ now: walking, random: () => 1_000, observer: { overflowed } });
    const perMs = new Map<number, number>();
    const firsts = new Map<number, number>();
    for (let count = 0; count < 20_000; count++) {
      const { timeMs, sequence } = explain(generator.next());
      perMs.set(timeMs, (perMs.get(timeMs) ?? 0) + 1);
      if (!firsts.has(timeMs)) firsts.set(timeMs, sequence);
    }
    expect([...perMs.values()].slice(0, 4)).toEqual([3_096, 4_096, 4_096, 4_096]);
    expect([...firsts.values()]).toEqual([1_000, 0, 0, 0, 0, 0]);
    expect(generator.overflowCount).toBe(5);
    expect(heard).toEqual([0, 1, 2, 3, 4].map((ms) => START_MS + ms));
  });

  test('begins at 0 also when the one before was exhausted without a waiting caller', () => {
    const clock = manualClock(START_MS);
    const generator = generatorOf({ now: clock.now, random: () => 7 });
    generator.fill(new BigUint64Array(4_089));
    clock.advance(1);
    expect(explain(generator.next()).sequence).toBe(0);
    clock.advance(1);
    expect(explain(generator.next()).sequence).toBe(7);
    expect(generator.overflowCount).toBe(0);
  });

  test('gives low bits that are even over 1,024 shards at 500 IDs a second', () => {
    const chiSquare = (options: Partial<StaticNodeOptions>) => {
      const clock = manualClock(START_MS);
      const generator = generatorOf({ now: clock.now, ...options });
      const counts = Array.from({ length: 1_024 }, () => 0);
      for (let count = 0; count < 10_000; count++) {
        clock.advance(2);
        const shard = Number(generator.next() % 1_024n);
        counts[shard] = (counts[shard] ?? 0) + 1;
      }
      const expected = 10_000 / 1_024;
      return counts.reduce((sum, count) => sum + (count - expected) ** 2 / expected, 0);
    };
    // 1,023 degrees of freedom: 1,168 is reached by chance once in a thousand runs, 1,300 once in a hundred million.
    let state = 0x9e3779b9;
    const seeded = (below: number) => {
      state = (Math.imul(state ^ (state >>> 15), 0x2c1b3c6d) + 0x6d2b79f5) | 0;
      return ((state ^ (state >>> 13)) >>> 0) % below;
    };
    expect(chiSquare({ random: seeded })).toBeLessThan(1_168);
    expect(chiSquare({})).toBeLessThan(1_300);
    expect(chiSquare({ randomStart: false })).toBeGreaterThan(1_000_000);
  });
});

/** The default clock. */
function mockedNow(startMs = START_MS) {
  const clock = manualClock(startMs);
  let reads = 0;
  Date.now = () => {
    reads++;
    return clock.now();
  };
  return { ...clock, readCount: () => reads };
}

describe('one reading of the clock', () => {
  test('is enough for sixteen IDs of a synchronous run', () => {
    const clock = mockedNow();
    const generator = generatorOf({ randomStart: false });
    for (let count = 0; count < 1_608; count++) generator.next();
    expect(clock.readCount()).toBeLessThan(120);
    expect(explain(generator.next()).sequence).toBe(1_608);
  });

  test('does not outlive the synchronous code that it was made in', async () => {
    const clock = mockedNow();
    const generator = generatorOf({});
    for (let count = 0; count < 100; count++) generator.next();
    clock.advance(5_000);
    await Promise.resolve();
    expect(explain(generator.next()).timeMs).toBe(clock.now());
  });

  test('is made for every ID if calls are not in a run, or if the clock was passed in', async () => {
    const clock = mockedNow();
    const generator = generatorOf({});
    for (let count = 0; count < 100; count++) {
      generator.next();
      await Promise.resolve();
    }
    // One attempt in eight finds no run, because it ends after one call.
    expect(clock.readCount()).toBeGreaterThanOrEqual(100);
    let reads = 0;
    const passedIn = generatorOf({
      now: () => {
        reads++;
        return START_MS;
      },
    });
    for (let count = 0; count < 100; count++) passedIn.next();
    expect(reads).toBe(100);
  });

  test('however old, makes no ID outside the window it was made in', () => {
    const clock = mockedNow();
    const lease = sourceOf({ node: 1, floorMs: START_MS, ceilingMs: START_MS + 10 });
    const generator = generatorOf({ lease });
    for (let count = 0; count < 100; count++) generator.next();
    clock.advance(3_600_000);
    let minted = 0;
    const mintUntilRefused = () => {
      for (; minted < 100; minted++) expect(explain(generator.next()).timeMs).toBe(START_MS);
    };
    expect(mintUntilRefused).toThrow(ended);
    expect(minted).toBeLessThan(16);
  });

  test('gives no more IDs than its millisecond has', () => {
    mockedNow();
    const generator = generatorOf({ randomStart: false });
    for (let count = 0; count < 4_096; count++) generator.next();
    expect(() => generator.next()).toThrow(expect.objectContaining({ code: 'CLOCK_STALLED' }));
  });

  test('is discarded once the window is revoked or replaced', () => {
    const clock = mockedNow();
    const lease = sourceOf({ node: 1, floorMs: START_MS, ceilingMs: START_MS + 10 });
    const generator = generatorOf({ lease });
    for (let count = 0; count < 100; count++) generator.next();
    lease.change('LOST');
    expect(() => generator.next()).toThrow(expect.objectContaining({ reason: 'LOST' }));
    lease.change({ node: 2, floorMs: START_MS, ceilingMs: START_MS + 10 });
    clock.advance(1);
    expect(explain(generator.next())).toMatchObject({ node: 2, timeMs: START_MS + 1 });
    for (let count = 0; count < 100; count++) generator.next();
    generator.close();
    expect(() => generator.next()).toThrow(expect.objectContaining({ reason: 'CLOSED' }));
  });

  test('whatever happens in between, keeps IDs ascending and inside the current window', async () => {
    const step = fc.oneof(
      fc.record({ kind: fc.constant('mint' as const), count: fc.integer({ min: 1, max: 60 }) }),
      fc.record({ kind: fc.constant('clock' as const), ms: fc.integer({ min: 0, max: 8 }) }),
      fc.record({ kind: fc.constant('extend' as const), ms: fc.integer({ min: 0, max: 10 }) }),
      fc.record({ kind: fc.constant('move' as const), node: fc.integer({ min: 0, max: 3 }) }),
      fc.record({ kind: fc.constant('pause' as const) }),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 60 }), async (steps) => {
        const clock = mockedNow();
        let window: NodeWindow = { node: 1, floorMs: START_MS, ceilingMs: START_MS + 10 };
        const lease = sourceOf(window);
        const generator = generatorOf({ lease });
        let last = 0n;
        for (const taken of steps) {
          if (taken.kind === 'clock') clock.advance(taken.ms);
          if (taken.kind === 'pause') await Promise.resolve();
          if (taken.kind === 'extend') window = { ...window, ceilingMs: window.ceilingMs + taken.ms };
          if (taken.kind === 'move') {
            window = { node: taken.node, floorMs: clock.now() + 1, ceilingMs: clock.now() + 11 };
            clock.advance(1);
          }
          if (taken.kind === 'extend' || taken.kind === 'move') lease.change(window);
          for (let count = 0; taken.kind === 'mint' && count < taken.count; count++) {
            try {
              const id = generator.next();
              const { node, timeMs } = explain(id, TSID_42_10_12);
              const isInside = node === window.node && timeMs >= window.floorMs && timeMs < window.ceilingMs;
              expect([isInside, id > last]).toEqual([true, true]);
              last = id;
            } catch (error) {
              expect(error).toMatchObject({ code: 'NODE_UNAVAILABLE' });
              expect(clock.now()).toBeGreaterThanOrEqual(window.ceilingMs);
            }
          }
        }
        generator.close();
      }),
      { numRuns: 150 },
    );
  });
});
