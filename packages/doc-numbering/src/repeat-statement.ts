import type { CommitOptions } from './commit-batch.js';
import { NumberingError } from './numbering-error.js';
import { storeError, storeFailure } from './store-failure.js';

/** Pauses before a store that could not be reached is asked again: 20, 40, 80 … 500 ms, less up to half at random. */
export const storePauseMs = (attempt: number, random: () => number): number =>
  Math.min(500, 10 * 2 ** attempt) * (0.5 + random() / 2);

export const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

export type RepeatOptions = Pick<CommitOptions, 'now' | 'random' | 'events'>;

/**
 * Runs statements that may safely run twice until PostgreSQL answers.
 *
 * @throws what PostgreSQL says is wrong with them; StoreUnavailableError after the deadline
 */
export async function repeatStatement<Result>(
  work: () => Promise<Result>,
  deadlineMs: number,
  { now, random, events }: RepeatOptions,
): Promise<Result> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await work();
    } catch (error) {
      if (error instanceof NumberingError) throw error;
      const { kind } = storeFailure(error);
      if (kind === 'rejected' || kind === 'clash') throw error;
      events.storeRetried?.({ attempt, error });
      if (now() >= deadlineMs) throw storeError(error, false);
      await pause(storePauseMs(attempt, random));
    }
  }
}
