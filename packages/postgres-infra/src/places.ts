import { type Deadline, settleBy } from './deadline.js';

/** A semaphore: a fixed number of places, first come, first served. A caller that gives up leaves nothing behind. */
export class Places {
  readonly #waiting = new Set<() => void>();
  #freeCount: number;

  /** @param count from 1 */
  constructor(count: number) {
    this.#freeCount = count;
  }

  /** Acquires a place, which must be given back; rejects with `late()` at the deadline. */
  async take(deadline: Deadline, late: () => Error): Promise<void> {
    if (this.#freeCount > 0) {
      this.#freeCount -= 1;
      return;
    }
    let admit = (): void => undefined;
    const admitted = new Promise<void>((resolve) => {
      admit = resolve;
    });
    this.#waiting.add(admit);
    await settleBy(admitted, deadline, () => {
      this.#waiting.delete(admit);
      return late();
    });
  }

  /** Returns a place. It goes directly to the caller that has waited longest, without becoming free in between. */
  giveBack(): void {
    const [next] = this.#waiting;
    if (next === undefined) {
      this.#freeCount += 1;
      return;
    }
    this.#waiting.delete(next);
    next();
  }
}
