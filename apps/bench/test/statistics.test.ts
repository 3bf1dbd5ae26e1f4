import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { latencySummary } from '../src/measuring/latency.js';
import { median, quantile, rankDifferenceChance, relativeSpread } from '../src/measuring/statistics.js';

const values = fc.array(fc.double({ min: -1e6, max: 1e6, noNaN: true }), { minLength: 1, maxLength: 30 });

describe('statistics', () => {
  test('a median is the middle, and the mean of the two middles', () => {
    expect(median([3, 1, 2])).toBe(2);
    expect(median([4, 1, 2, 3])).toBe(2.5);
    expect(() => median([])).toThrow(RangeError);
  });

  test('half of the values lie on either side of the median', () => {
    fc.assert(
      fc.property(values, (sample) => {
        const middle = median(sample);
        const below = sample.filter((value) => value < middle).length;
        const above = sample.filter((value) => value > middle).length;
        return below <= sample.length / 2 && above <= sample.length / 2;
      }),
    );
  });

  test('quantiles grow with their share and end at the extremes', () => {
    expect(quantile([10, 20, 30], 0)).toBe(10);
    expect(quantile([10, 20, 30], 1)).toBe(30);
    expect(quantile([10, 20], 0.25)).toBe(12.5);
  });

  test('spread is half the range as a share of the median', () => {
    expect(relativeSpread([90, 100, 110])).toBeCloseTo(0.1);
    expect(relativeSpread([0, 0])).toBe(0);
  });

  test('five repeats that are all better are unlikely to be chance; three can be', () => {
    expect(rankDifferenceChance([1, 2, 3, 4, 5], [6, 7, 8, 9, 10])).toBeCloseTo(2 / 252);
    expect(rankDifferenceChance([1, 2, 3], [4, 5, 6])).toBeCloseTo(2 / 20);
    expect(rankDifferenceChance([1, 5, 3], [2, 4, 3])).toBeGreaterThan(0.5);
  });

  test('one slow repeat in five makes no difference', () => {
    expect(rankDifferenceChance([10, 11, 12, 13, 14], [1, 10.5, 11.5, 12.5, 13.5])).toBeGreaterThan(0.05);
  });
});

describe('a distribution of latencies', () => {
  test('gives quantiles in any order of the calls', () => {
    const { curve, ...summary } = latencySummary(Array.from({ length: 1000 }, (_, index) => 1000 - index));
    expect(summary).toEqual({ count: 1000, p50Ms: 500, p90Ms: 900, p99Ms: 990, maxMs: 1000 });
    expect([curve.at(0), curve.at(-1)]).toEqual([
      [0, 1],
      [1, 1000],
    ]);
  });

  test('is to the microsecond, and zero without any call', () => {
    expect(latencySummary([0.123_456])).toMatchObject({ count: 1, p50Ms: 0.123 });
    expect(latencySummary([])).toMatchObject({ count: 0, p50Ms: 0, maxMs: 0 });
  });
});
