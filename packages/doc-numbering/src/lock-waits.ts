import type { HeldLock, Pass } from './counter-locks.js';
import type { LockKey } from './lock-key.js';

/**
 * Hand-overs that this process waits for. They come by another connection than the replies of Redis, so one may overtake the
 * reply that says "queued": from before a lock is asked for until its reply was read, what is handed over is kept.
 */
export class LockWaits {
  readonly #now: () => number;
  readonly #waits = new Map<string, (lock: HeldLock) => void>();
  readonly #expected = new Map<string, HeldLock[]>();

  constructor(now: () => number) {
    this.#now = now;
  }

  /** Before a call asks for locks under a token. Gives a list that fills with what is handed over meanwhile. */
  expect(token: string): readonly HeldLock[] {
    const handedOver: HeldLock[] = [];
    this.#expected.set(token, handedOver);
    return handedOver;
  }

  /** The call's reply was read: what comes now is for those that wait. */
  expectNoMore(token: string): void {
    this.#expected.delete(token);
  }

  /** The lock, when it is handed over in time. */
  wait(key: LockKey, token: string, untilMs: number): Promise<Pass> {
    const name = token + key.lock;
    return new Promise((resolve) => {
      const timer = setTimeout(
        () => {
          this.#waits.delete(name);
          resolve({ kind: 'bare', reason: 'busy' });
        },
        Math.max(0, untilMs - this.#now()),
      );
      this.#waits.set(name, (lock) => {
        clearTimeout(timer);
        resolve({ kind: 'held', lock });
      });
    });
  }

  /** Whether somebody waits for the lock or will; then it is theirs. */
  deliver(lock: HeldLock): boolean {
    const name = lock.token + lock.key.lock;
    const wait = this.#waits.get(name);
    const expected = this.#expected.get(lock.token);
    this.#waits.delete(name);
    if (wait) wait(lock);
    else expected?.push(lock);
    return wait !== undefined || expected !== undefined;
  }
}
