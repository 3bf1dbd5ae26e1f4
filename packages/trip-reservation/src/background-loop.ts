export interface BackgroundLoopOptions {
  /** Runs once; resolves with true if more work is already waiting. */
  readonly pass: () => Promise<boolean>;
  /** Time between two runs when nothing wakes the loop, in milliseconds. */
  readonly intervalMs: number;
  readonly failed: (error: Error) => void;
  /** Spreads the runs of many processes over half an interval. */
  readonly random: () => number;
}

/**
 * Repeats `pass` until it is stopped: one run at a time, about an interval apart at most, immediately when
 * woken. A failed run is reported and retried after the interval, however often the loop is woken in the
 * meantime. The first run starts immediately; `stop` waits for the current one.
 */
export class BackgroundLoop implements AsyncDisposable {
  readonly #options: BackgroundLoopOptions;
  readonly #ended: Promise<void>;
  #isStopped = false;
  #isWoken = false;
  #endSleep = () => {};
  #isSleepLight = false;

  constructor(options: BackgroundLoopOptions) {
    this.#options = options;
    this.#ended = this.#run();
  }

  /** Starts the next run as soon as the current one ends. */
  wake(): void {
    this.#isWoken = true;
    if (this.#isSleepLight) this.#endSleep();
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    this.#endSleep();
    await this.#ended;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.stop();
  }

  async #run(): Promise<void> {
    while (!this.#isStopped) {
      this.#isWoken = false;
      const result = await this.#pass();
      if (this.#isStopped || result === 'MORE') continue;
      this.#isSleepLight = result === 'DONE';
      if (this.#isSleepLight && this.#isWoken) continue;
      await this.#sleep();
      this.#isSleepLight = false;
    }
  }

  async #pass(): Promise<'DONE' | 'MORE' | 'FAILED'> {
    try {
      return (await this.#options.pass()) ? 'MORE' : 'DONE';
    } catch (error) {
      this.#options.failed(error instanceof Error ? error : new Error(String(error)));
      return 'FAILED';
    }
  }

  #sleep(): Promise<void> {
    const { intervalMs, random } = this.#options;
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, intervalMs * (0.75 + random() / 2)).unref();
      this.#endSleep = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }
}
