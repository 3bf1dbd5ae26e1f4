import { findDuplicates } from '@solegate/testkit';
import { answered, type ReceivedFact } from './history.js';
import { rowsByNumber } from './numbers.js';
import { rule } from './rule.js';

export const FACT_RULES = {
  /** Looks at the counters of which at least one number was received: others were not followed. */
  'a fact that no reader received': rule(
    'A reader with a cursor gets every number of its series, and what became of it.',
    function* (history) {
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
    },
  ),

  'a fact received twice': rule('A reader with a cursor gets each fact once.', function* ({ streams }) {
    const clash = findDuplicates(streams.facts.map(nameOf));
    if (clash !== undefined) yield clash.later;
  }),

  /** Leaves out what another rule reports: a fact that was received twice, or not at all. */
  'facts out of order': rule(
    'A reader gets the numbers of a counter in their order, and what became of a number after it.',
    function* ({ streams: { facts } }) {
      const last = new Map<string, number>();
      const known = new Set<string>();
      for (const fact of facts) {
        if (known.has(nameOf(fact))) continue;
        known.add(nameOf(fact));
        const { kind, counter, sequence } = fact;
        const before = last.get(counter) ?? 0;
        const isFirst = FIRST.has(kind);
        if (isFirst ? sequence < before : sequence > before)
          yield `${nameOf(fact)}, ${before} being the last`;
        if (isFirst) last.set(counter, Math.max(before, sequence));
      }
    },
  ),
};

const FIRST: ReadonlySet<string> = new Set(['ISSUED', 'RESERVED', 'SKIPPED']);
const KIND_OF = { void: 'VOIDED', replace: 'VOIDED', confirm: 'CONFIRMED', cancel: 'CANCELLED' } as const;

const nameOf = ({ kind, number }: Pick<ReceivedFact, 'kind' | 'number'>): string => `${kind} ${number}`;
