/*
 * Reading the clock costs three times as much as the rest of an ID. In a run of calls without a pause, RUN_LENGTH calls
 * therefore share one reading. A microtask ends the run, so no reading outlives the synchronous code that made it. An
 * older reading makes an older ID, never a wrong one: it was inside the window when it was made, and windows are
 * timestamps. A clock that the caller passed in is read for every ID, because the caller controls its cost.
 */
import { ClockStalledError } from '../codec/tsid-error.js';

/** IDs per reading of the clock in a run of calls. */
const RUN_LENGTH = 16;
/** Equal consecutive readings that indicate a run: one microtask per ID would cost more than its reading. */
const RUN_SHOWN_BY = 8;
/** A clock with this many equal consecutive readings, over 50 ms of reading, counts as stalled. */
const SAME_READS_MAX = 5_000_000;

/** The clock of one generator, and how long each reading stays valid. */
export class ClockReader {
  readonly read: () => number;
  /** IDs that can still use the last reading. */
  unread = 0;
  /** Equal consecutive readings outside a run. */
  #sameCount = 0;
  #isRun = false;
  readonly #isSpared: boolean;
  readonly #endRun = (): void => {
    this.unread = 0;
    this.#sameCount = 0;
    this.#isRun = false;
  };

  constructor(now: (() => number) | undefined) {
    this.read = now ?? (() => Date.now());
    this.#isSpared = now === undefined;
  }

  /** Call when the last reading equals the one before. */
  readSame(): void {
    if (this.#isRun) this.unread = RUN_LENGTH - 1;
    else if (this.#isSpared && ++this.#sameCount >= RUN_SHOWN_BY) {
      this.#isRun = true;
      queueMicrotask(this.#endRun);
    }
  }

  /** Call when the last reading differs from the one before. */
  readOther(): void {
    this.#sameCount = 0;
  }

  /** Reads until the clock differs from `before`. Blocks, for under a millisecond if the clock advances. */
  readUntilOther(before: number): number {
    for (let readCount = 1; readCount <= SAME_READS_MAX; readCount++) {
      const reading = this.read();
      if (reading !== before) return reading;
    }
    throw new ClockStalledError(before, SAME_READS_MAX);
  }
}
