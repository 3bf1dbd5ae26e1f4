import { afterEach, describe, expect, jest, test } from '@jest/globals';
import { type ManualClock, manualClock } from '@solegate/testkit';
import {
  ClockMovedBackwardsError,
  ClockStalledError,
  createTsidGenerator,
  defineLayout,
  explain,
  type HorizonWarning,
  parseCrockford,
  parseDecimal,
  type StaticNodeOptions,
  TSID_41_10_13,
  TSID_42_10_12,
  type TsidGenerator,
} from '../src/index.js';

let namespaceCount = 0;
const open: TsidGenerator[] = [];
afterEach(() => {
  for (const generator of open.splice(0)) generator.close();
});

function generatorOf(now: () => number, options: Partial<StaticNodeOptions> = {}): TsidGenerator {
  const namespace = `unit ${namespaceCount++}`;
  const generator = createTsidGenerator({ node: 3, now, namespace, randomStart: false, ...options });
  open.push(generator);
  return generator;
}

/** A clock that advances by a millisecond after so many reads, as the real one does during a wait. */
function walkingClock(readsPerMs: number, startMs = Date.UTC(2026, 0, 1)): ManualClock {
  const clock = manualClock(startMs);
  let reads = 0;
  return {
    ...clock,
    now: () => {
      if (++reads % readsPerMs === 0) clock.advance(1);
      return clock.now();
    },
  };
}

describe('the sequence', () => {
  test('counts within a millisecond and starts at 0 in the next', () => {
    const clock = manualClock();
    const generator = generatorOf(clock.now);
    const parts = () => generator.explain(generator.next());
    expect([parts(), parts(), parts()].map(({ sequence }) => sequence)).toEqual([0, 1, 2]);
    clock.advance(1);
    expect(parts()).toMatchObject({ timeMs: clock.now(), node: 3, sequence: 0 });
  });

  test.each([TSID_42_10_12, TSID_41_10_13])(
    'gives every ID of a millisecond of $name, then waits',
    (layout) => {
      const clock = walkingClock(20_000);
      const generator = generatorOf(clock.now, { layout });
      const ids = Array.from({ length: layout.sequenceMax + 2 }, () => generator.next());
      const times = new Set(ids.map((id) => explain(id, layout).timeMs));
      expect(times.size).toBe(2);
      expect(ids.every((id, index) => index === 0 || id > (ids[index - 1] ?? id))).toBe(true);
    },
  );

  test('starts at random in the lower half by default, and continues from there', () => {
    const clock = manualClock();
    const belows: number[] = [];
    const random = (below: number) => {
      belows.push(below);
      return 1_234;
    };
    const generator = generatorOf(clock.now, { randomStart: true, random });
    expect(generator.explain(generator.next()).sequence).toBe(1_234);
    expect(generator.explain(generator.next()).sequence).toBe(1_235);
    expect(belows).toEqual([2_048]);
  });

  test('refuses a random source that exceeds its bounds', () => {
    const generator = generatorOf(manualClock().now, { randomStart: true, random: (below) => below });
    expect(() => generator.next()).toThrow(expect.objectContaining({ code: 'TSID_OUT_OF_RANGE' }));
  });

  test('the default random start is never in the upper half and differs from millisecond to millisecond', () => {
    const clock = manualClock();
    const generator = generatorOf(clock.now, { randomStart: true });
    const starts = Array.from({ length: 300 }, () => {
      clock.advance(1);
      return generator.explain(generator.next()).sequence;
    });
    expect(Math.max(...starts)).toBeLessThan(2_048);
    expect(new Set(starts).size).toBeGreaterThan(100);
  });
});

describe('the forms of next', () => {
  test('are one sequence, whichever is called', () => {
    const clock = walkingClock(500);
    const generator = generatorOf(clock.now);
    const ids: bigint[] = [];
    for (let round = 0; round < 2_000; round++) {
      ids.push(generator.next(), parseDecimal(generator.nextString()));
      ids.push(parseCrockford(generator.nextString('crockford')), ...generator.nextMany(round % 5));
      ids.push(...generator.fill(new BigUint64Array(round % 7)), ...generator.fill(new BigInt64Array(3)));
    }
    expect(ids.length).toBeGreaterThan(20_000);
    expect(ids.findIndex((id, index) => index > 0 && id <= (ids[index - 1] ?? id))).toBe(-1);
  });

  test.each([
    ['16 digits', 1, 3_000],
    ['18 digits', 200_000_000_000, 3_000],
    ['the step from 18 to 19 digits', 238_418_579_101, 3_000],
    ['19 digits', 2_000_000_000_000, 3_000],
  ])('write the decimal text of the ID with %s', (_case, elapsedMs, count) => {
    const clock = walkingClock(7, TSID_42_10_12.epochMs + elapsedMs);
    const texts = generatorOf(clock.now, { node: 8 });
    const clockAgain = walkingClock(7, TSID_42_10_12.epochMs + elapsedMs);
    const numbers = generatorOf(clockAgain.now, { node: 8 });
    for (let round = 0; round < count; round++) expect(texts.nextString()).toBe(numbers.next().toString());
  });

  test('fill part of a larger buffer and leave the rest alone', () => {
    const all = new BigUint64Array(10);
    generatorOf(manualClock().now).fill(all.subarray(3, 6));
    expect(all.map((id) => (id === 0n ? 0n : 1n))).toEqual(
      BigUint64Array.of(0n, 0n, 0n, 1n, 1n, 1n, 0n, 0n, 0n, 0n),
    );
  });

  test.each([-1, 0.5, 1_000_001, Number.NaN])('nextMany(%p) is refused', (count) => {
    expect(() => generatorOf(manualClock().now).nextMany(count)).toThrow(
      'use a whole number from 0 to 1000000',
    );
  });

  test.each([
    ['42/10/12', TSID_42_10_12],
    ['41/10/13', TSID_41_10_13],
    ['no node', defineLayout({ timeBits: 42, nodeBits: 0, sequenceBits: 22, epoch: 0 })],
    ['the widest node', defineLayout({ timeBits: 42, nodeBits: 21, sequenceBits: 1, epoch: 0 })],
    ['the narrowest rest', defineLayout({ timeBits: 52, nodeBits: 8, sequenceBits: 4, epoch: 0 })],
    ['the widest rest', defineLayout({ timeBits: 42, nodeBits: 1, sequenceBits: 21, epoch: 0 })],
  ])('say time and node in a layout with %s', (_name, layout) => {
    const clock = manualClock();
    const node = layout.nodeMax;
    const generator = generatorOf(clock.now, { layout, node });
    for (const sequence of [0, 1]) {
      expect(explain(generator.next(), layout)).toMatchObject({ timeMs: clock.now(), node, sequence });
    }
  });
});

describe('overflow', () => {
  test('borrows up to the bound and not a millisecond further, then waits', () => {
    const clock = walkingClock(100_000);
    const startMs = clock.now();
    const generator = generatorOf(clock.now, { startAfterMs: 0, overflow: { borrowMaxMs: 5 } });
    const ids = generator.fill(new BigUint64Array(4_096 * 6));
    const aheadMs = explain(ids[ids.length - 1] ?? 0n).timeMs - startMs;
    expect(aheadMs).toBe(5);
    expect(generator.explain(generator.next()).timeMs - clock.now()).toBe(5);
  });

  test('distinguishes a stalled clock from a slow one', () => {
    const clock = manualClock();
    const generator = generatorOf(clock.now);
    generator.fill(new BigUint64Array(4_096));
    expect(() => generator.next()).toThrow(ClockStalledError);
    clock.advance(1);
    expect(generator.explain(generator.next()).sequence).toBe(0);
  });
});

describe('a clock that moves backwards', () => {
  test.each([1, 50, 1_000, 3_600_000])(
    'by %d ms is refused with both timestamps, until it has caught up',
    (ms) => {
      const clock = manualClock();
      const generator = generatorOf(clock.now);
      const before = generator.next();
      const lastMs = clock.now();
      clock.advance(-ms);
      expect(() => generator.next()).toThrow(`Clock moved backwards. Refusing to generate id for ${ms}ms`);
      try {
        generator.next();
      } catch (error) {
        expect(error).toMatchObject({
          code: 'CLOCK_MOVED_BACKWARDS',
          lastMs,
          nowMs: lastMs - ms,
          durationMs: ms,
        });
      }
      clock.advance(ms);
      expect(generator.next()).toBe(before + 1n);
    },
  );

  test('is waited for up to the limit, and refused beyond', () => {
    const clock = walkingClock(50);
    const generator = generatorOf(clock.now, { clockBack: { waitMaxMs: 20 } });
    const before = generator.next();
    clock.advance(-20);
    expect(generator.next()).toBeGreaterThan(before);
    clock.advance(-30);
    expect(() => generator.next()).toThrow(ClockMovedBackwardsError);
  });

  test('is held: IDs continue from the last time, never more than the limit ahead', () => {
    const clock = manualClock();
    const generator = generatorOf(clock.now, { clockBack: { holdMaxMs: 10 } });
    const before = generator.next();
    clock.advance(-8);
    expect(generator.next()).toBe(before + 1n);
    const ids = generator.fill(new BigUint64Array(4_096 * 3 - 2));
    expect(explain(ids[ids.length - 1] ?? 0n).timeMs - clock.now()).toBe(10);
    expect(() => generator.next()).toThrow(ClockMovedBackwardsError);
    clock.advance(-3);
    expect(() => generator.next()).toThrow(ClockMovedBackwardsError);
  });

  test('is accepted when it only ran ahead while nothing was minted', () => {
    const clock = manualClock();
    const generator = generatorOf(clock.now);
    generator.next();
    clock.advance(3_600_000);
    clock.advance(-3_599_999);
    expect(generator.explain(generator.next()).timeMs).toBe(clock.now());
  });

  test('that does not return a number is refused', () => {
    let reading = Date.UTC(2026, 0, 1);
    const generator = generatorOf(() => reading);
    generator.next();
    reading = Number.NaN;
    expect(() => generator.next()).toThrow('The clock reads NaN');
  });

  test('that returns fractions of milliseconds mints whole ones', () => {
    let reading = Date.UTC(2026, 0, 1) + 0.25;
    const generator = generatorOf(() => {
      reading += 0.1;
      return reading;
    });
    const ids = generator.nextMany(100);
    expect(ids.findIndex((id, index) => index > 0 && id <= (ids[index - 1] ?? id))).toBe(-1);
    expect(Number.isInteger(generator.explain(generator.next()).timeMs)).toBe(true);
  });
});

describe('the horizon', () => {
  const layout = TSID_41_10_13;

  test('is announced once, five years ahead', () => {
    const clock = manualClock(layout.horizonMs - 6 * 365 * 86_400_000);
    const horizonNear = jest.fn<(warning: HorizonWarning) => void>();
    const generator = generatorOf(clock.now, { layout, observer: { horizonNear } });
    generator.next();
    expect(horizonNear).not.toHaveBeenCalled();
    clock.advance(2 * 365 * 86_400_000);
    generator.nextMany(3);
    clock.advance(1);
    generator.next();
    expect(horizonNear).toHaveBeenCalledTimes(1);
    expect(horizonNear.mock.calls[0]?.[0]).toMatchObject({ horizonMs: layout.horizonMs, layout });
  });

  test('is where minting ends: the last ID is still positive in a signed BIGINT', () => {
    const clock = manualClock(layout.horizonMs - 1);
    const generator = generatorOf(clock.now, { layout });
    expect(BigInt.asIntN(64, generator.next())).toBeGreaterThan(0n);
    clock.advance(1);
    expect(() => generator.next()).toThrow(expect.objectContaining({ code: 'HORIZON_PASSED' }));
    clock.set(layout.epochMs - 10_000);
    const early = generatorOf(clock.now, { layout, node: 4 });
    expect(() => early.next()).toThrow(expect.objectContaining({ code: 'HORIZON_PASSED' }));
  });
});

describe('options', () => {
  test.each([-1, 1_024, 0.5, Number.NaN])('the node %p is refused, not masked', (node) => {
    expect(() => generatorOf(Date.now, { node })).toThrow(
      expect.objectContaining({ code: 'TSID_OUT_OF_RANGE' }),
    );
  });

  test.each([
    { overflow: { borrowMaxMs: 0 } },
    { overflow: { borrowMaxMs: 60_001 } },
    { clockBack: { waitMaxMs: 1_001 } },
    { clockBack: { holdMaxMs: 0.5 } },
  ])('%j is refused', (options) => {
    expect(() => generatorOf(Date.now, options)).toThrow(
      expect.objectContaining({ code: 'INVALID_GENERATOR_OPTIONS' }),
    );
  });

  test('a node of another type is refused and its type named', () => {
    expect(() => generatorOf(Date.now, { node: '7' as unknown as number })).toThrow('node is of type string');
  });

  test('an option that does not exist is refused, and the others are listed', () => {
    expect(() => generatorOf(Date.now, { startAfter: 7 } as object)).toThrow(
      /no option startAfter: use .*startAfterMs/,
    );
  });

  test('neither node nor lease is refused', () => {
    expect(() => createTsidGenerator({} as StaticNodeOptions)).toThrow('either a node or a lease');
  });
});

describe('the load tests of the two original designs', () => {
  test.each([10_000, 50_000])('%d rapid IDs are unique, positive, in range and monotone', (count) => {
    const generator = generatorOf(Date.now);
    const fromMs = Date.now();
    const ids = Array.from({ length: count }, () => generator.next());
    const { first, last } = generator.range(fromMs, Date.now());
    expect(new Set(ids).size).toBe(count);
    expect(ids.every((id) => id > 0n && id >= first && id <= last)).toBe(true);
    expect(ids.every((id, index) => index === 0 || id > (ids[index - 1] ?? id))).toBe(true);
  });

  test('100 async callers get IDs that are unique and in order for each', async () => {
    const generator = generatorOf(Date.now);
    const callers = await Promise.all(
      Array.from({ length: 100 }, async () => {
        const ids: bigint[] = [];
        for (let call = 0; call < 100; call++) {
          ids.push(generator.next());
          await Promise.resolve();
        }
        return ids;
      }),
    );
    expect(new Set(callers.flat()).size).toBe(10_000);
    for (const ids of callers) expect([...ids].sort((one, other) => (one < other ? -1 : 1))).toEqual(ids);
  });
});
