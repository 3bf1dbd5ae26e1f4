/**
 * Repeats one piece of work with pauses, never concurrently, without keeping the process alive. The work returns how
 * long to pause, and must not throw.
 */
export class LeaseKeeper {
  readonly #work: () => Promise<number>;
  #timer: NodeJS.Timeout | undefined;
  #underway: Promise<void> | undefined;
  #stopped: boolean;

  /**
   * @param work Returns the pause before its next run, in milliseconds.
   * @param automatic False: runs the work only when run() is called.
   */
  constructor(work: () => Promise<number>, automatic: boolean) {
    this.#work = work;
    this.#stopped = !automatic;
  }

  /** Schedules the next run after this pause, replacing the planned one. */
  schedule(pauseMs: number): void {
    clearTimeout(this.#timer);
    if (this.#stopped) return;
    this.#timer = setTimeout(() => void this.run(), pauseMs);
    this.#timer.unref();
  }

  /** Runs the work now, or joins the run in progress. */
  run(): Promise<void> {
    this.#underway ??= this.#turn().finally(() => {
      this.#underway = undefined;
    });
    return this.#underway;
  }

  /** Resolves once no run is in progress. */
  async settled(): Promise<void> {
    await this.#underway;
  }

  /** Stops repeating and waits for the run in progress. Idempotent. */
  async stop(): Promise<void> {
    this.#stopped = true;
    clearTimeout(this.#timer);
    await this.settled();
  }

  async #turn(): Promise<void> {
    this.schedule(await this.#work());
  }
}
