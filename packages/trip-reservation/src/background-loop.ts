export interface BackgroundLoopOptions {
  /** One pass; resolves with true when more is waiting already. */
  readonly pass: () => Promise<boolean>;
  /** Between two passes when nothing wakes the loop, in milliseconds. */
  readonly intervalMs: number;
  readonly failed: (error: Error) => void;
  /** Spreads the passes of many processes over half an interval. */
  readonly random: () => number;
}

/**
 * Work that goes on until it is stopped: one pass at a time, at most about an interval apart, at once when
 * woken. A pass that fails is reported and tried again after the interval, however often the loop is woken
 * meanwhile. It starts at once; `stop` waits for the pass that is under way.
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

  /** Lets the next pass begin as soon as the present one ends. */
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
