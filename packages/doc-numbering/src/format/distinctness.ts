import type { NumberAutomaton, NumberState } from './number-automaton.js';

/**
 * Proof that two counters never print the same text.
 *
 * Both formats read one text at the same time, character by character, over every text there is: a search through the
 * pairs of their states. Where the two readers stand in parts with different meaning (one in the organisation, the other
 * already behind the separator), the readings have parted. A text that both can read to the end after they parted, or
 * that belongs to two different series anyway, is printed by two counters: it is the example that is shown.
 */
export interface SharedNumber {
  readonly text: string;
  /** Printed text by token name, as the first format reads it, and as the second does. */
  readonly first: Readonly<Record<string, string>>;
  readonly second: Readonly<Record<string, string>>;
  /** Segment of the first format in which the readings part; the last one if they never do. */
  readonly segment: number;
}

interface Pair {
  readonly left: NumberState;
  readonly right: NumberState;
  readonly hasParted: boolean;
  readonly character: string;
  readonly before: Pair | undefined;
}

/**
 * Finds the shortest text that two formats share though it means two things, or `undefined` when there is none.
 * `sameSeries` is false for formats of two series, whose counters differ whatever is printed.
 */
export function findSharedNumber(
  left: NumberAutomaton,
  right: NumberAutomaton,
  sameSeries: boolean,
): SharedNumber | undefined {
  const characters = new Set(left.characters + right.characters);
  const seen = new Set<string>();
  let pairs: Pair[] = [
    { left: left.start, right: right.start, hasParted: !sameSeries, character: '', before: undefined },
  ];
  while (pairs.length > 0) {
    const following: Pair[] = [];
    for (const pair of pairs) {
      if (pair.hasParted && left.isEnd(pair.left) && right.isEnd(pair.right))
        return explain(pair, left, right);
      for (const next of nextPairs(pair, { left, right, characters })) {
        const key = keyOf(next);
        if (seen.has(key)) continue;
        seen.add(key);
        following.push(next);
      }
    }
    pairs = following;
  }
  return undefined;
}

interface Readers {
  readonly left: NumberAutomaton;
  readonly right: NumberAutomaton;
  readonly characters: ReadonlySet<string>;
}

function* nextPairs(pair: Pair, { left, right, characters }: Readers): Generator<Pair> {
  const hasParted = pair.hasParted || left.labelAt(pair.left) !== right.labelAt(pair.right);
  for (const character of characters) {
    const rightStates = right.next(pair.right, character);
    if (rightStates.length === 0) continue;
    for (const leftState of left.next(pair.left, character)) {
      for (const rightState of rightStates) {
        yield { left: leftState, right: rightState, hasParted, character, before: pair };
      }
    }
  }
}

const keyOf = ({ left, right, hasParted }: Pair): string =>
  `${left.segment}.${left.progress}.${right.segment}.${right.progress}.${hasParted ? 1 : 0}`;

function explain(end: Pair, left: NumberAutomaton, right: NumberAutomaton): SharedNumber {
  const first: Record<string, string> = {};
  const second: Record<string, string> = {};
  const steps: Pair[] = [];
  for (let pair = end; pair.before; pair = pair.before) steps.unshift(pair);
  let segment: number | undefined;
  for (const { before, character } of steps) {
    if (!before) continue;
    const leftLabel = left.labelAt(before.left);
    const rightLabel = right.labelAt(before.right);
    if (leftLabel !== rightLabel) segment ??= before.left.segment;
    if (leftLabel) first[leftLabel] = (first[leftLabel] ?? '') + character;
    if (rightLabel) second[rightLabel] = (second[rightLabel] ?? '') + character;
  }
  const text = steps.map((step) => step.character).join('');
  return { text, first, second, segment: segment ?? end.left.segment - 1 };
}
