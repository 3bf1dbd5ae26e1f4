import { ClockStalledError } from '../codec/tsid-error.js';

/** A clock that reads the same so often in a row, over 50 ms of reading, is taken to stand still. */
const SAME_READS_MAX = 5_000_000;

/** Reads the clock until it says something else than before. Blocks, for under a millisecond with a clock that moves. */
export function changedReading(clock: () => number, before: number): number {
  for (let readCount = 1; readCount <= SAME_READS_MAX; readCount++) {
    const reading = clock();
    if (reading !== before) return reading;
  }
  throw new ClockStalledError(before, SAME_READS_MAX);
}
