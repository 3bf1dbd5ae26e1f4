import { InvalidGeneratorOptionsError } from '../codec/tsid-error.js';
import type { HorizonWarning, Overflow, TsidObserver } from './generator-options.js';

/** Calls an observer in the middle of an ID. One that mints then would get the same ID, so that is rejected. */
export class GuardedObserver implements Required<TsidObserver> {
  readonly #observer: TsidObserver | undefined;
  #isCalled = false;

  constructor(observer: TsidObserver | undefined) {
    this.#observer = observer;
  }

  horizonNear(warning: HorizonWarning): void {
    this.#call(() => this.#observer?.horizonNear?.(warning));
  }

  overflowed(overflow: Overflow): void {
    this.#call(() => this.#observer?.overflowed?.(overflow));
  }

  /** @throws InvalidGeneratorOptionsError during a call. */
  refuseMinting(): void {
    if (this.#isCalled)
      throw new InvalidGeneratorOptionsError('An observer must not mint: an ID is being made.');
  }

  #call(call: () => void): void {
    this.#isCalled = true;
    try {
      call();
    } finally {
      this.#isCalled = false;
    }
  }
}
