import type { Answer } from '../measuring/recorder.js';
import type { RandomSource } from '../measuring/seeded-random.js';

/** What every numbering subject knows of one run. */
export interface NumbersRun {
  readonly run: number;
  /** 1: one hot counter; more: requests are spread evenly at random. */
  readonly counterCount: number;
}

/** What a caller gets: a number of one counter. */
export interface NumberAnswer extends Answer {
  readonly kind: 'issued';
  readonly counter: string;
  readonly sequence: number;
}

export function numbersRun(facts: Readonly<Record<string, string | number>>): NumbersRun {
  return { run: Number(facts.run), counterCount: Number(facts.counterCount) };
}

/** The counter's code, used as the discipline of a document: `R12C7`. Fresh with every run. */
export function counterCode(run: number, index: number): string {
  return `R${run}C${index}`;
}

/** The counter that the next request goes to. */
export function pickCounter({ run, counterCount }: NumbersRun, random: RandomSource): string {
  return counterCode(run, counterCount === 1 ? 0 : Math.floor(random() * counterCount));
}

export function issued(counter: string, sequence: number): NumberAnswer {
  return { kind: 'issued', counter, sequence };
}
