import type { RuleName } from '../../src/history/check.js';
import type { Asked, CallOf, StoredTrip } from '../../src/history/history.js';
import { TRIPS } from '../honest-history.js';
import type { Draft } from '../honest-system.js';

/** A lie in a history or in what the stores held at its end, and the one rule that catches it. */
export const caught = (caughtBy: RuleName, falsify: (draft: Draft) => void) => ({ caughtBy, falsify });

type DraftOf<Value> = { -readonly [Key in keyof Value]: DraftOf<Value[Key]> };
type Answered<Kind extends Asked> = DraftOf<Omit<CallOf<Kind>, 'ending'>> & {
  ending: {
    kind: 'answered';
    answer: DraftOf<Extract<CallOf<Kind>['ending'], { kind: 'answered' }>['answer']>;
  };
};

/** The first answered call of a kind that has these properties. */
export function answeredCall<Kind extends Asked>(
  { calls }: Draft,
  asked: Kind,
  asks: Partial<CallOf<Kind>> = {},
): Answered<Kind> {
  const found = calls.filter(
    (call) =>
      call.asked === asked &&
      call.ending.kind === 'answered' &&
      Object.entries(asks).every(([name, value]) => (call as Record<string, unknown>)[name] === value),
  );
  return defined(found[0]) as unknown as Answered<Kind>;
}

export function trip({ trips }: Draft, key: (typeof TRIPS)[number]): DraftOf<StoredTrip> {
  return defined(trips.find((one) => one.key === key));
}

export function rowOf({ ledger }: Draft, key: string) {
  return defined(ledger.find((row) => row.key === key));
}

/** Undoes the last change of a trip, as if its commit had been lost. */
export function undo(draft: Draft, key: (typeof TRIPS)[number], status: string): void {
  const undone = trip(draft, key);
  draft.events = draft.events.filter(
    ({ tripId, revision }) => tripId !== undone.tripId || revision < undone.revision,
  );
  Object.assign(undone, { status, revision: undone.revision - 1 });
}

export function defined<Value>(value: Value | undefined): Value {
  if (value === undefined) throw new RangeError('The honest history lacks what is to be falsified');
  return value;
}
