import { findDuplicates, findGap } from '@solegate/testkit';
import { type Answered, answered, grouped, type History, type LedgerRow, precedes } from './history.js';
import type { Rules } from './rule.js';

export const NUMBER_RULES = {
  'a duplicate number': { promise: 'No number is issued twice.', find: duplicateNumbers },
  'a voided number issued again': {
    promise: 'A number that was handed out is never issued again, even if it was voided.',
    find: reissuedNumbers,
  },
  'one key, two numbers': {
    promise: 'A retry with the same key returns the same number.',
    find: changedNumbers,
  },
  'a repeat refused': { promise: 'A retry with the same key and content succeeds.', find: refusedRepeats },
  'a key of another person': {
    promise: 'A key belongs to the person who used it first.',
    find: borrowedKeys,
  },
  'a lost number': { promise: 'Every number that was reported has a ledger row.', find: lostNumbers },
  'a number of another request': {
    promise: 'The ledger row of a number has the key of its request.',
    find: foreignNumbers,
  },
  'a number stored otherwise': {
    promise: 'The position that was reported is the one that is stored.',
    find: otherSequences,
  },
  'a hole in the ledger': { promise: 'A series is numbered 1, 2, 3 … n, and none is missing.', find: holes },
  'a number beyond its counter': {
    promise: 'No number is recorded without being counted.',
    find: uncountedNumbers,
  },
  'one number, two rows': { promise: 'A number has one ledger row.', find: doubleRows },
  'half a batch': { promise: 'The numbers of one request are stored together.', find: halfBatches },
  'a scattered batch': { promise: 'The numbers of one request follow each other.', find: scatteredBatches },
  'numbers out of order': { promise: 'Numbers rise in the order of their commits.', find: fallingNumbers },
} satisfies Rules;

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

function* duplicateNumbers(history: History): Iterable<string> {
  for (const { number, earlier, call, isVoided } of clashes(history)) {
    if (!isVoided) yield `${number}: ${earlier.key}, ${call.key}`;
  }
}

function* reissuedNumbers(history: History): Iterable<string> {
  for (const { number, earlier, call, isVoided } of clashes(history)) {
    if (isVoided) yield `${number}: ${earlier.key}, voided, then ${call.key}`;
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

function* changedNumbers(history: History): Iterable<string> {
  for (const { key, earlier, text } of changes(history)) yield `${key}: ${earlier}, then ${text}`;
}

function* refusedRepeats({ calls }: History): Iterable<string> {
  for (const call of calls) {
    if (call.asked !== 'numbers' || call.ending.kind !== 'failed') continue;
    if (call.ending.code === 'IdempotencyKeyReused') yield `${call.key}: ${call.ending.code}`;
  }
}

/** Nobody else gets the number of a key, or another number while the ledger has the key. */
function* borrowedKeys(history: History): Iterable<string> {
  const rows = rowsByNumber(history);
  for (const { key, number, answer } of answered(history, 'borrowing')) {
    if (answer.number === undefined) continue;
    if (answer.number === number || rows.get(number)?.key === key)
      yield `${key}: ${number}, ${answer.number}`;
  }
}

function* lostNumbers(history: History): Iterable<string> {
  const rows = rowsByNumber(history);
  for (const { number, call } of reported(history)) {
    if (!rows.has(number)) yield `${number} for ${call.key}`;
  }
}

/** Leaves out what another rule reports: a number of two keys, a key with two numbers. */
function* foreignNumbers(history: History): Iterable<string> {
  const rows = rowsByNumber(history);
  const clashing = new Set([...clashes(history)].map(({ number }) => number));
  const changing = new Set([...changes(history)].map(({ key }) => key));
  for (const { number, call } of reported(history)) {
    const row = rows.get(number);
    if (row === undefined || clashing.has(number) || changing.has(call.key)) continue;
    if (row.key !== call.key) yield `${number} for ${call.key}: stored for ${row.key}`;
  }
}

function* otherSequences(history: History): Iterable<string> {
  const rows = rowsByNumber(history);
  for (const { number, sequence } of reported(history)) {
    const stored = rows.get(number)?.sequence ?? sequence;
    if (sequence !== undefined && stored !== sequence) yield `${number}: ${sequence}, stored as ${stored}`;
  }
}

function* holes({ ledger, counters }: History): Iterable<string> {
  const ends = counters.map(({ counter, last }) => ({ counter, sequence: last + 1 }));
  const gap = findGap([...ledger, ...ends], {
    value: ({ sequence }) => sequence,
    by: ({ counter }) => counter,
  });
  if (gap !== undefined) yield `counter ${gap.by}: ${gap.missing} is missing before ${gap.last}`;
}

function* uncountedNumbers({ ledger, counters }: History): Iterable<string> {
  const last = new Map(counters.map((counter) => [counter.counter, counter.last]));
  for (const { counter, sequence, number } of ledger) {
    if (sequence > (last.get(counter) ?? 0)) yield `${number}: counter ${counter} is at ${last.get(counter)}`;
  }
}

function* doubleRows({ ledger }: History): Iterable<string> {
  const clash = findDuplicates(ledger, { value: ({ number }) => number });
  if (clash !== undefined)
    yield `${clash.later.number} at ${clash.earlier.sequence}, ${clash.later.sequence}`;
}

/** A request that was not answered may be stored as well, but not in part. */
function* halfBatches({ calls, ledger }: History): Iterable<string> {
  const rowCount = new Map<string | null, number>();
  for (const { key } of ledger) rowCount.set(key, (rowCount.get(key) ?? 0) + 1);
  const wanted = new Map(calls.flatMap((call) => (call.asked === 'numbers' ? [[call.key, call.count]] : [])));
  for (const [key, count] of wanted) {
    const stored = rowCount.get(key) ?? 0;
    if (stored > 0 && stored !== count) yield `${key}: ${stored} rows of ${count}`;
  }
}

function* scatteredBatches(history: History): Iterable<string> {
  for (const { key, answer } of answered(history, 'numbers')) {
    const [first] = answer;
    if (first?.sequence === undefined) continue;
    const isRow = answer.every(({ sequence }, index) => sequence === Number(first.sequence) + index);
    if (!isRow) yield `${key}: ${answer.map(({ sequence }) => sequence).join(' ')}`;
  }
}

/** Of two calls for one counter of which one had ended when the other began, the later one has the higher number. */
function* fallingNumbers(history: History): Iterable<string> {
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
}

const endMs = ({ call }: { readonly call: Answered<'numbers'> }): number => call.atMs + call.tookMs;
