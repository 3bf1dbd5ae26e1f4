/**
 * Checkers of a recorded history. Each reads its entries once, in linear time and memory (a million entries take well
 * under a second), and returns the smallest witness of a violation, or undefined for a clean history. The witness is
 * the end of the shortest prefix that shows the violation or, for gaps, the smallest missing number.
 *
 * Entries can be the values themselves (`findDuplicates(ids)`), or records, with `value` and `by` to extract the facts:
 * `findGap(issued, { by: (number) => number.series, value: (number) => number.sequence })`.
 */

/** A value in a history: an ID, a document number, the name of a winner. */
export type HistoryValue = bigint | number | string;

/** How a checker extracts the facts from an entry. */
export interface HistoryView<Entry> {
  /** The value of an entry; default: the entry itself. */
  readonly value?: (entry: Entry) => HistoryValue;
  /** Splits the history into parts that are checked separately: process, series, trip and epoch; default: one part. */
  readonly by?: (entry: Entry) => HistoryValue;
}

/** The view of entries that are records: `value` is required. */
export type ValueView<Entry> = HistoryView<Entry> & Required<Pick<HistoryView<Entry>, 'value'>>;

/** The first number of each part; default 1. */
export interface First {
  readonly first?: bigint | number;
}

/** Two entries that contradict each other, with their positions (from 0) in the history. */
export interface Clash<Entry> {
  readonly by: HistoryValue | undefined;
  readonly earlier: Entry;
  readonly earlierIndex: number;
  readonly later: Entry;
  readonly laterIndex: number;
}

/** A number that was never issued although a higher one was. */
export interface Gap {
  readonly by: HistoryValue | undefined;
  readonly missing: bigint;
  /** The highest number of the part. */
  readonly last: bigint;
}

type Part = HistoryValue | undefined;
type Facts<Entry> = { part: (entry: Entry) => Part; value: (entry: Entry) => HistoryValue };

/** Finds a value that occurs twice within one part. `1` and `1n` are different values. */
export function findDuplicates<Entry extends HistoryValue>(
  history: Iterable<Entry>,
): Clash<Entry> | undefined;
export function findDuplicates<Entry>(
  history: Iterable<Entry>,
  view: ValueView<Entry>,
): Clash<Entry> | undefined;
export function findDuplicates<Entry>(history: Iterable<Entry>, view: HistoryView<Entry> = {}) {
  const facts = factsOf(view);
  const entries = Array.isArray(history) ? (history as readonly Entry[]) : [...history];
  const seen = new Map<Part, Map<HistoryValue, number>>();
  for (const [laterIndex, later] of entries.entries()) {
    const by = facts.part(later);
    const indexes = partOf(seen, by);
    const value = facts.value(later);
    const earlierIndex = indexes.get(value);
    if (earlierIndex !== undefined) {
      return { by, earlier: entries[earlierIndex] as Entry, earlierIndex, later, laterIndex };
    }
    indexes.set(value, laterIndex);
  }
  return undefined;
}

/**
 * Finds the smallest number between `first` and the highest number of a part that was never issued. The order of the
 * entries does not matter, and duplicates are ignored. Decimal strings are read as numbers, since PostgreSQL's bigint
 * reaches JavaScript as a string. If several parts have gaps, the part that appears first is reported.
 *
 * @throws RangeError for a number below `first`, SyntaxError or RangeError for a value that is not a whole number
 */
export function findGap<Entry extends HistoryValue>(history: Iterable<Entry>, view?: First): Gap | undefined;
export function findGap<Entry>(history: Iterable<Entry>, view: ValueView<Entry> & First): Gap | undefined;
export function findGap<Entry>(
  history: Iterable<Entry>,
  { first = 1, ...view }: HistoryView<Entry> & First = {},
) {
  const facts = factsOf(view);
  const start = BigInt(first);
  const parts = new Map<Part, { last: bigint; offsets: number[] }>();
  for (const entry of history) {
    const number = BigInt(facts.value(entry));
    if (number < start) throw new RangeError(`${number} is below the first number ${start}; state { first }`);
    const part = facts.part(entry);
    const given = parts.get(part) ?? { last: number, offsets: [] };
    if (given.offsets.length === 0) parts.set(part, given);
    if (number > given.last) given.last = number;
    given.offsets.push(Number(number - start));
  }
  for (const [by, { last, offsets }] of parts) {
    const missing = start + BigInt(smallestMissing(offsets));
    if (missing < last) return { by, missing, last };
  }
  return undefined;
}

function factsOf<Entry>(view: HistoryView<Entry>): Facts<Entry> {
  return {
    part: view.by ?? (() => undefined),
    value: view.value ?? ((entry) => entry as HistoryValue),
  };
}

function partOf(seen: Map<Part, Map<HistoryValue, number>>, part: Part): Map<HistoryValue, number> {
  const known = seen.get(part);
  if (known) return known;
  const fresh = new Map<HistoryValue, number>();
  seen.set(part, fresh);
  return fresh;
}

/** The smallest of 0, 1, 2 … that is not among `offsets`. It is at most their count, so one flag each is enough. */
function smallestMissing(offsets: readonly number[]): number {
  const given = new Uint8Array(offsets.length + 1);
  for (const offset of offsets) if (offset < given.length) given[offset] = 1;
  return given.indexOf(0);
}
