import { GatewayError } from '../errors/gateway-error.js';

const SWEEP_MS = 100;

interface Waiting {
  readonly endsAtMs: number;
  readonly giveUp: (reason: GatewayError) => void;
}

/** Times out requests. One timer serves all of them; a timer per request would add cost to each. */
export class Deadlines {
  readonly #now: () => number;
  readonly #waiting = new Set<Waiting>();
  readonly #timer: NodeJS.Timeout;

  /** @param now monotonic milliseconds */
  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
    this.#timer = setInterval(() => this.sweep(), SWEEP_MS).unref();
  }

  /**
   * Returns the outcome of the work.
   *
   * @param endsAtMs deadline on the clock of this instance; enforced at most 100 ms late
   * @throws {GatewayError} REQUEST_TIMEOUT once the deadline has passed; the work itself continues
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

  /** Rejects everything overdue. */
  sweep(): void {
    const now = this.#now();
    for (const waiting of this.#waiting) {
      if (waiting.endsAtMs > now) continue;
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
    message: 'The request timed out. It might still take effect; repeat it with the same key.',
    retryable: true,
    retryAfterMs: 500,
  });
}
