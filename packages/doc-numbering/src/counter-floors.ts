import type { CounterQueue } from './counter-queue.js';
import type { HighWaterMarks } from './high-water-marks.js';

/**
 * For which PostgreSQL the floors of counters are known. Only another server can have a lower row; so Redis is asked when
 * a counter is opened and again for each server that answers, and no round trip is added to a draw.
 */
export class CounterFloors {
  readonly #marks: HighWaterMarks | undefined;
  /** The PostgreSQL that answered last, by its start. */
  server: string | undefined;

  constructor(marks: HighWaterMarks | undefined) {
    this.#marks = marks;
  }

  /** Asks for the marks of those counters whose marks are not known for this server. */
  async prepare(counters: readonly CounterQueue[]): Promise<void> {
    const unknown = counters.filter(({ markedFor }) => markedFor === undefined || markedFor !== this.server);
    if (unknown.length > 0) await this.refresh(unknown);
  }

  /** Asks for the marks now: a mark that a person has removed counts no more. */
  async refresh(counters: readonly CounterQueue[]): Promise<void> {
    const { server } = this;
    const found = this.#marks ? await this.#marks.read(counters.map(({ lockKey }) => lockKey.state)) : [];
    // Redis gave no answer: it is asked again before the next draw.
    if (!found) return;
    counters.forEach((counter, index) => {
      counter.hear(found[index]);
      counter.markedFor = server;
    });
  }
}
