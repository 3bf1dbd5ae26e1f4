import type { Overflow } from '../contract/series.js';
import type { SeriesFormat } from './read-number.js';
import type { DateToken, TemplatePart } from './template.js';
import { type CodeToken, codeProblem } from './token.js';

/**
 * Proof that two counters never print the same text.
 *
 * Both formats read the same text in parallel, character by character, over all possible texts: a search through the
 * pairs of their states. Once the two readers are in parts with different meanings (one in the organization, the other
 * already behind the separator), the readings have diverged. A text that both can read to the end after diverging, or
 * that belongs to two different series anyway, can be printed by two counters: it is the example that is reported.
 */
export interface SharedNumber {
  readonly text: string;
  /** Printed text by token name, as the first format reads it, and as the second does. */
  readonly first: Readonly<Record<string, string>>;
  readonly second: Readonly<Record<string, string>>;
  /** Segment of the first format in which the readings diverge; the last one if they never do. */
  readonly segment: number;
}

interface Pair {
  readonly left: NumberState;
  readonly right: NumberState;
  readonly hasParted: boolean;
  readonly character: string;
  readonly before: Pair | undefined;
}

/** Returns the shortest text that two formats share with different meanings; for two series, with any meaning. */
export function findSharedNumber(
  left: NumberAutomaton,
  right: NumberAutomaton,
  sameSeries: boolean,
): SharedNumber | undefined {
  const characters = new Set(left.characters + right.characters);
  const seen = new Set<string>();
  const start = { segment: 0, progress: 0 };
  // A set is iterated in insertion order, including what is added meanwhile: the shortest texts first.
  const pairs = new Set<Pair>([
    { left: start, right: start, hasParted: !sameSeries, character: '', before: undefined },
  ]);
  for (const pair of pairs) {
    if (pair.hasParted && left.isEnd(pair.left) && right.isEnd(pair.right)) return explain(pair, left, right);
    const hasParted = pair.hasParted || left.labelAt(pair.left) !== right.labelAt(pair.right);
    for (const character of characters) {
      const rightStates = right.next(pair.right, character);
      if (rightStates.length === 0) continue;
      for (const leftState of left.next(pair.left, character)) {
        for (const rightState of rightStates) {
          const places = [leftState.segment, leftState.progress, rightState.segment, rightState.progress];
          const key = `${places.join('.')}.${hasParted}`;
          if (seen.has(key)) continue;
          seen.add(key);
          pairs.add({ left: leftState, right: rightState, hasParted, character, before: pair });
        }
      }
    }
  }
  return undefined;
}

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

/** A segment (one part of the template) and a small number for how far the reader is in it. */
interface NumberState {
  readonly segment: number;
  readonly progress: number;
}

interface Segment {
  /** What is read here: two readings of a text agree while they are in segments with the same label. */
  readonly label: string;
  /** Characters worth trying. */
  readonly characters: string;
  /** Where the reader can be after one more character, possibly behind the segment's end; empty if it is refused. */
  step(progress: number, character: string): number[];
}

const behindTheEnd = -1;

const digits = '0123456789';

/** Sample of the alphabet common to all codes; the characters of literals and extras are added to it. */
const codeSample = `A${digits}._`;

/**
 * The set of all texts that a format can print, as an automaton that reads them character by character.
 *
 * A code is read as one or more characters of its alphabet, a year as one of the years that business dates can have.
 * The maximum length of codes is ignored, so a few formats that are only just distinct are refused; a format that is
 * not distinct is never accepted.
 */
export class NumberAutomaton {
  readonly #segments: readonly Segment[];

  constructor({ format, fixedCodes }: Pick<SeriesFormat, 'format' | 'fixedCodes'>) {
    const { overflow } = format.facts;
    this.#segments = format.parts.map((part) => segmentOf(part, overflow, fixedCodes));
  }

  get characters(): string {
    return this.#segments.map((segment) => segment.characters).join('');
  }

  isEnd(state: NumberState): boolean {
    return state.segment === this.#segments.length;
  }

  labelAt(state: NumberState): string {
    return this.#segments[state.segment]?.label ?? '';
  }

  /** Returns the states after reading one character in a state. */
  next({ segment, progress }: NumberState, character: string): NumberState[] {
    const reached = this.#segments[segment]?.step(progress, character) ?? [];
    return reached.map((next) =>
      next === behindTheEnd ? { segment: segment + 1, progress: 0 } : { segment, progress: next },
    );
  }
}

function segmentOf(part: TemplatePart, overflow: Overflow, fixed: SeriesFormat['fixedCodes']): Segment {
  switch (part.kind) {
    case 'literal':
      return literalSegment(part.text);
    case 'sequence':
      return sequenceSegment(part.width, overflow);
    case 'date':
      return dateSegment(part.token);
    case 'code': {
      const code = fixed[part.token.name];
      return code === undefined ? codeSegment(part.token) : literalSegment(code);
    }
  }
}

function literalSegment(text: string): Segment {
  const characters = [...text];
  return {
    label: '',
    characters: text,
    step: (progress, character) => {
      if (characters[progress] !== character) return [];
      return [progress + 1 === characters.length ? behindTheEnd : progress + 1];
    },
  };
}

function codeSegment(token: CodeToken): Segment {
  return {
    label: token.name,
    characters: codeSample + token.extraCharacters,
    step: (_, character) => (codeProblem(token, character) ? [] : [1, behindTheEnd]),
  };
}

/** Progress counts the digits; a hundred is added if the first digit was not 0, so that the sequence can widen. */
function sequenceSegment(width: number, overflow: Overflow): Segment {
  const isWide = 100;
  return {
    label: 'SEQ',
    characters: digits,
    step: (progress, character) => {
      if (!digits.includes(character)) return [];
      const mayWiden = overflow === 'widen' && (progress === 0 ? character !== '0' : progress >= isWide);
      const read = (progress % isWide) + 1;
      const next = Math.min(read, width) + (mayWiden ? isWide : 0);
      if (read < width) return [next];
      return mayWiden ? [next, behindTheEnd] : [behindTheEnd];
    },
  };
}

/** Numbers of one length in a range; progress is the value read so far, prefixed with a 1. */
function dateSegment({ label, width, range, offset }: DateToken): Segment {
  const isShortYear = width === 2 && range[1] > 99;
  const [first, last] = isShortYear ? [0, 99] : [range[0] + offset, range[1] + offset];
  return {
    label,
    characters: digits,
    step: (progress, character) => {
      if (!digits.includes(character)) return [];
      const read = (progress === 0 ? 10 : progress * 10) + Number(character);
      const readLength = String(read).length - 1;
      const value = read - 10 ** readLength;
      const scale = 10 ** (width - readLength);
      if (value * scale > last || value * scale + scale - 1 < first) return [];
      return [readLength === width ? behindTheEnd : read];
    },
  };
}
