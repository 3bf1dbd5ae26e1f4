import { describe, expect, test } from '@jest/globals';
import { manualClock } from '@solegate/testkit';
import { compose, createTsidGenerator, explain, TSID_42_10_12, TSID_53, toDecimal } from '../src/index.js';

describe('IDs of 53 bits', () => {
  test('have 32 nodes and 128 IDs a millisecond, from 2024 to 2093', () => {
    expect(TSID_53).toMatchObject({ name: '41/5/7', bits: 53, nodeMax: 31, sequenceMax: 127 });
    expect(new Date(TSID_53.epochMs).toISOString()).toBe('2024-01-01T00:00:00.000Z');
    expect(new Date(TSID_53.horizonMs).toISOString()).toBe('2093-09-06T15:47:35.552Z');
  });

  test('are safe integers to the last one, and survive JSON', () => {
    const last = compose({ timeMs: TSID_53.horizonMs - 1, node: 31, sequence: 127 }, TSID_53);
    expect(last).toBe(BigInt(Number.MAX_SAFE_INTEGER));
    expect(JSON.parse(JSON.stringify({ id: Number(last) }))).toEqual({ id: Number(last) });
  });

  test('are minted as numbers in the same order as bigints and texts', () => {
    const clock = manualClock(Date.UTC(2026, 5, 1));
    let reads = 0;
    const now = () => {
      if (++reads % 10 === 0) clock.advance(1);
      return clock.now();
    };
    const ids = createTsidGenerator({ node: 31, layout: TSID_53, namespace: 'numbers', now });
    let before = -1;
    for (let count = 0; count < 50_000; count++) {
      const id = ids.nextNumber();
      if (!(Number.isSafeInteger(id) && id > before)) throw new Error(`${id} after ${before}`);
      before = id;
    }
    expect(explain(BigInt(before), TSID_53)).toMatchObject({ node: 31, timeMs: clock.now() });
    const next = ids.next();
    expect(next).toBeGreaterThan(BigInt(before));
    expect(Number(ids.nextString())).toBeGreaterThan(Number(toDecimal(next)));
    ids.close();
  });

  test('are the only ones that are minted as numbers: others are refused and nothing is minted', () => {
    const clock = manualClock();
    const ids = createTsidGenerator({
      node: 1,
      namespace: 'numbers',
      layout: TSID_42_10_12,
      now: clock.now,
      randomStart: false,
    });
    expect(() => ids.nextNumber()).toThrow(expect.objectContaining({ code: 'INVALID_GENERATOR_OPTIONS' }));
    expect(explain(ids.next()).sequence).toBe(0);
    ids.close();
  });
});
