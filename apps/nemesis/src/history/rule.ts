import type { History } from './history.js';

/** A promise of the READMEs, and how to see that it was broken. */
interface Rule {
  /** The sentence it stands for. */
  readonly promise: string;
  /** Yields the smallest evidence of each violation. */
  readonly find: (history: History) => Iterable<string>;
}

export type Rules = Readonly<Record<string, Rule>>;
