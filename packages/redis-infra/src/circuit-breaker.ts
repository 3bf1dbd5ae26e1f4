/** What {@link CircuitBreaker} is made with. */
export interface CircuitBreakerOptions {
  /** Failures in a row that open the circuit; at least 1. */
  readonly failureMax: number;
  /** How long an open circuit refuses before it lets one probe through, in milliseconds; at least 1. */
  readonly openMs: number;
  /** A clock in milliseconds that never goes back. Default: `performance.now`. */
  readonly now?: () => number;
}

/** Closed: calls pass. Open: calls are refused. Half-open: one probe is under way, all others are refused. */
export type CircuitState = 'closed' | 'open' | 'half-open';

/**
 * Spares callers the wait for a store that does not answer.
 *
 * ```
 *   closed ── failureMax failures in a row ──> open ── openMs passed, allows() ──> half-open
 *     ^                                         ^                                   |   |
 *     |                                         +──── the probe failed ─────────────+   |
 *     +────────────────────────────────────────────── the probe succeeded ──────────────+
 * ```
 *
 * Ask `allows()` before each call and report its end once. Calls that began before the circuit opened end while
 * it is open; their reports are ignored, because they are about the time before. A probe that is never reported
 * (its caller died) does not lock the circuit: after another `openMs` the next caller probes.
 */
export class CircuitBreaker {
  readonly #failureMax: number;
  readonly #openMs: number;
  readonly #now: () => number;
  #state: CircuitState = 'closed';
  #failureCount = 0;
  #refusesUntil = 0;

  constructor(options: CircuitBreakerOptions) {
    this.#failureMax = atLeastOne('failureMax', options.failureMax);
    this.#openMs = atLeastOne('openMs', options.openMs);
    this.#now = options.now ?? (() => performance.now());
  }

  /** The state as of the last report, for metrics. */
  get state(): CircuitState {
    return this.#state;
  }

  /** Whether a call may be made now; `true` in an open circuit makes that call the probe. */
  allows(): boolean {
    if (this.#state === 'closed') return true;
    if (this.#now() < this.#refusesUntil) return false;
    this.#state = 'half-open';
    this.#refusesUntil = this.#now() + this.#openMs;
    return true;
  }

  /** Reports that a call was answered, whatever the answer was. */
  succeeded(): void {
    if (this.#state === 'open') return;
    this.#state = 'closed';
    this.#failureCount = 0;
  }

  /** Reports that a call was not answered. */
  failed(): void {
    if (this.#state === 'open') return;
    this.#failureCount += 1;
    if (this.#state === 'half-open' || this.#failureCount >= this.#failureMax) this.#open();
  }

  #open(): void {
    this.#state = 'open';
    this.#failureCount = 0;
    this.#refusesUntil = this.#now() + this.#openMs;
  }
}

function atLeastOne(name: string, value: number): number {
  if (value >= 1) return value;
  throw new RangeError(`CircuitBreaker: ${name} must be at least 1, not ${value}.`);
}
