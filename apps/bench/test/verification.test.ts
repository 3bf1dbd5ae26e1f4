import { describe, expect, test } from '@jest/globals';
import { verifyIds } from '../src/ids/verify-ids.js';
import { issued } from '../src/numbers/subjects/numbers-request.js';
import { verifyNumbers } from '../src/numbers/verify-numbers.js';
import type { TripAnswer } from '../src/trips/trips-request.js';
import { verifyTrips } from '../src/trips/verify-trips.js';

const given = (...sequences: number[]) => sequences.map((sequence) => issued('C', sequence));
const stored = (ledger: number[], lastNumber = ledger.length) => new Map([['C', { ledger, lastNumber }]]);

describe('numbers', () => {
  test('that are 1 … n, issued once and stored once pass', () => {
    expect(verifyNumbers({ answers: given(2, 1, 3), failedCount: 0, stored: stored([1, 2, 3]) })).toEqual([]);
  });

  test('may be stored without an answer only if a call failed', () => {
    const evidence = { answers: given(1, 3), stored: stored([1, 2, 3]) };
    expect(verifyNumbers({ ...evidence, failedCount: 1 })).toEqual([]);
    expect(verifyNumbers({ ...evidence, failedCount: 0 })).toEqual([
      {
        rule: 'answer = stored',
        witness: 'number 2 of C is in the ledger, no caller got it, and no call failed',
      },
    ]);
  });

  test.each([
    [
      'a number given twice',
      given(1, 2, 2),
      stored([1, 2]),
      'unique',
      /number 2 of C was given to two callers/,
    ],
    [
      'a number twice in the ledger',
      given(1, 2),
      stored([1, 1, 2], 2),
      'unique',
      /number 1 of C is in the ledger twice/,
    ],
    [
      'a hole',
      given(1, 3),
      stored([1, 3], 3),
      'gapless',
      /number 2 of C is missing; the ledger continues with 3/,
    ],
    [
      'a number that is not stored',
      given(1, 2),
      stored([1]),
      'answer = stored',
      /number 2 of C was given .* not in the ledger/,
    ],
    [
      'a counter ahead of its ledger',
      given(1, 2),
      stored([1, 2], 5),
      'ledger = counter',
      /is at 5, the highest number is 2/,
    ],
    ['a run without any ledger', given(1), new Map(), 'answer = stored', /number 1/],
  ])('show %s', (...row) => {
    const [, answeredNumbers, storedNumbers, rule, witness] = row;
    const violations = verifyNumbers({ answers: answeredNumbers, failedCount: 0, stored: storedNumbers });
    expect(violations).toContainEqual({ rule, witness: expect.stringMatching(witness) });
  });

  test('without a ledger are checked against the counter alone', () => {
    const original = (lastNumber: number) => new Map([['C', { lastNumber }]]);
    expect(verifyNumbers({ answers: given(1, 2), failedCount: 0, stored: original(2) })).toEqual([]);
    expect(verifyNumbers({ answers: given(1, 2), failedCount: 0, stored: original(1) })).toHaveLength(1);
  });
});

describe('trips', () => {
  const say = (kind: TripAnswer['kind'], driver: number, trip = 1): TripAnswer => ({ kind, trip, driver });
  const evidence = (answers: TripAnswer[], driver: number | undefined) => ({
    answers: answers,
    failedCount: 0,
    stored: [{ trip: 1, driver }],
    onePerDriver: true,
  });

  test('with one winner who is stored hold, also when they ask twice', () => {
    expect(verifyTrips(evidence([say('won', 7), say('lost', 8), say('won', 7)], 7))).toEqual([]);
  });

  test.each([
    ['two winners', [say('won', 7), say('won', 8)], 8, 'one winner', /promised to drivers 7 and 8/],
    [
      'a winner who is not stored',
      [say('won', 7)],
      undefined,
      'answer = stored',
      /driver 7 was answered .* the row has nobody/,
    ],
    ['a winner whose row is another driver', [say('won', 7)], 9, 'answer = stored', /the row has driver 9/],
    [
      'a loser who is stored',
      [say('lost', 7)],
      7,
      'answer = stored',
      /driver 7 has trip 1 but was answered that it is taken/,
    ],
    ['losers without a winner', [say('lost', 7)], undefined, 'one winner', /no driver has it/],
  ])('show %s', (...row) => {
    const [, answers, driver, rule, witness] = row;
    const violations = verifyTrips(evidence(answers, driver));
    expect(violations).toContainEqual({ rule, witness: expect.stringMatching(witness) });
  });

  test('show a driver with two of them', () => {
    const violations = verifyTrips({
      answers: [],
      failedCount: 0,
      stored: [
        { trip: 1, driver: 7 },
        { trip: 2, driver: 7 },
      ],
      onePerDriver: true,
    });
    expect(violations).toEqual([{ rule: 'one winner', witness: 'driver 7 has the trips 1 and 2' }]);
  });
});

describe('IDs', () => {
  const process = (node: number, ...ids: bigint[]) => ({ node, ids: BigUint64Array.from(ids) });

  test('that increase in each process and have no duplicates pass', () => {
    expect(verifyIds([process(1, 1n, 5n), process(2, 2n, 4n)])).toEqual([]);
  });

  test('show an ID of two processes with both nodes', () => {
    expect(verifyIds([process(1, 1n, 5n), process(2, 2n, 5n)])).toEqual([
      { rule: 'unique', witness: 'ID 5 was minted twice: process 0 on node 1 and process 1 on node 2' },
    ]);
  });

  test('show the first that does not increase', () => {
    expect(verifyIds([process(1, 5n, 4n, 3n)])).toContainEqual({
      rule: 'ordered',
      witness: 'process 0 minted 4 after 5',
    });
  });
});
