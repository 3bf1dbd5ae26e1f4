/** The time by which a call must have settled, on a monotonic clock. */
export class Deadline {
  readonly #atMs: number;
  readonly #now: () => number;

  private constructor(atMs: number, now: () => number) {
    this.#atMs = atMs;
    this.#now = now;
  }

  /**
   * Creates a deadline in the future.
   *
   * @param timeoutMs from now, in milliseconds
   * @param now milliseconds of a monotonic clock; keep the default except in tests
   */
  static after(timeoutMs: number, now: () => number = () => performance.now()): Deadline {
    return new Deadline(now() + timeoutMs, now);
  }

  /** The earliest of several deadlines, which a shared statement has to meet. */
  static earliest(deadlines: readonly [Deadline, ...Deadline[]]): Deadline {
    return deadlines.reduce((first, other) => (other.#atMs < first.#atMs ? other : first));
  }

  /** Milliseconds left; 0 once it has passed. */
  get leftMs(): number {
    return Math.max(0, this.#atMs - this.#now());
  }

  /** Whether no time is left. */
  get hasPassed(): boolean {
    return this.leftMs === 0;
  }

  /** A deadline `timeoutMs` from now, or this one if it is earlier. */
  atMost(timeoutMs: number): Deadline {
    return new Deadline(Math.min(this.#atMs, this.#now() + timeoutMs), this.#now);
  }
}

/**
 * Settles as `work` does, or rejects with `late()` once the deadline has passed. The work itself continues; the caller
 * decides what happens to its resource, and a later rejection is not reported as unhandled.
 *
 * After an event loop stall, timers fire before the responses that arrived meanwhile are read. So an overdue call gets
 * one more turn of the loop, in which sockets are read: a slow process must not look like a slow server.
 */
export async function settleBy<Result>(
  work: Promise<Result>,
  deadline: Deadline,
  late: () => Error,
): Promise<Result> {
  let timer: NodeJS.Timeout | undefined;
  let turn: NodeJS.Immediate | undefined;
  const overdue = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      turn = setImmediate(() => reject(late()));
    }, deadline.leftMs);
  });
  try {
    return await Promise.race([work, overdue]);
  } finally {
    clearTimeout(timer);
    clearImmediate(turn);
  }
}

/** Waits for the pause or until the deadline, whichever is earlier. */
export function pauseUntil(pauseMs: number, deadline: Deadline): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, Math.min(pauseMs, deadline.leftMs)));
}
