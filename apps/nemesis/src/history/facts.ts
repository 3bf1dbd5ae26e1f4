import { findDuplicates } from '@solegate/testkit';
import { answered, type History, type ReceivedFact } from './history.js';
import { rowsByNumber } from './numbers.js';
import type { Rules } from './rule.js';

export const FACT_RULES = {
  'a fact that no reader received': {
    promise: 'A reader with a cursor gets every number of its series, and what became of it.',
    find: missingFacts,
  },
  'a fact received twice': { promise: 'A reader with a cursor gets each fact once.', find: repeatedFacts },
  'facts out of order': {
    promise: 'A reader gets the numbers of a counter in their order, and what became of a number after it.',
    find: disorderedFacts,
  },
} satisfies Rules;

const FIRST: ReadonlySet<string> = new Set(['ISSUED', 'RESERVED', 'SKIPPED']);
const KIND_OF = { void: 'VOIDED', replace: 'VOIDED', confirm: 'CONFIRMED', cancel: 'CANCELLED' } as const;

const nameOf = ({ kind, number }: Pick<ReceivedFact, 'kind' | 'number'>): string => `${kind} ${number}`;

/** Looks at the counters of which at least one number was received: others were not followed. */
function* missingFacts(history: History): Iterable<string> {
  const { facts } = history.streams;
  const rows = rowsByNumber(history);
  const followed = new Set(facts.map(({ number }) => rows.get(number)?.counter));
  const received = new Set(facts.map(nameOf));
  const begun = new Set(facts.flatMap(({ kind, number }) => (FIRST.has(kind) ? [number] : [])));
  for (const { number, counter } of rows.values()) {
    if (followed.has(counter) && !begun.has(number)) yield number;
  }
  for (const { step, number } of answered(history, 'correction')) {
    const fact = nameOf({ kind: KIND_OF[step], number });
    if (begun.has(number) && !received.has(fact)) yield fact;
  }
}

function* repeatedFacts({ streams }: History): Iterable<string> {
  const clash = findDuplicates(streams.facts.map(nameOf));
  if (clash !== undefined) yield clash.later;
}

/** Leaves out what another rule reports: a fact that was received twice, or not at all. */
function* disorderedFacts({ streams: { facts } }: History): Iterable<string> {
  const last = new Map<string, number>();
  const known = new Set<string>();
  for (const fact of facts) {
    if (known.has(nameOf(fact))) continue;
    known.add(nameOf(fact));
    const { kind, counter, sequence } = fact;
    const before = last.get(counter) ?? 0;
    const isFirst = FIRST.has(kind);
    if (isFirst ? sequence < before : sequence > before) yield `${nameOf(fact)}, ${before} being the last`;
    if (isFirst) last.set(counter, Math.max(before, sequence));
  }
}
