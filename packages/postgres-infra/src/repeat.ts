import { type Deadline, pauseUntil } from './deadline.js';
import { PostgresFailure } from './postgres-failure.js';

/** Repeats without a pause after the server rolled a statement back because of others. */
const QUICK_REPEAT_MAX = 3;
const FIRST_PAUSE_MS = 20;
const LONGEST_PAUSE_MS = 500;

/** How long and how often work may be repeated. */
export interface RepeatOptions {
  /** Nothing is sent after it. */
  readonly deadline: Deadline;
  /** Attempts in all, at least 1. Default: until the deadline. */
  readonly attemptMax?: number;
  /** From 0 up to 1, to spread repeats of many callers. Default: `Math.random`. */
  readonly random?: () => number;
  /** Called before each repeat. */
  readonly onRetry?: ((facts: RetryFacts) => void) | undefined;
}

/** An attempt that failed and is followed by another. */
export interface RetryFacts {
  /** Attempts so far, from 1. */
  readonly attempt: number;
  readonly failure: PostgresFailure;
}

/**
 * Runs work that may safely run twice until it succeeds, until its failure is one that a repeat cannot mend, or until
 * the attempts or the time are used up, with a pause (`repeatPauseMs`) before each repeat.
 *
 * @throws PostgresFailure: the last one; `UNKNOWN` if any attempt may have been applied
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
      if (!error.retryable) throw error;
      if (attempt >= attemptMax || deadline.hasPassed) throw unknown ?? error;
      onRetry?.({ attempt, failure: error });
      const pauseMs = repeatPauseMs(error, attempt, random);
      if (pauseMs > 0) await pauseUntil(pauseMs, deadline);
      if (deadline.hasPassed) throw unknown ?? error;
    }
  }
}

/**
 * Pause before a repeat: none at first after a conflict, else 20, 40, 80 … 500 ms, less up to half at random.
 *
 * @param attempt so many have failed, from 1
 */
export function repeatPauseMs({ kind }: PostgresFailure, attempt: number, random: () => number): number {
  if (kind === 'CONFLICT' && attempt <= QUICK_REPEAT_MAX) return 0;
  const longestMs = Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** (attempt - 1));
  return longestMs * (0.5 + random() / 2);
}
