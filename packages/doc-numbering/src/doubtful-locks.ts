import type { HeldLock } from './counter-locks.js';
import type { GivenLock, WantedLock } from './kept-locks.js';

/** Beyond that they end by themselves. */
const doubtfulMax = 10_000;

/**
 * Locks that Redis may hold for this process though nobody here uses them: a call that took or gave them had no answer. A
 * Redis that was only stopped carries such calls out when it goes on, and the locks would keep everybody waiting until they
 * end. They are given back at the next sign of life.
 */
export class DoubtfulLocks {
  readonly #locks = new Map<string, HeldLock>();

  add(locks: readonly HeldLock[]): void {
    if (this.#locks.size >= doubtfulMax) this.#locks.clear();
    for (const lock of locks) this.#locks.set(lock.token + lock.key.lock, lock);
  }

  /** All of them, to be given back. */
  takeAll(): GivenLock[] {
    const all = [...this.#locks.values()];
    this.#locks.clear();
    return all.map((lock) => ({ lock, standing: undefined }));
  }

  /** Those that others wait for, to be given back. */
  takeWanted(wanted: readonly WantedLock[]): GivenLock[] {
    return wanted.flatMap(({ lock: name, token }) => {
      const lock = this.#locks.get(token + name);
      this.#locks.delete(token + name);
      return lock ? [{ lock, standing: undefined }] : [];
    });
  }
}
