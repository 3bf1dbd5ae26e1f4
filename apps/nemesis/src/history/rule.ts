import type { History } from './history.js';

/**
 * A promise, and how to see that it was broken.
 *
 * @param promise the sentence of the READMEs that it stands for
 * @param find yields the smallest evidence of each violation
 */
export const rule = (promise: string, find: (history: History) => Iterable<string>) => ({ promise, find });
