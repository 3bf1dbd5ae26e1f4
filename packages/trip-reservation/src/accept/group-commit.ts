export interface GroupCommitOptions<Item, Result> {
  /** Commits a group in one round trip, and answers each of it, as soon as its result is known. */
  readonly commit: (group: readonly Submitted<Item, Result>[]) => Promise<void>;
  /** Maximum number of items per commit. */
  readonly batchMax: number;
  /** Maximum number of concurrent commits; once reached, items queue for the next one. */
  readonly concurrencyMax: number;
}

export interface Submitted<Item, Result> {
  readonly item: Item;
  /** Gives the caller their result; only the first one counts. */
  answer(result: Result): void;
}

interface Waiting<Item, Result> extends Submitted<Item, Result> {
  readonly reject: (error: unknown) => void;
}

/**
 * Lets concurrent callers share one commit, without waiting for a group to fill. While fewer than `concurrencyMax`
 * commits run, an item is sent as soon as the items that arrived with it are queued; otherwise when a commit ends. So a
 * single caller has no delay, and a crowd pays for one round trip and one log flush per group.
 */
export class GroupCommit<Item, Result> {
  readonly #options: GroupCommitOptions<Item, Result>;
  #waiting: Waiting<Item, Result>[] = [];
  #runningCount = 0;
  #isScheduled = false;

  constructor(options: GroupCommitOptions<Item, Result>) {
    this.#options = options;
  }

  submit(item: Item): Promise<Result> {
    return new Promise((answer, reject) => {
      this.#waiting.push({ item, answer, reject });
      // Let callers whose gate response came in the same message be queued first.
      if (this.#runningCount === 0) this.#schedule(queueMicrotask);
      else this.#schedule(setImmediate);
    });
  }

  #schedule(later: (run: () => void) => void): void {
    if (this.#isScheduled || !this.#isGroupDue) return;
    this.#isScheduled = true;
    later(() => {
      this.#isScheduled = false;
      while (this.#isGroupDue) void this.#commitNext();
    });
  }

  get #isGroupDue(): boolean {
    return this.#waiting.length > 0 && this.#runningCount < this.#options.concurrencyMax;
  }

  async #commitNext(): Promise<void> {
    const group = this.#waiting.splice(0, this.#options.batchMax);
    this.#runningCount += 1;
    try {
      await this.#options.commit(group);
      const unanswered = new Error('a commit left one of its items unanswered');
      for (const { reject } of group) reject(unanswered);
    } catch (error) {
      for (const { reject } of group) reject(error);
    } finally {
      this.#runningCount -= 1;
      // Let this turn's other replies be read first: drivers who pass the gate together commit together.
      this.#schedule(setImmediate);
    }
  }
}
