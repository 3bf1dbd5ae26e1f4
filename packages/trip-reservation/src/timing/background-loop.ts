export interface BackgroundLoopOptions {
  /** Runs once; resolves with true if more work is already waiting, with `REST` if there is none until `begin`. */
  readonly pass: () => Promise<boolean | 'REST'>;
  /** Time between two runs when nothing wakes the loop, in milliseconds. */
  readonly intervalMs: number;
  readonly failed: (error: Error) => void;
  /** Spreads the runs of many processes over half an interval. */
  readonly random: () => number;
  /** Whether it waits for `begin`. Default: the first run starts immediately. */
  readonly isResting?: boolean;
}

/** Why a loop sleeps: it failed, it is done for now, or it has nothing to do. */
type Sleep = 'FAILED' | 'DONE' | 'REST';

/**
 * Repeats `pass` until it is stopped: one run at a time, about an interval apart at most, immediately when
 * woken. A failed run is reported and retried after the interval, however often the loop is woken in the
 * meantime. `stop` waits for the current run. A loop that rests has no timer, and runs an interval after `begin`.
 */
export class BackgroundLoop implements AsyncDisposable {
  readonly #options: BackgroundLoopOptions;
  readonly #ended: Promise<void>;
  #isStopped = false;
  #isWoken = false;
  #hasBegun = false;
  #endSleep = () => {};
  #sleeping: Sleep | undefined;

  constructor(options: BackgroundLoopOptions) {
    this.#options = options;
    this.#ended = this.#run();
  }

  /** Starts the next run as soon as the current one ends. */
  wake(): void {
    this.#isWoken = true;
    if (this.#sleeping !== undefined && this.#sleeping !== 'FAILED') this.#endSleep();
  }

  /** There is work again: the next run starts after at most an interval. */
  begin(): void {
    this.#hasBegun = true;
    if (this.#sleeping === 'REST') this.#endSleep();
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    this.#endSleep();
    await this.#ended;
  }

  /** Stops, and runs a last time; never throws. */
  async finish(): Promise<void> {
    await this.stop();
    await this.#pass();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.stop();
  }

  async #run(): Promise<void> {
    let result: Sleep | 'MORE' = this.#options.isResting ? 'REST' : 'MORE';
    while (!this.#isStopped) {
      if (result === 'REST' && !this.#hasBegun) await this.#sleep('REST');
      const isDue = result === 'MORE' || (result !== 'FAILED' && this.#isWoken);
      if (!isDue && !this.#isStopped) await this.#sleep(result === 'FAILED' ? 'FAILED' : 'DONE');
      if (this.#isStopped) return;
      this.#isWoken = false;
      this.#hasBegun = false;
      result = await this.#pass();
    }
  }

  async #pass(): Promise<Sleep | 'MORE'> {
    try {
      const result = await this.#options.pass();
      return result === 'REST' ? result : result ? 'MORE' : 'DONE';
    } catch (error) {
      this.#options.failed(error instanceof Error ? error : new Error(String(error)));
      return 'FAILED';
    }
  }

  async #sleep(sleeping: Sleep): Promise<void> {
    const { intervalMs, random } = this.#options;
    let timer: NodeJS.Timeout | undefined;
    this.#sleeping = sleeping;
    await new Promise<void>((resolve) => {
      this.#endSleep = resolve;
      if (sleeping !== 'REST') timer = setTimeout(resolve, intervalMs * (0.75 + random() / 2)).unref();
    });
    this.#sleeping = undefined;
    clearTimeout(timer);
  }
}
