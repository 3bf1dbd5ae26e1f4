/** The moment by which a call must have settled, on a clock that never goes back. */
export class Deadline {
  readonly #atMs: number;
  readonly #now: () => number;

  private constructor(atMs: number, now: () => number) {
    this.#atMs = atMs;
    this.#now = now;
  }

  /**
   * A moment to come.
   *
   * @param timeoutMs from now, in milliseconds
   * @param now milliseconds of a clock that never goes back; the default is right outside of tests
   */
  static after(timeoutMs: number, now: () => number = () => performance.now()): Deadline {
    return new Deadline(now() + timeoutMs, now);
  }

  /** The earliest of several, which is what a shared statement has to keep. */
  static earliest(deadlines: readonly [Deadline, ...Deadline[]]): Deadline {
    return deadlines.reduce((first, other) => (other.#atMs < first.#atMs ? other : first));
  }

  /** Milliseconds that are left, 0 when it has passed. */
  get leftMs(): number {
    return Math.max(0, this.#atMs - this.#now());
  }

  /** Whether no time is left. */
  get hasPassed(): boolean {
    return this.leftMs === 0;
  }

  /** A moment `timeoutMs` from now, or this one if it comes first. */
  atMost(timeoutMs: number): Deadline {
    return new Deadline(Math.min(this.#atMs, this.#now() + timeoutMs), this.#now);
  }
}

/**
 * Settles as `work` does, or rejects with `late()` once the deadline has passed. The work itself goes on; whoever calls
 * decides what becomes of its resource, and its later rejection is not reported as unhandled.
 *
 * A process whose event loop stalls finds its timers due before it has read the answers that arrived meanwhile. So a due
 * answer is given one more turn of the loop, in which the sockets are read: a slow process is no slow server.
 */
export function settleBy<Result>(
  work: Promise<Result>,
  deadline: Deadline,
  late: () => Error,
): Promise<Result> {
  return new Promise((resolve, reject) => {
    let turn: NodeJS.Immediate | undefined;
    const timer = setTimeout(() => {
      turn = setImmediate(() => reject(late()));
    }, deadline.leftMs);
    const end = (): void => {
      clearTimeout(timer);
      if (turn) clearImmediate(turn);
    };
    work.then(
      (result) => {
        end();
        resolve(result);
      },
      (error: unknown) => {
        end();
        reject(error);
      },
    );
  });
}

/** Waits, but never past the deadline. */
export function pauseUntil(pauseMs: number, deadline: Deadline): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, Math.min(pauseMs, deadline.leftMs)));
}
