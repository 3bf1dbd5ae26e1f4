import { readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import {
  compose,
  defineLayout,
  explain,
  InvalidLayoutError,
  range,
  TSID_41_10_13,
  TSID_42_10_12,
  TsidOutOfRangeError,
} from '../src/index.js';

interface Parts {
  layout: string;
  time: string;
  node: number;
  sequence: number;
  decimal: string;
}

const vectors: { parts: Parts[] } = JSON.parse(
  readFileSync(new URL('./golden/vectors.json', import.meta.url), 'utf8'),
);

/** Any layout whose widths add up to 64 and whose horizon is a date. */
const anyLayout = fc
  .record({ timeBits: fc.integer({ min: 33, max: 52 }), share: fc.nat(31), epoch: fc.nat(2_000_000_000_000) })
  .map(({ timeBits, share, epoch }) => {
    const nodeBits = share % (64 - timeBits);
    return defineLayout({
      timeBits,
      nodeBits,
      sequenceBits: 64 - timeBits - nodeBits,
      epoch,
      range: 'unsigned',
    });
  });

describe('the two layouts', () => {
  test('have the shifts, epochs and ends that are documented', () => {
    expect(TSID_42_10_12).toMatchObject({ nodeMax: 1023, sequenceMax: 4095, name: '42/10/12' });
    expect(TSID_41_10_13).toMatchObject({ nodeMax: 1023, sequenceMax: 8191, name: '41/10/13' });
    expect(new Date(TSID_42_10_12.epochMs).toISOString()).toBe('2020-01-01T00:00:00.000Z');
    expect(new Date(TSID_41_10_13.epochMs).toISOString()).toBe('2024-01-01T00:00:00.000Z');
    expect(new Date(TSID_42_10_12.horizonMs).toISOString()).toBe('2089-09-06T15:47:35.552Z');
    expect(new Date(TSID_41_10_13.horizonMs).toISOString()).toBe('2058-11-03T19:53:47.776Z');
    const second = compose({ timeMs: Date.UTC(2024, 0, 1) + 1, node: 1, sequence: 0 }, TSID_41_10_13);
    expect(second).toBe((1n << 23n) | (1n << 13n));
  });

  test('agree with the golden vectors of an independent implementation', () => {
    expect(vectors.parts.length).toBeGreaterThan(50);
    for (const { layout, time, node, sequence, decimal } of vectors.parts) {
      const inLayout = layout === '42/10/12' ? TSID_42_10_12 : TSID_41_10_13;
      const timeMs = Date.parse(time);
      expect(compose({ timeMs, node, sequence }, inLayout)).toBe(BigInt(decimal));
      expect(explain(BigInt(decimal), inLayout)).toEqual({ time: new Date(time), timeMs, node, sequence });
    }
  });

  // The last instant that the tests of the Java tsid-creator (TsidTest.testGetInstantMaximum) state.
  test('give the last ID the last instant of the Java tsid-creator', () => {
    expect(explain(2n ** 64n - 1n).time.toISOString()).toBe('2159-05-15T07:35:11.103Z');
    expect(explain(0n).time.toISOString()).toBe('2020-01-01T00:00:00.000Z');
  });
});

describe('any layout', () => {
  test('explains what it composes', () => {
    const made = fc.property(anyLayout, fc.bigInt(0n, 2n ** 64n - 1n), (layout, id) => {
      const { timeMs, node, sequence } = explain(id, layout);
      const bits = BigInt(layout.nodeBits + layout.sequenceBits);
      return (
        node <= layout.nodeMax &&
        sequence <= layout.sequenceMax &&
        compose({ timeMs, node, sequence }, layout) === id &&
        timeMs - layout.epochMs === Number(id >> bits) &&
        node === Number((id >> BigInt(layout.sequenceBits)) & BigInt(layout.nodeMax))
      );
    });
    fc.assert(made, { numRuns: 5_000 });
  });

  test.each([
    [{ timeBits: 42, nodeBits: 10, sequenceBits: 13 }, 'add up to 65, more than 64'],
    [{ timeBits: 31, nodeBits: 2, sequenceBits: 31 }, 'timeBits is 31'],
    [{ timeBits: 53, nodeBits: 10, sequenceBits: 1 }, 'timeBits is 53'],
    [{ timeBits: 42.5, nodeBits: 9.5, sequenceBits: 12 }, 'timeBits is 42.5'],
    [{ timeBits: 42, nodeBits: -1, sequenceBits: 23 }, 'nodeBits is -1'],
    [{ timeBits: 42, nodeBits: 22, sequenceBits: 0 }, 'sequenceBits is 0'],
    [{ timeBits: 42, nodeBits: Number.NaN, sequenceBits: 12 }, 'nodeBits is NaN'],
  ])('refuses the widths %j', (widths, message) => {
    const define = () => defineLayout({ ...widths, epoch: 0 });
    expect(define).toThrow(InvalidLayoutError);
    expect(define).toThrow(message);
  });

  test.each([Number.NaN, -1, 1.5, new Date('nonsense'), 8.64e15])('refuses the epoch %p', (epoch) => {
    const define = () => defineLayout({ timeBits: 42, nodeBits: 10, sequenceBits: 12, epoch });
    expect(define).toThrow(InvalidLayoutError);
  });

  test('refuses an unknown range, and cannot be changed once defined', () => {
    const widths = { timeBits: 42, nodeBits: 10, sequenceBits: 12, epoch: 0 };
    expect(() => defineLayout({ ...widths, range: 'half' as 'signed' })).toThrow(InvalidLayoutError);
    expect(Object.isFrozen(defineLayout(widths))).toBe(true);
  });

  test('ends in half the time when IDs must stay positive in a signed BIGINT', () => {
    const widths = { timeBits: 42, nodeBits: 10, sequenceBits: 12, epoch: 0 };
    expect(defineLayout(widths).horizonMs).toBe(2 ** 41);
    expect(defineLayout({ ...widths, range: 'unsigned' }).horizonMs).toBe(2 ** 42);
  });
});

describe('range', () => {
  test('holds exactly the IDs that explain puts into the span', () => {
    const span = fc.record({
      layout: fc.oneof(fc.constantFrom(TSID_42_10_12, TSID_41_10_13), anyLayout),
      from: fc.nat(2 ** 31 - 1),
      length: fc.nat(100_000),
      offset: fc.integer({ min: -200_000, max: 200_000 }),
      node: fc.nat(2 ** 30),
      sequence: fc.nat(2 ** 30),
    });
    const agrees = fc.property(span, ({ layout, from, length, offset, node, sequence }) => {
      const fromMs = layout.epochMs + 200_000 + from;
      const { first, last } = range(fromMs, new Date(fromMs + length), layout);
      const [begin, end] = [explain(first, layout), explain(last, layout)];
      const isWhole =
        begin.timeMs === fromMs &&
        begin.node + begin.sequence === 0 &&
        end.timeMs === fromMs + length &&
        end.node === layout.nodeMax &&
        explain(last + 1n, layout).timeMs === fromMs + length + 1 &&
        explain(first - 1n, layout).timeMs === fromMs - 1;
      const timeMs = fromMs + offset;
      const parts = {
        timeMs,
        node: node % (layout.nodeMax + 1),
        sequence: sequence % (layout.sequenceMax + 1),
      };
      const id = compose(parts, layout);
      return isWhole && (id >= first && id <= last) === (timeMs >= fromMs && timeMs <= fromMs + length);
    });
    fc.assert(agrees, { numRuns: 3_000 });
  });

  test('is clamped to the lifetime of the layout, so that both ends fit a BIGINT', () => {
    const { epochMs, horizonMs } = TSID_42_10_12;
    const all = range(Date.UTC(2019, 0, 1), Date.UTC(2160, 0, 1));
    expect(all).toEqual(range(epochMs, horizonMs - 1));
    expect(all).toEqual({ first: 0n, last: 2n ** 63n - 1n });
    const nothing = { first: 1n, last: 0n };
    expect(range(Date.UTC(2018, 0, 1), epochMs - 1)).toEqual(nothing);
    expect(range(horizonMs, Date.UTC(2160, 0, 1))).toEqual(nothing);
    expect(range(epochMs - 1, epochMs).last).toBe(2n ** 22n - 1n);
  });

  test('refuses spans that end before they begin, and invalid times', () => {
    expect(() => range(Date.UTC(2020, 0, 2), Date.UTC(2020, 0, 1))).toThrow('ends before');
    expect(() => range(Number.NaN, Date.UTC(2020, 0, 1))).toThrow(TsidOutOfRangeError);
    expect(() => range(Date.UTC(2020, 0, 1), Number.POSITIVE_INFINITY)).toThrow(TsidOutOfRangeError);
  });
});

describe('out-of-range parts', () => {
  const timeMs = Date.UTC(2026, 0, 1);
  test.each([
    { timeMs, node: 1024, sequence: 0 },
    { timeMs, node: -1, sequence: 0 },
    { timeMs, node: 0.5, sequence: 0 },
    { timeMs, node: 0, sequence: 4096 },
    { timeMs: Date.UTC(2019, 0, 1), node: 0, sequence: 0 },
  ])('%j are refused, not masked', (parts) => {
    expect(() => compose(parts)).toThrow(TsidOutOfRangeError);
  });

  test.each([-1n, 2n ** 64n])('%s cannot be explained', (id) => {
    expect(() => explain(id)).toThrow(TsidOutOfRangeError);
  });
});
