import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { LatencyHistogram } from '../src/measuring/latency.js';
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

describe('a latency histogram', () => {
  test('gives quantiles within a thousandth', () => {
    const histogram = LatencyHistogram.of(Array.from({ length: 1000 }, (_, index) => index + 1));
    const { p50Ms, p90Ms, p99Ms, maxMs, count } = histogram.summary();
    expect(p50Ms).toBeCloseTo(500, -1);
    expect(p90Ms).toBeCloseTo(900, -1);
    expect(p99Ms).toBeCloseTo(990, -1);
    expect(maxMs).toBeCloseTo(1000, -1);
    expect(count).toBe(1000);
  });

  test('keeps every call when workers are merged', () => {
    const parts = [1, 2, 3].map((ms) => LatencyHistogram.of(Array.from({ length: 100 }, () => ms)).encoded());
    const { count, p50Ms, maxMs } = LatencyHistogram.merged(parts).summary();
    expect(count).toBe(300);
    expect(p50Ms).toBeCloseTo(2, 2);
    expect(maxMs).toBeCloseTo(3, 2);
  });
});
