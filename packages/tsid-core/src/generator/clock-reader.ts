/*
 * Reading the clock costs three times as much as all the rest of an ID. Calls that follow one another without a pause
 * therefore get one reading for RUN_LENGTH of them; a microtask ends such a run, so no reading outlives the synchronous
 * code it was made in. An older reading makes an older ID, never a wrong one: it was inside the window when it was made,
 * and windows are timestamps. A clock that the caller passed in is read for every ID: its owner decides what it costs.
 */
import { ClockStalledError } from '../codec/tsid-error.js';

/** IDs for one reading of the clock in a run of calls. */
const RUN_LENGTH = 16;
/** Equal readings in a row that show a run: a microtask for each single ID would cost more than its reading. */
const RUN_SHOWN_BY = 8;
/** A clock that reads the same so often in a row, over 50 ms of reading, is taken to stand still. */
const SAME_READS_MAX = 5_000_000;

/** The clock of one generator, and how long a reading of it is good. */
export class ClockReader {
  readonly read: () => number;
  /** IDs that the last reading is still good for. */
  unread = 0;
  /** Equal readings in a row while no run is known. */
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

  /** The last reading was the one before it again. */
  readSame(): void {
    if (this.#isRun) this.unread = RUN_LENGTH - 1;
    else if (this.#isSpared && ++this.#sameCount >= RUN_SHOWN_BY) {
      this.#isRun = true;
      queueMicrotask(this.#endRun);
    }
  }

  /** The last reading was another one. */
  readOther(): void {
    this.#sameCount = 0;
  }

  /** Reads until the clock says something else than before. Blocks, for under a millisecond with a clock that moves. */
  readUntilOther(before: number): number {
    for (let readCount = 1; readCount <= SAME_READS_MAX; readCount++) {
      const reading = this.read();
      if (reading !== before) return reading;
    }
    throw new ClockStalledError(before, SAME_READS_MAX);
  }
}
