import { type Deadline, settleBy } from './deadline.js';

/** A fixed number of places, given first come, first served; whoever gives up waiting leaves nothing behind. */
export class Places {
  readonly #waiting = new Set<() => void>();
  #freeCount: number;

  /** @param count from 1 */
  constructor(count: number) {
    this.#freeCount = count;
  }

  /** Resolves with a place, which must be given back; rejects with `late()` at the deadline. */
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

  /** The place goes to whoever waits longest, without ever being free in between. */
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
