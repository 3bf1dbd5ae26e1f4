import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { findDuplicates, findGap } from '../src/index.js';

const distinct = fc.uniqueArray(fc.bigInt({ min: 0n, max: 1n << 63n }), { minLength: 1, maxLength: 200 });

describe('findDuplicates', () => {
  test('a history of distinct values is clean', () => {
    fc.assert(fc.property(distinct, (ids) => expect(findDuplicates(ids)).toBeUndefined()));
  });

  test('a planted duplicate is found, with both positions', () => {
    fc.assert(
      fc.property(distinct, fc.nat(), fc.nat(), (ids, from, to) => {
        const earlierIndex = from % ids.length;
        const laterIndex = earlierIndex + 1 + (to % (ids.length - earlierIndex));
        const twice = ids[earlierIndex] as bigint;
        const history = ids.toSpliced(laterIndex, 0, twice);
        expect(findDuplicates(history)).toMatchObject({ earlierIndex, laterIndex, later: twice });
      }),
    );
  });

  test('of several duplicates, the first to be completed is reported', () => {
    expect(findDuplicates(['x', 'y', 'z', 'y', 'x'])).toMatchObject({ earlierIndex: 1, laterIndex: 3 });
  });

  test('the same value in two parts is not a duplicate', () => {
    const history = [
      { series: 'RFA', number: 1 },
      { series: 'RFI', number: 1 },
      { series: 'RFA', number: 1 },
    ];
    const view = {
      by: (entry: { series: string }) => entry.series,
      value: (entry: { number: number }) => entry.number,
    };
    expect(findDuplicates(history.slice(0, 2), view)).toBeUndefined();
    expect(findDuplicates(history, view)).toEqual({
      by: 'RFA',
      earlier: history[0],
      earlierIndex: 0,
      later: history[2],
      laterIndex: 2,
    });
  });
});

describe('findGap', () => {
  const numbers = fc
    .integer({ min: 1, max: 300 })
    .map((last) => Array.from({ length: last }, (_, i) => i + 1));
  const shuffled = numbers.chain((list) => fc.shuffledSubarray(list, { minLength: list.length }));

  test('1 … n is clean in any order, and with numbers reported twice', () => {
    fc.assert(
      fc.property(shuffled, fc.nat(), (list, again) => {
        expect(findGap([...list, list[again % list.length] as number])).toBeUndefined();
      }),
    );
  });

  test('the smallest missing number is found', () => {
    fc.assert(
      fc.property(shuffled, fc.array(fc.nat(), { minLength: 1, maxLength: 5 }), (list, picks) => {
        const last = list.length + 1;
        const missing = new Set(picks.map((pick) => (pick % list.length) + 1));
        const history = [...list, last].filter((number) => !missing.has(number));
        expect(findGap(history)).toEqual({
          by: undefined,
          missing: BigInt(Math.min(...missing)),
          last: BigInt(last),
        });
      }),
    );
  });

  test('a gap far below a huge number costs no memory', () => {
    expect(findGap([1n, 2n, 1n << 62n])).toEqual({ by: undefined, missing: 3n, last: 1n << 62n });
  });

  test('starts at the given number, and rejects smaller ones', () => {
    expect(findGap([7, 6, 5], { first: 5 })).toBeUndefined();
    expect(findGap([7, 6], { first: 5 })).toMatchObject({ missing: 5n });
    expect(() => findGap([0, 1])).toThrow('0 is below the first number 1');
  });

  test("checks each series separately, and reads PostgreSQL's decimal strings", () => {
    const view = {
      by: ([series]: [string, string]) => series,
      value: ([, number]: [string, string]) => number,
    };
    expect(
      findGap(
        [
          ['a', '2'],
          ['b', '1'],
          ['a', '1'],
        ],
        view,
      ),
    ).toBeUndefined();
    expect(
      findGap(
        [
          ['a', '1'],
          ['b', '2'],
        ],
        view,
      ),
    ).toEqual({ by: 'b', missing: 1n, last: 2n });
  });

  test('rejects anything but whole numbers', () => {
    expect(() => findGap([1.5])).toThrow(RangeError);
    expect(() => findGap(['one'])).toThrow(SyntaxError);
  });
});

test('every checker handles a million entries', () => {
  const ids = Array.from({ length: 1_000_000 }, (_, index) => BigInt(index + 1));
  expect(findDuplicates([...ids, 77n])).toMatchObject({ earlierIndex: 76, laterIndex: 1_000_000 });
  expect(findGap(ids.filter((id) => id !== 500_000n))).toMatchObject({ missing: 500_000n });
});
