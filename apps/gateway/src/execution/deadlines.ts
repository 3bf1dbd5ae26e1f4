import { GatewayError } from '../errors/gateway-error.js';

const SWEEP_MS = 100;

interface Waiting {
  readonly endsAtMs: number;
  readonly giveUp: (reason: GatewayError) => void;
}

/**
 * Ends requests that take too long. All have the same time, so they end in the order in which they began, and one timer
 * for all of them is enough; a timer for each would cost every request.
 */
export class Deadlines {
  readonly #now: () => number;
  /** In the order of their ends. */
  readonly #waiting = new Set<Waiting>();
  readonly #timer: NodeJS.Timeout;

  /** @param now milliseconds, never going back */
  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
    this.#timer = setInterval(() => this.sweep(), SWEEP_MS).unref();
  }

  /**
   * The outcome of the work.
   *
   * @param endsAtMs on the clock of these deadlines; overrun by at most a tenth of a second
   * @throws {GatewayError} REQUEST_TIMEOUT when it is not there in time; the work goes on
   */
  by<Outcome>(endsAtMs: number, work: Promise<Outcome>): Promise<Outcome> {
    return new Promise((resolve, reject) => {
      const waiting: Waiting = { endsAtMs, giveUp: reject };
      this.#waiting.add(waiting);
      work.then(
        (outcome) => {
          this.#waiting.delete(waiting);
          resolve(outcome);
        },
        (error: unknown) => {
          this.#waiting.delete(waiting);
          reject(error);
        },
      );
    });
  }

  /** Ends what is overdue. */
  sweep(): void {
    const now = this.#now();
    for (const waiting of this.#waiting) {
      if (waiting.endsAtMs > now) return;
      this.#waiting.delete(waiting);
      waiting.giveUp(tooSlow());
    }
  }

  stop(): void {
    clearInterval(this.#timer);
  }
}

function tooSlow(): GatewayError {
  return new GatewayError({
    code: 'OUTCOME_UNKNOWN',
    reason: 'REQUEST_TIMEOUT',
    message: 'The request took too long. What it asked for may still happen; repeat it with the same key.',
    retryable: true,
    retryAfterMs: 500,
  });
}
