import { type Deadline, pauseUntil } from './deadline.js';
import { PostgresFailure } from './postgres-failure.js';

/** Retries without a pause after a conflict with other transactions. */
const QUICK_REPEAT_MAX = 3;
const FIRST_PAUSE_MS = 20;
const LONGEST_PAUSE_MS = 500;

/** How long and how often work is retried. */
export interface RepeatOptions {
  /** Nothing is sent after it has passed. */
  readonly deadline: Deadline;
  /** Maximum attempts, at least 1. Default: until the deadline. */
  readonly attemptMax?: number;
  /** Returns 0 up to 1, to spread the retries of many callers. Default: `Math.random`. */
  readonly random?: () => number;
  /** Called before each retry. */
  readonly onRetry?: ((facts: RetryFacts) => void) | undefined;
}

/** A failed attempt that will be retried. */
export interface RetryFacts {
  /** Attempts so far, from 1. */
  readonly attempt: number;
  readonly failure: PostgresFailure;
}

/**
 * Runs work that can safely run twice until it succeeds, fails in a way that a retry cannot fix, or runs out of
 * attempts or time. Pauses (`repeatPauseMs`) before each retry.
 *
 * @throws PostgresFailure: the last one; `UNKNOWN` if any attempt may have been applied, whatever the last one was
 */
export async function repeat<Result>(
  work: () => Promise<Result>,
  { deadline, attemptMax = Number.POSITIVE_INFINITY, random = Math.random, onRetry }: RepeatOptions,
): Promise<Result> {
  let unknown: PostgresFailure | undefined;
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof PostgresFailure)) throw error;
      if (error.kind === 'UNKNOWN') unknown = error;
      if (!error.retryable || attempt >= attemptMax || deadline.hasPassed) throw unknown ?? error;
      onRetry?.({ attempt, failure: error });
      const pauseMs = repeatPauseMs(error, attempt, random);
      if (pauseMs > 0) await pauseUntil(pauseMs, deadline);
      if (deadline.hasPassed) throw unknown ?? error;
    }
  }
}

/**
 * Pause before a retry: none at first after a conflict, else 20, 40, 80 … 500 ms, minus up to half of it at random.
 *
 * @param attempt number of failed attempts, from 1
 */
export function repeatPauseMs({ kind }: PostgresFailure, attempt: number, random: () => number): number {
  if (kind === 'CONFLICT' && attempt <= QUICK_REPEAT_MAX) return 0;
  const longestMs = Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** (attempt - 1));
  return longestMs * (0.5 + random() / 2);
}
