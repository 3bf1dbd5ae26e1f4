import type { Violation } from '../measuring/result.js';
import type { NumberTold } from './numbers-request.js';

/** What the store holds of one counter; a part that the subject does not keep is absent. */
export interface StoredCounter {
  /** Sequences of the ledger, in any order. */
  readonly ledger?: readonly number[];
  readonly lastNumber?: number;
}

export interface NumbersEvidence {
  readonly told: readonly NumberTold[];
  /** Calls that failed: their numbers may be stored without anybody having been told. */
  readonly failedCount: number;
  readonly stored: ReadonlyMap<string, StoredCounter>;
}

/**
 * Holds what callers were told against counters and ledger: every number told once, the ledger of each counter is
 * 1, 2, 3 … n, every number told is stored, every stored number was told (or its call failed), and the counter's last
 * number is the ledger's. Gives the smallest witness of each rule that is broken.
 */
export function verifyNumbers(evidence: NumbersEvidence): Violation[] {
  const toldOf = new Map<string, number[]>();
  for (const { counter, sequence } of evidence.told) {
    const known = toldOf.get(counter);
    if (known === undefined) toldOf.set(counter, [sequence]);
    else known.push(sequence);
  }
  let untoldLeft = evidence.failedCount;
  const violations: Violation[] = [];
  for (const counter of new Set([...toldOf.keys(), ...evidence.stored.keys()])) {
    const told = (toldOf.get(counter) ?? []).sort((left, right) => left - right);
    const stored = evidence.stored.get(counter) ?? { ledger: [] };
    const ledger = stored.ledger === undefined ? undefined : [...stored.ledger].sort((l, r) => l - r);
    violations.push(...repeatedNumber(counter, told));
    if (ledger !== undefined) {
      violations.push(...brokenLedger(counter, ledger));
      const difference = differ(told, ledger);
      violations.push(...unstored(counter, difference.onlyTold));
      untoldLeft -= difference.onlyStored.length;
      if (untoldLeft < 0) violations.push(...untold(counter, difference.onlyStored));
    }
    violations.push(...wrongCounter(counter, stored, ledger ?? told));
  }
  return violations;
}

function repeatedNumber(counter: string, told: readonly number[]): Violation[] {
  const index = told.findIndex((sequence, position) => position > 0 && sequence === told[position - 1]);
  if (index < 0) return [];
  return [{ rule: 'unique', witness: `number ${told[index]} of ${counter} was told to two callers` }];
}

function brokenLedger(counter: string, ledger: readonly number[]): Violation[] {
  const index = ledger.findIndex((sequence, position) => sequence !== position + 1);
  if (index < 0) return [];
  const found = ledger[index] ?? 0;
  if (found === ledger[index - 1]) {
    return [{ rule: 'unique', witness: `number ${found} of ${counter} is in the ledger twice` }];
  }
  const witness = `number ${index + 1} of ${counter} is missing; the ledger goes on with ${found}`;
  return [{ rule: 'gapless', witness }];
}

function unstored(counter: string, onlyTold: readonly number[]): Violation[] {
  const [sequence] = onlyTold;
  if (sequence === undefined) return [];
  const witness = `number ${sequence} of ${counter} was told to a caller and is not in the ledger`;
  return [{ rule: 'told = stored', witness }];
}

function untold(counter: string, onlyStored: readonly number[]): Violation[] {
  const [sequence] = onlyStored;
  if (sequence === undefined) return [];
  const witness = `number ${sequence} of ${counter} is in the ledger, nobody was told, and no call failed`;
  return [{ rule: 'told = stored', witness }];
}

function wrongCounter(counter: string, stored: StoredCounter, numbers: readonly number[]): Violation[] {
  const { lastNumber } = stored;
  const highest = numbers.at(-1) ?? 0;
  if (lastNumber === undefined || lastNumber === highest) return [];
  const witness = `the counter ${counter} stands at ${lastNumber}, the highest number is ${highest}`;
  return [{ rule: 'ledger = counter', witness }];
}

/** Walks two sorted lists once. A number that stands twice on one side only counts as a difference. */
function differ(
  told: readonly number[],
  ledger: readonly number[],
): { onlyTold: number[]; onlyStored: number[] } {
  const onlyTold: number[] = [];
  const onlyStored: number[] = [];
  let left = 0;
  let right = 0;
  while (left < told.length || right < ledger.length) {
    const one = told[left] ?? Number.POSITIVE_INFINITY;
    const other = ledger[right] ?? Number.POSITIVE_INFINITY;
    if (one <= other) left += 1;
    if (other <= one) right += 1;
    if (one < other) onlyTold.push(one);
    if (other < one) onlyStored.push(other);
  }
  return { onlyTold, onlyStored };
}
