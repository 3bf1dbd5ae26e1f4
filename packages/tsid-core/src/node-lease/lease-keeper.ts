/**
 * Repeats one piece of work with pauses between, never twice at once, without keeping the process alive. It learns from
 * the work how long to pause; a throw is not expected of it.
 */
export class LeaseKeeper {
  readonly #work: () => Promise<number>;
  #timer: NodeJS.Timeout | undefined;
  #underway: Promise<void> | undefined;
  #stopped: boolean;

  /**
   * @param work Returns the pause until it is wanted again, in milliseconds.
   * @param automatic False: works only when run() is called.
   */
  constructor(work: () => Promise<number>, automatic: boolean) {
    this.#work = work;
    this.#stopped = !automatic;
  }

  /** Works after this pause, instead of after the one that was planned. */
  schedule(pauseMs: number): void {
    clearTimeout(this.#timer);
    if (this.#stopped) return;
    this.#timer = setTimeout(() => void this.run(), pauseMs);
    this.#timer.unref();
  }

  /** Works now, or joins the work that is under way. */
  run(): Promise<void> {
    this.#underway ??= this.#turn().finally(() => {
      this.#underway = undefined;
    });
    return this.#underway;
  }

  /** Ends the repetition and waits for the work under way. May be called twice. */
  async stop(): Promise<void> {
    this.#stopped = true;
    clearTimeout(this.#timer);
    await this.#underway;
  }

  async #turn(): Promise<void> {
    this.schedule(await this.#work());
  }
}
