import { findDuplicates, findGap } from '@solegate/testkit';
import { type Answered, answered, grouped, type History, type LedgerRow, precedes } from './history.js';
import { rule } from './rule.js';

export const NUMBER_RULES = {
  'a duplicate number': rule('No number is issued twice.', function* (history) {
    for (const { number, earlier, call, isVoided } of clashes(history)) {
      if (!isVoided) yield `${number}: ${earlier.key}, ${call.key}`;
    }
  }),

  'a voided number issued again': rule(
    'A number that was handed out is never issued again, even if it was voided.',
    function* (history) {
      for (const { number, earlier, call, isVoided } of clashes(history)) {
        if (isVoided) yield `${number}: ${earlier.key}, voided, then ${call.key}`;
      }
    },
  ),

  'one key, two numbers': rule('A retry with the same key returns the same number.', function* (history) {
    for (const { key, earlier, text } of changes(history)) yield `${key}: ${earlier}, then ${text}`;
  }),

  'a repeat refused': rule('A retry with the same key and content succeeds.', function* ({ calls }) {
    for (const call of calls) {
      if (call.asked !== 'numbers' || call.ending.kind !== 'failed') continue;
      if (call.ending.code === 'IdempotencyKeyReused') yield `${call.key}: ${call.ending.code}`;
    }
  }),

  /** Nobody else gets the number of a key, or another number while the ledger has the key. */
  'a key of another person': rule('A key belongs to the person who used it first.', function* (history) {
    const rows = rowsByNumber(history);
    for (const { key, number, answer } of answered(history, 'borrowing')) {
      if (answer.number === undefined) continue;
      if (answer.number === number || rows.get(number)?.key === key)
        yield `${key}: ${number}, ${answer.number}`;
    }
  }),

  'a lost number': rule('Every number that was reported has a ledger row.', function* (history) {
    const rows = rowsByNumber(history);
    for (const { number, call } of reported(history)) {
      if (!rows.has(number)) yield `${number} for ${call.key}`;
    }
  }),

  /** Leaves out what another rule reports: a number of two keys, a key with two numbers. */
  'a number of another request': rule(
    'The ledger row of a number has the key of its request.',
    function* (history) {
      const rows = rowsByNumber(history);
      const clashing = new Set([...clashes(history)].map(({ number }) => number));
      const changing = new Set([...changes(history)].map(({ key }) => key));
      for (const { number, call } of reported(history)) {
        const row = rows.get(number);
        if (row === undefined || clashing.has(number) || changing.has(call.key)) continue;
        if (row.key !== call.key) yield `${number} for ${call.key}: stored for ${row.key}`;
      }
    },
  ),

  'a number stored otherwise': rule(
    'The position that was reported is the one that is stored.',
    function* (history) {
      const rows = rowsByNumber(history);
      for (const { number, sequence } of reported(history)) {
        const stored = rows.get(number)?.sequence ?? sequence;
        if (sequence !== undefined && stored !== sequence)
          yield `${number}: ${sequence}, stored as ${stored}`;
      }
    },
  ),

  'a hole in the ledger': rule(
    'A series is numbered 1, 2, 3 … n, and none is missing.',
    function* ({ ledger, counters }) {
      const ends = counters.map(({ counter, last }) => ({ counter, sequence: last + 1 }));
      const gap = findGap([...ledger, ...ends], {
        value: ({ sequence }) => sequence,
        by: ({ counter }) => counter,
      });
      if (gap !== undefined) yield `counter ${gap.by}: ${gap.missing} is missing before ${gap.last}`;
    },
  ),

  'a number beyond its counter': rule(
    'No number is recorded without being counted.',
    function* ({ ledger, counters }) {
      const last = new Map(counters.map((counter) => [counter.counter, counter.last]));
      for (const { counter, sequence, number } of ledger) {
        if (sequence > (last.get(counter) ?? 0))
          yield `${number}: counter ${counter} is at ${last.get(counter)}`;
      }
    },
  ),

  'one number, two rows': rule('A number has one ledger row.', function* ({ ledger }) {
    const clash = findDuplicates(ledger, { value: ({ number }) => number });
    if (clash !== undefined)
      yield `${clash.later.number} at ${clash.earlier.sequence}, ${clash.later.sequence}`;
  }),

  /** A request that was not answered may be stored as well, but not in part. */
  'half a batch': rule('The numbers of one request are stored together.', function* ({ calls, ledger }) {
    const rowCount = new Map<string | null, number>();
    for (const { key } of ledger) rowCount.set(key, (rowCount.get(key) ?? 0) + 1);
    const wanted = new Map(
      calls.flatMap((call) => (call.asked === 'numbers' ? [[call.key, call.count]] : [])),
    );
    for (const [key, count] of wanted) {
      const stored = rowCount.get(key) ?? 0;
      if (stored > 0 && stored !== count) yield `${key}: ${stored} rows of ${count}`;
    }
  }),

  'a scattered batch': rule('The numbers of one request follow each other.', function* (history) {
    for (const { key, answer } of answered(history, 'numbers')) {
      const [first] = answer;
      if (first?.sequence === undefined) continue;
      const isRow = answer.every(({ sequence }, index) => sequence === Number(first.sequence) + index);
      if (!isRow) yield `${key}: ${answer.map(({ sequence }) => sequence).join(' ')}`;
    }
  }),

  /** Of two calls for one counter of which one had ended when the other began, the later one has the higher number. */
  'numbers out of order': rule('Numbers rise in the order of their commits.', function* (history) {
    const rows = rowsByNumber(history);
    const isFirst = new Map<string, number>();
    for (const call of history.calls) {
      if (call.asked === 'numbers')
        isFirst.set(call.key, Math.min(isFirst.get(call.key) ?? call.atMs, call.atMs));
    }
    const fresh = reported(history).flatMap(({ number, call }) => {
      const row = rows.get(number);
      // A repeat began after its number was committed.
      return row?.key !== call.key || isFirst.get(call.key) !== call.atMs ? [] : [{ ...row, call }];
    });
    for (const draws of grouped(fresh, ({ counter }) => counter).values()) {
      const ended = draws.toSorted((one, other) => endMs(one) - endMs(other));
      let highest = { sequence: 0, number: '' };
      for (const { sequence, number, call } of draws.sort((one, other) => one.call.atMs - other.call.atMs)) {
        for (let next = ended[0]; next && endMs(next) <= call.atMs; next = ended[0]) {
          if (next.sequence > highest.sequence) highest = next;
          ended.shift();
        }
        if (sequence < highest.sequence) yield `${number} after ${highest.number}`;
      }
    }
  }),
};

/** The first row of each number. */
export function rowsByNumber({ ledger }: History): Map<string, LedgerRow> {
  return new Map(ledger.toReversed().map((row) => [row.number, row]));
}

/** Pairs of a number and the call that it was reported to. */
export function reported(history: History) {
  return answered(history, 'numbers').flatMap((call) => call.answer.map((given) => ({ ...given, call })));
}

/** Numbers that were reported for more than one key, each with its first and its later call. */
function* clashes(history: History) {
  const first = new Map<string, Answered<'numbers'>>();
  for (const { number, call } of reported(history)) {
    const earlier = first.get(number);
    if (earlier === undefined) first.set(number, call);
    else if (earlier.key !== call.key) {
      const isVoided = answered(history, 'correction').some(
        (step) => step.step === 'void' && step.number === number && precedes(step, call),
      );
      yield { number, earlier, call, isVoided };
    }
  }
}

/** Keys for which more than one answer was given, each with the first and the other one. */
function* changes(history: History) {
  const textOf = new Map<string, string>();
  for (const { key, answer } of answered(history, 'numbers')) {
    const text = answer.map(({ number }) => number).join(' ');
    const earlier = textOf.get(key) ?? text;
    textOf.set(key, text);
    if (earlier !== text) yield { key, earlier, text };
  }
}

const endMs = ({ call }: { readonly call: Answered<'numbers'> }): number => call.atMs + call.tookMs;
