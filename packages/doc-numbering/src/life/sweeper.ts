import { checkWhole } from '../contract/check-request.js';
import type { NumberingEvents } from '../contract/options.js';

export interface SweeperOptions {
  readonly sweep: () => Promise<unknown>;
  readonly random: () => number;
  readonly events: NumberingEvents;
}

const INTERVAL_MS = 60_000;
const INTERVAL_MS_RANGE = [1000, 86_400_000] as const;

/** Sweeps again and again; processes that started together drift apart, by up to a fifth of the interval. */
export class Sweeper {
  readonly #options: SweeperOptions;
  #timer: NodeJS.Timeout | undefined;
  #isStopped = false;

  constructor(options: SweeperOptions) {
    this.#options = options;
  }

  /** @throws InvalidRequestError; a second start does nothing */
  start({ intervalMs = INTERVAL_MS }: { readonly intervalMs?: number } = {}): void {
    const checked = checkWhole('intervalMs', intervalMs, INTERVAL_MS_RANGE);
    if (this.#timer || this.#isStopped) return;
    this.#schedule(checked);
  }

  stop(): void {
    this.#isStopped = true;
    clearTimeout(this.#timer);
  }

  #schedule(intervalMs: number): void {
    const pauseMs = intervalMs * (0.9 + this.#options.random() / 5);
    this.#timer = setTimeout(() => void this.#sweep(intervalMs), pauseMs);
    // A process that has nothing else to do may end.
    this.#timer.unref();
  }

  async #sweep(intervalMs: number): Promise<void> {
    try {
      await this.#options.sweep();
    } catch (error) {
      this.#options.events.sweepFailed?.(error);
    }
    if (!this.#isStopped) this.#schedule(intervalMs);
  }
}
