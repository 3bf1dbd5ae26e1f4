import { refuseUnknownOptions } from './option-names.js';

/** Options of {@link CircuitBreaker}. */
export interface CircuitBreakerOptions {
  /** Consecutive failures that open the circuit; at least 1. */
  readonly failureMax: number;
  /** How long an open circuit rejects calls before it lets one probe through, in milliseconds; at least 1. */
  readonly openMs: number;
  /** A monotonic clock in milliseconds. Default: `performance.now`. */
  readonly now?: () => number;
}

/** Closed: calls pass. Open: calls are rejected. Half-open: one probe is in progress, all others are rejected. */
export type CircuitState = 'CLOSED' | 'OPEN' | 'HALF_OPEN';

/**
 * Saves callers from waiting for a store that does not respond.
 *
 * ```
 *   closed ── failureMax failures in a row ──> open ── openMs passed, allows() ──> half-open
 *     ^                                         ^                                   |   |
 *     |                                         +──── the probe failed ─────────────+   |
 *     +────────────────────────────────────────────── the probe succeeded ──────────────+
 * ```
 *
 * Check `allows()` before each call and report its outcome once. Calls that started before the circuit opened can
 * end while it is open; their reports are ignored, because they describe the time before. A probe that is never
 * reported (its caller died) does not block the circuit: after another `openMs`, the next caller probes.
 */
export class CircuitBreaker {
  readonly #failureMax: number;
  readonly #openMs: number;
  readonly #now: () => number;
  #state: CircuitState = 'CLOSED';
  #failureCount = 0;
  #refusesUntil = 0;

  constructor(options: CircuitBreakerOptions) {
    refuseUnknownOptions(options, { failureMax: true, openMs: true, now: true });
    this.#failureMax = atLeastOne('failureMax', options.failureMax);
    this.#openMs = atLeastOne('openMs', options.openMs);
    this.#now = options.now ?? (() => performance.now());
  }

  /** The state as of the last report or probe, for metrics. */
  get state(): CircuitState {
    return this.#state;
  }

  /** Returns whether a call may be made now. If the circuit was open, `true` makes that call the probe. */
  allows(): boolean {
    if (this.#state === 'CLOSED') return true;
    if (this.#now() < this.#refusesUntil) return false;
    this.#state = 'HALF_OPEN';
    this.#refusesUntil = this.#now() + this.#openMs;
    return true;
  }

  /** Reports that a call got a reply, whatever the reply was. */
  succeeded(): void {
    if (this.#state === 'OPEN') return;
    this.#state = 'CLOSED';
    this.#failureCount = 0;
  }

  /** Reports that a call got no reply. */
  failed(): void {
    if (this.#state === 'OPEN') return;
    this.#failureCount += 1;
    if (this.#state === 'HALF_OPEN' || this.#failureCount >= this.#failureMax) this.#open();
  }

  #open(): void {
    this.#state = 'OPEN';
    this.#failureCount = 0;
    this.#refusesUntil = this.#now() + this.#openMs;
  }
}

function atLeastOne(name: string, value: number): number {
  if (value >= 1) return value;
  throw new RangeError(`CircuitBreaker: ${name} must be at least 1, not ${value}.`);
}
