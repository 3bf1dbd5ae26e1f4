import type { Standing } from './batch.js';
import type { HeldLock } from './counter-locks.js';

/** A lock with where its counter stood after the last flight, to be told to whoever gets it next. */
export interface GivenLock {
  readonly lock: HeldLock;
  readonly standing: Standing | undefined;
}

/** Name of a lock, and the token that it is held under. */
export interface WantedLock {
  readonly lock: string;
  readonly token: string;
}

export interface KeptLocksOptions {
  readonly now: () => number;
  readonly lockTtlMs: number;
  readonly giveBack: (given: readonly GivenLock[]) => void;
}

/** A lock that nobody uses is given back after this. */
const lingerMs = 5;

/** A lock is kept no longer than this through all its uses: what Redis remembers of the counter is at most that old. */
const keepMaxMs = 50;

const wantedMax = 10_000;

/**
 * Locks between two flights of this process. Where one process issues alone, its next flight would give a lock back only to
 * take it again; so a lock stays for a moment, unless another process has said that it wants it.
 */
export class KeptLocks {
  readonly #options: KeptLocksOptions;
  readonly #keepMs: number;
  readonly #kept = new Map<string, GivenLock>();
  /** Locks in use, by token and name, that another process waits for. */
  readonly #wanted = new Set<string>();
  #sweep: NodeJS.Timeout | undefined;

  constructor(options: KeptLocksOptions) {
    this.#options = options;
    this.#keepMs = Math.min(keepMaxMs, options.lockTtlMs / 4);
  }

  /** Those of the locks that were kept, by name. With `allOrNone`, unless all were, those that were are given back. */
  reuse(names: readonly string[], { allOrNone }: { allOrNone: boolean }): Map<string, HeldLock> {
    const found = names.flatMap((name) => this.#kept.get(name) ?? []);
    for (const { lock } of found) this.#kept.delete(lock.key.lock);
    if (allOrNone && found.length < names.length) {
      if (found.length > 0) this.#options.giveBack(found);
      return new Map();
    }
    return new Map(found.map(({ lock, standing }) => [lock.key.lock, { ...lock, hint: standing }]));
  }

  /** Keeps what may be kept, and gives the rest back in one call; in a crowd, all. */
  keepOrGive(given: readonly GivenLock[], { isCrowd }: { isCrowd: boolean }): void {
    const nowMs = this.#options.now();
    const rest: GivenLock[] = [];
    for (const one of given) {
      const { lock } = one;
      const name = lock.key.lock;
      const isWanted = this.#wanted.delete(lock.token + name);
      if (isWanted || isCrowd || nowMs - lock.takenMs >= this.#keepMs) rest.push(one);
      else this.#kept.set(name, one);
    }
    if (rest.length > 0) this.#options.giveBack(rest);
    if (this.#kept.size > 0) this.#sweep ??= setTimeout(() => this.#giveIdle(), lingerMs);
  }

  /** Others wait for locks of ours: those that are idle go at once, those in use after their flight. */
  want(wanted: readonly WantedLock[]): void {
    const idle: GivenLock[] = [];
    for (const { lock, token } of wanted) {
      const kept = this.#kept.get(lock);
      if (kept?.lock.token === token) {
        this.#kept.delete(lock);
        idle.push(kept);
      } else {
        // Of a lock that was given back meanwhile this is old news; such are forgotten now and then.
        if (this.#wanted.size >= wantedMax) this.#wanted.clear();
        this.#wanted.add(token + lock);
      }
    }
    if (idle.length > 0) this.#options.giveBack(idle);
  }

  close(): void {
    clearTimeout(this.#sweep);
    this.#giveIdle();
  }

  /** Those in use are not here: whatever is kept when the sweep comes has waited for a flight in vain, or soon has. */
  #giveIdle(): void {
    this.#sweep = undefined;
    const idle = [...this.#kept.values()];
    this.#kept.clear();
    if (idle.length > 0) this.#options.giveBack(idle);
  }
}
