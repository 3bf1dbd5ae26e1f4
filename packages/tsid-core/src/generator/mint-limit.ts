import type { TsidLayout } from '../codec/layout.js';
import { HorizonPassedError, NodeUnavailableError } from '../codec/tsid-error.js';
import type { TsidObserver } from './generator-options.js';

const FIVE_YEARS_MS = 5 * 365.25 * 24 * 3_600_000;

/** Where minting ends, and where the end of the layout is so near that somebody should hear of it. */
export class MintLimit {
  /** First time that must not simply be minted: the nearest of ceiling, horizon and the day of the horizon's warning. */
  ms = 0;
  readonly #layout: TsidLayout;
  readonly #observer: TsidObserver | undefined;
  #ceilingMs = 0;
  #warned = false;

  constructor(layout: TsidLayout, observer: TsidObserver | undefined) {
    this.#layout = layout;
    this.#observer = observer;
  }

  /** A window with this ceiling is in force from now on. */
  setCeiling(ceilingMs: number): void {
    const { horizonMs } = this.#layout;
    this.#ceilingMs = ceilingMs;
    this.ms = Math.min(ceilingMs, this.#warned ? horizonMs : horizonMs - FIVE_YEARS_MS);
  }

  /** Refuses times beyond the horizon or the ceiling; lets the first one near the horizon pass with a warning. */
  pass(timeMs: number): void {
    const { horizonMs } = this.#layout;
    if (timeMs >= horizonMs) throw new HorizonPassedError(timeMs, this.#layout);
    if (timeMs >= this.#ceilingMs) throw new NodeUnavailableError('ended');
    this.#warned = true;
    this.setCeiling(this.#ceilingMs);
    this.#observer?.horizonNear?.({ layout: this.#layout, nowMs: timeMs, horizonMs });
  }
}
