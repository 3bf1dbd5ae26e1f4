import { findDuplicates, findGap } from '@solegate/testkit';
import type { Call, History } from './history.js';

/** A broken promise. */
export type Rule =
  | 'a duplicate ID'
  | 'a duplicate number'
  | 'one key, two numbers'
  | 'a number outside of the ledger'
  | 'a hole in the ledger'
  | 'two winners'
  | 'a winner who is not stored'
  | 'a winner who was turned away'
  | 'a call that did not end'
  | 'an internal error';

export interface Violation {
  readonly rule: Rule;
  /** The smallest evidence. */
  readonly witness: string;
}

/** Checks every answer against every other and against PostgreSQL. */
export function check(history: History): Violation[] {
  return [...checkIds(history), ...checkNumbers(history), ...checkTrips(history), ...checkCalls(history)];
}

function checkIds({ calls }: History): Violation[] {
  const ids = calls.flatMap((call) =>
    call.asked === 'ids' && call.ending.kind === 'answered' ? call.ending.answer : [],
  );
  const clash = findDuplicates(ids);
  return clash === undefined ? [] : [{ rule: 'a duplicate ID', witness: clash.later }];
}

function checkNumbers({ calls, ledger, counters }: History): Violation[] {
  const violations: Violation[] = [];
  const keyOf = new Map<string, string>();
  const numberOf = new Map<string, string>();
  const stored = new Map(ledger.map(({ number, key }) => [number, key]));
  for (const call of calls) {
    if (call.asked !== 'number' || call.ending.kind !== 'answered') continue;
    const { key } = call;
    const number = call.ending.answer;
    const otherKey = keyOf.get(number) ?? key;
    const otherNumber = numberOf.get(key) ?? number;
    keyOf.set(number, key);
    numberOf.set(key, number);
    if (otherKey !== key)
      violations.push({ rule: 'a duplicate number', witness: `${number}: ${otherKey}, ${key}` });
    if (otherNumber !== number) {
      violations.push({ rule: 'one key, two numbers', witness: `${key}: ${otherNumber}, ${number}` });
    }
    if (stored.get(number) !== key) {
      const why = stored.has(number) ? `stored for ${stored.get(number)}` : 'not stored';
      violations.push({ rule: 'a number outside of the ledger', witness: `${number} for ${key}: ${why}` });
    }
  }
  const counted = counters.map(({ counter, last }) => ({ counter, sequence: last + 1 }));
  const gap = findGap([...ledger, ...counted], {
    value: ({ sequence }) => sequence,
    by: ({ counter }) => counter,
  });
  if (gap !== undefined) {
    const witness = `counter ${gap.by}: ${gap.missing} is missing, and it counted to ${gap.last - 1n}`;
    violations.push({ rule: 'a hole in the ledger', witness });
  }
  return violations;
}

function checkTrips({ calls, accepts }: History): Violation[] {
  const violations: Violation[] = [];
  const stored = new Map(accepts.map(({ tripId, epoch, driverId }) => [`${tripId}/${epoch}`, driverId]));
  const winners = new Map<string, string>();
  for (const call of calls) {
    if (call.asked !== 'trip' || call.ending.kind !== 'answered') continue;
    const { answer } = call.ending;
    const offer = `${call.tripId}/${call.epoch}`;
    const winner = stored.get(offer);
    if (answer === 'TripAccepted') {
      const other = winners.get(offer) ?? call.driverId;
      winners.set(offer, call.driverId);
      if (other !== call.driverId) {
        violations.push({ rule: 'two winners', witness: `${offer}: ${other}, ${call.driverId}` });
      }
      if (winner !== call.driverId) {
        const witness = `${offer}: ${call.driverId} accepted, ${winner ?? 'nobody'} is stored`;
        violations.push({ rule: 'a winner who is not stored', witness });
      }
    } else if (answer === 'TripTaken' && winner === call.driverId) {
      violations.push({ rule: 'a winner who was turned away', witness: `${offer}: ${call.driverId}` });
    }
  }
  return violations;
}

function checkCalls({ calls, callLimitMs }: History): Violation[] {
  return calls.flatMap((call): Violation[] => {
    const witness = `${callWords(call)}, ${Math.round(call.tookMs)} ms`;
    const isFault = call.ending.kind === 'failed' && call.ending.code === 'INTERNAL_SERVER_ERROR';
    return [
      ...(call.tookMs > callLimitMs ? [{ rule: 'a call that did not end', witness } as const] : []),
      ...(isFault ? [{ rule: 'an internal error', witness } as const] : []),
    ];
  });
}

function callWords(call: Call): string {
  switch (call.asked) {
    case 'ids':
      return 'generateTsids';
    case 'number':
      return `number for ${call.key}`;
    case 'trip':
      return `driver ${call.driverId} accepts ${call.tripId}/${call.epoch}`;
  }
}
