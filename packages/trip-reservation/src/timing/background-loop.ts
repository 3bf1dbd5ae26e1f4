export interface BackgroundLoopOptions {
  /**
   * Runs once; resolves with true if more work is already waiting, with `REST` if there is none until `begin`, with `IDLE` if
   * none is expected soon.
   */
  readonly pass: () => Promise<boolean | 'REST' | 'IDLE'>;
  /** Time between two runs when nothing wakes the loop, in milliseconds. */
  readonly intervalMs: number;
  /** The same after `IDLE`. Default: `intervalMs`. */
  readonly idleMs?: number;
  readonly failed: (error: Error) => void;
  /** Spreads the runs of many processes over half an interval. */
  readonly random: () => number;
  /** Whether it waits for `begin`. Default: the first run starts immediately. */
  readonly isResting?: boolean;
}

/** Why a loop sleeps: it failed, it is done for now, it expects nothing soon, or it has nothing to do. */
type Sleep = 'FAILED' | 'DONE' | 'IDLE' | 'REST';

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

  /** Whether it runs at least once in this time, in milliseconds, unless runs fail. */
  runsWithin(ms: number): boolean {
    return !this.#isStopped && this.#options.intervalMs <= ms;
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
      // After a rest, the run that `begin` asked for is an interval away.
      if (!isDue && !this.#isStopped)
        await this.#sleep(result === 'REST' || result === 'MORE' ? 'DONE' : result);
      if (this.#isStopped) return;
      this.#isWoken = false;
      this.#hasBegun = false;
      result = await this.#pass();
    }
  }

  async #pass(): Promise<Sleep | 'MORE'> {
    try {
      const result = await this.#options.pass();
      if (typeof result === 'string') return result;
      return result ? 'MORE' : 'DONE';
    } catch (error) {
      this.#options.failed(error instanceof Error ? error : new Error(String(error)));
      return 'FAILED';
    }
  }

  async #sleep(sleeping: Sleep): Promise<void> {
    const { intervalMs, idleMs = intervalMs, random } = this.#options;
    const lengthMs = (sleeping === 'IDLE' ? idleMs : intervalMs) * (0.75 + random() / 2);
    let timer: NodeJS.Timeout | undefined;
    this.#sleeping = sleeping;
    await new Promise<void>((resolve) => {
      this.#endSleep = resolve;
      if (sleeping !== 'REST') timer = setTimeout(resolve, lengthMs).unref();
    });
    this.#sleeping = undefined;
    clearTimeout(timer);
  }
}
