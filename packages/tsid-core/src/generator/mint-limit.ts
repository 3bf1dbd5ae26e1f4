import type { TsidLayout } from '../codec/layout.js';
import { HorizonPassedError, NodeUnavailableError } from '../codec/tsid-error.js';
import type { GuardedObserver } from './guarded-observer.js';

const FIVE_YEARS_MS = 5 * 365.25 * 24 * 3_600_000;

/** The time at which minting ends, and the time from which the approaching horizon is reported. */
export class MintLimit {
  /** The first time that needs a check before minting: the earliest of ceiling, horizon and horizon warning. */
  ms = 0;
  readonly #layout: TsidLayout;
  readonly #observer: GuardedObserver;
  #ceilingMs = 0;
  #warned = false;

  constructor(layout: TsidLayout, observer: GuardedObserver) {
    this.#layout = layout;
    this.#observer = observer;
  }

  /** Applies the ceiling of a new window. */
  setCeiling(ceilingMs: number): void {
    const { horizonMs } = this.#layout;
    this.#ceilingMs = ceilingMs;
    this.ms = Math.min(ceilingMs, this.#warned ? horizonMs : horizonMs - FIVE_YEARS_MS);
  }

  /** Rejects times at or past the horizon or the ceiling; lets the first one near the horizon pass with a warning. */
  pass(timeMs: number): void {
    const { horizonMs } = this.#layout;
    if (timeMs >= horizonMs) throw new HorizonPassedError(timeMs, this.#layout);
    if (timeMs >= this.#ceilingMs) throw new NodeUnavailableError('ENDED');
    this.#warned = true;
    this.setCeiling(this.#ceilingMs);
    this.#observer.horizonNear({ layout: this.#layout, nowMs: timeMs, horizonMs });
  }
}
