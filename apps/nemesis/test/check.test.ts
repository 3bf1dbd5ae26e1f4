import { describe, expect, test } from '@jest/globals';
import { check, type Rule } from '../src/history/check.js';
import type { Call, History } from '../src/history/history.js';

const answered = <Answer>(answer: Answer) => ({ kind: 'answered', answer }) as const;
const ids = (...given: string[]): Call => ({ asked: 'ids', tookMs: 5, ending: answered(given) });
const number = (key: string, given: string): Call => ({
  asked: 'number',
  key,
  tookMs: 5,
  ending: answered(given),
});
const trip = (driverId: string, outcome: string): Call => ({
  asked: 'trip',
  tripId: '7',
  epoch: 1,
  driverId,
  tookMs: 5,
  ending: answered(outcome),
});

/** A history without violations. */
const CLEAN: History = {
  calls: [
    ids('1', '2'),
    ids('3'),
    number('a', 'RFA-1'),
    number('b', 'RFA-2'),
    number('a', 'RFA-1'),
    trip('30', 'TripAccepted'),
    trip('31', 'TripTaken'),
    trip('30', 'TripAccepted'),
    { ...number('c', ''), ending: { kind: 'failed', code: 'OUTCOME_UNKNOWN', outcomeUnknown: true } } as Call,
  ],
  ledger: [
    { counter: '1', sequence: 1, number: 'RFA-1', key: 'a' },
    { counter: '1', sequence: 2, number: 'RFA-2', key: 'b' },
    { counter: '1', sequence: 3, number: 'RFA-3', key: 'c' },
  ],
  counters: [{ counter: '1', last: 3 }],
  accepts: [{ tripId: '7', epoch: 1, driverId: '30' }],
  callLimitMs: 100,
};

const also = (...calls: Call[]): History => ({ ...CLEAN, calls: [...CLEAN.calls, ...calls] });

describe('the checker', () => {
  test('finds nothing in a history without violations, even with a failed call', () => {
    expect(check(CLEAN)).toEqual([]);
  });

  test.each<[Rule, History]>([
    ['a duplicate ID', also(ids('4', '2'))],
    ['a duplicate number', also(number('d', 'RFA-1'))],
    ['one key, two numbers', also(number('a', 'RFA-3'))],
    ['a number outside of the ledger', also(number('d', 'RFA-4'))],
    ['a hole in the ledger', { ...CLEAN, ledger: CLEAN.ledger.filter(({ sequence }) => sequence !== 2) }],
    ['a hole in the ledger', { ...CLEAN, counters: [{ counter: '1', last: 5 }] }],
    ['two winners', also(trip('31', 'TripAccepted'))],
    ['a winner who is not stored', { ...CLEAN, accepts: [] }],
    ['a winner who was turned away', also(trip('30', 'TripTaken'))],
    ['a call that did not end', also({ ...ids('9'), tookMs: 101 })],
    [
      'an internal error',
      also({
        ...ids(),
        ending: { kind: 'failed', code: 'INTERNAL_SERVER_ERROR', outcomeUnknown: true },
      } as Call),
    ],
  ])('finds %s', (rule, history) => {
    expect(check(history).map((violation) => violation.rule)).toContain(rule);
  });
});
