import type { RunRecord } from '../measuring/recorder.js';
import type { Verdict, Violation } from '../measuring/result.js';
import { failedCountOf } from '../measuring/run-metrics.js';
import type { NumberAnswer } from './subjects/numbers-request.js';

/** The stored state of one counter; parts that the subject does not keep are absent. */
export interface StoredCounter {
  /** Sequences of the ledger, in any order. */
  readonly ledger?: readonly number[];
  readonly lastNumber?: number;
}

export interface NumbersEvidence {
  readonly answers: readonly NumberAnswer[];
  /** Failed calls, whose numbers can be stored without having been returned. */
  readonly failedCount: number;
  readonly stored: ReadonlyMap<string, StoredCounter>;
}

/** Checks the numbers that the callers of one run got; see {@link verifyNumbers}. */
export function numbersVerdict(
  records: readonly RunRecord[],
  stored: ReadonlyMap<string, StoredCounter>,
): Verdict {
  const answers = records.flatMap((record) => record.answers as readonly NumberAnswer[]);
  const violations = verifyNumbers({ answers, failedCount: failedCountOf(records), stored });
  return { violations, verifiedCount: answers.length };
}

/**
 * Checks callers' numbers against counters and ledger: every number was issued once, the ledger of each counter is
 * 1, 2, 3 … n, every number issued is stored, every stored number was returned (or its call failed), and the counter's
 * last number is the ledger's. Returns the smallest witness of each broken rule.
 */
export function verifyNumbers(evidence: NumbersEvidence): Violation[] {
  const answeredBy = new Map<string, number[]>();
  for (const { counter, sequence } of evidence.answers) {
    const known = answeredBy.get(counter);
    if (known === undefined) answeredBy.set(counter, [sequence]);
    else known.push(sequence);
  }
  let unansweredLeft = evidence.failedCount;
  const violations: Violation[] = [];
  for (const counter of new Set([...answeredBy.keys(), ...evidence.stored.keys()])) {
    const given = (answeredBy.get(counter) ?? []).sort((left, right) => left - right);
    const stored = evidence.stored.get(counter) ?? { ledger: [] };
    const ledger = stored.ledger === undefined ? undefined : [...stored.ledger].sort((l, r) => l - r);
    violations.push(...repeatedNumber(counter, given));
    if (ledger !== undefined) {
      violations.push(...brokenLedger(counter, ledger));
      const { onlyAnswered, onlyStored } = differ(given, ledger);
      const isLost = 'was given to a caller and is not in the ledger';
      violations.push(...otherwiseStored(counter, onlyAnswered, isLost));
      unansweredLeft -= onlyStored.length;
      const isUnanswered = 'is in the ledger, no caller got it, and no call failed';
      if (unansweredLeft < 0) violations.push(...otherwiseStored(counter, onlyStored, isUnanswered));
    }
    violations.push(...wrongCounter(counter, stored, ledger ?? given));
  }
  return violations;
}

function repeatedNumber(counter: string, given: readonly number[]): Violation[] {
  const index = given.findIndex((sequence, position) => position > 0 && sequence === given[position - 1]);
  if (index < 0) return [];
  return [{ rule: 'unique', witness: `number ${given[index]} of ${counter} was given to two callers` }];
}

function brokenLedger(counter: string, ledger: readonly number[]): Violation[] {
  const index = ledger.findIndex((sequence, position) => sequence !== position + 1);
  if (index < 0) return [];
  const found = ledger[index] ?? 0;
  if (found === ledger[index - 1]) {
    return [{ rule: 'unique', witness: `number ${found} of ${counter} is in the ledger twice` }];
  }
  const witness = `number ${index + 1} of ${counter} is missing; the ledger continues with ${found}`;
  return [{ rule: 'gapless', witness }];
}

function otherwiseStored(counter: string, [sequence]: readonly number[], what: string): Violation[] {
  if (sequence === undefined) return [];
  return [{ rule: 'answer = stored', witness: `number ${sequence} of ${counter} ${what}` }];
}

function wrongCounter(counter: string, stored: StoredCounter, numbers: readonly number[]): Violation[] {
  const { lastNumber } = stored;
  const highest = numbers.at(-1) ?? 0;
  if (lastNumber === undefined || lastNumber === highest) return [];
  const witness = `the counter ${counter} is at ${lastNumber}, the highest number is ${highest}`;
  return [{ rule: 'ledger = counter', witness }];
}

/** Compares two sorted lists in one pass. A number that is on one side twice counts as a difference. */
function differ(
  given: readonly number[],
  ledger: readonly number[],
): { onlyAnswered: number[]; onlyStored: number[] } {
  const onlyAnswered: number[] = [];
  const onlyStored: number[] = [];
  let left = 0;
  let right = 0;
  while (left < given.length || right < ledger.length) {
    const one = given[left] ?? Number.POSITIVE_INFINITY;
    const other = ledger[right] ?? Number.POSITIVE_INFINITY;
    if (one <= other) left += 1;
    if (other <= one) right += 1;
    if (one < other) onlyAnswered.push(one);
    if (other < one) onlyStored.push(other);
  }
  return { onlyAnswered, onlyStored };
}
