import type { Overflow } from '../contract/series.js';
import type { SeriesFormat } from './read-number.js';
import type { DateToken, TemplatePart } from './template.js';
import { type CodeToken, codeProblem } from './token.js';

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

/** The shortest text that two formats share though it means two things; of two series, any that they share. */
export function findSharedNumber(
  left: NumberAutomaton,
  right: NumberAutomaton,
  sameSeries: boolean,
): SharedNumber | undefined {
  const characters = new Set(left.characters + right.characters);
  const seen = new Set<string>();
  const start = { segment: 0, progress: 0 };
  // A set is walked in order of arrival, what arrives meanwhile included: the shortest texts first.
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

/** A segment (one part of the template) and a small number that says how far in it the reader is. */
interface NumberState {
  readonly segment: number;
  readonly progress: number;
}

interface Segment {
  /** What is read here: two readings of one text agree where they are in segments of one label. */
  readonly label: string;
  /** Characters worth trying. */
  readonly characters: string;
  /** How far the reader may be after one more character, behind the segment's end included; none: it is refused. */
  step(progress: number, character: string): number[];
}

const behindTheEnd = -1;

const digits = '0123456789';

/** Sample of the alphabet that every code has; characters of literals and extras are added to it. */
const codeSample = `A${digits}._`;

/**
 * The set of all texts that a format can print, as a machine that reads them character by character.
 *
 * A code is read as one or more characters of its alphabet, a year as one of the years that business dates can have. Codes
 * are not held to their greatest length, so a few formats that would only just be distinct are refused; none that is not
 * distinct is accepted.
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

  /** The states after reading one character in a state. */
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

/** Progress counts the digits; one is added to the hundred when the first was not 0, so that it may widen. */
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

/** Numbers of one length in a range; progress is the value read so far behind a leading 1. */
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
