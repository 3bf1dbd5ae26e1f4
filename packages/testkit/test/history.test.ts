import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { findDuplicates, findGap, findOrderBreak, findOverwrite } from '../src/index.js';

const distinct = fc.uniqueArray(fc.bigInt({ min: 0n, max: 1n << 63n }), { minLength: 1, maxLength: 200 });
const by = ({ process }: Mint) => process;
const value = ({ id }: Mint) => id;

interface Mint {
  readonly process: string;
  readonly id: bigint;
}

/** Distributes ascending IDs over processes, as correct generators would. */
const cleanMints = fc
  .tuple(distinct, fc.array(fc.constantFrom('a', 'b', 'c'), { minLength: 200, maxLength: 200 }))
  .map(([ids, processes]) =>
    ids.sort((a, b) => (a < b ? -1 : 1)).map((id, index): Mint => ({ process: processes[index] ?? 'a', id })),
  );

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

describe('findOrderBreak', () => {
  test('histories that ascend in each process are clean, however they are interleaved', () => {
    fc.assert(
      fc.property(cleanMints, (mints) => expect(findOrderBreak(mints, { by, value })).toBeUndefined()),
    );
  });

  test('a planted decrease or repetition is found', () => {
    fc.assert(
      fc.property(cleanMints, fc.nat(), fc.bigInt({ min: 0n, max: 5n }), (mints, place, back) => {
        const earlierIndex = place % mints.length;
        const earlier = mints[earlierIndex] as Mint;
        const later = { process: earlier.process, id: earlier.id - back };
        const history = mints.toSpliced(earlierIndex + 1, 0, later);
        expect(findOrderBreak(history, { by, value })).toEqual({
          by: earlier.process,
          earlier,
          earlierIndex,
          later,
          laterIndex: earlierIndex + 1,
        });
      }),
    );
  });

  test('reads histories of plain values, from any iterable', () => {
    expect(findOrderBreak(new Set([1, 2, 3]))).toBeUndefined();
    expect(findOrderBreak(['0A', '0B', '0AZ'])).toMatchObject({ earlier: '0B', later: '0AZ' });
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

describe('findOverwrite', () => {
  const view = { by: (entry: [string, string]) => entry[0], value: (entry: [string, string]) => entry[1] };
  const registers = fc.dictionary(fc.string(), fc.string(), { minKeys: 1 });
  const writes = registers.chain((values) =>
    fc.array(fc.constantFrom(...Object.entries(values)), { minLength: 1, maxLength: 100 }),
  );

  test('registers written once, or again with the same value, are clean', () => {
    fc.assert(fc.property(writes, (history) => expect(findOverwrite(history, view)).toBeUndefined()));
  });

  test('a planted overwrite is found, with the first value of its register', () => {
    fc.assert(
      fc.property(writes, fc.nat(), (history, place) => {
        const at = place % history.length;
        const [register, written] = history[at] as [string, string];
        const overwrite: [string, string] = [register, `${written}!`];
        const earlierIndex = history.findIndex(([name]) => name === register);
        expect(findOverwrite(history.toSpliced(at + 1, 0, overwrite), view)).toEqual({
          by: register,
          earlier: history[earlierIndex],
          earlierIndex,
          later: overwrite,
          laterIndex: at + 1,
        });
      }),
    );
  });
});

test('every checker handles a million entries', () => {
  const ids = Array.from({ length: 1_000_000 }, (_, index) => BigInt(index + 1));
  const view = { by: (id: bigint) => Number(id % 4n), value: (id: bigint) => id };
  expect(findDuplicates([...ids, 77n])).toMatchObject({ earlierIndex: 76, laterIndex: 1_000_000 });
  expect(findOrderBreak([...ids, 77n])).toMatchObject({ earlierIndex: 999_999, laterIndex: 1_000_000 });
  expect(findOrderBreak(ids, view)).toBeUndefined();
  expect(findGap(ids.filter((id) => id !== 500_000n))).toMatchObject({ missing: 500_000n });
  expect(findOverwrite(ids, { by: view.value, value: view.by })).toBeUndefined();
});
