export interface GroupCommitOptions<Item, Result> {
  /** Commits all items in one round trip and returns results in their order; `answer` gives a caller its result before the rest. */
  readonly commit: (
    items: readonly Item[],
    answer: (index: number, result: Result) => void,
  ) => Promise<readonly Result[]>;
  /** Maximum number of items per commit. */
  readonly batchMax: number;
  /** Maximum number of concurrent commits; once reached, items queue for the next one. */
  readonly concurrencyMax: number;
}

interface Waiting<Item, Result> {
  readonly item: Item;
  readonly resolve: (result: Result) => void;
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
    return new Promise((resolve, reject) => {
      this.#waiting.push({ item, resolve, reject });
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
      const results = await this.#options.commit(
        group.map(({ item }) => item),
        (index, result) => group[index]?.resolve(result),
      );
      group.forEach(({ resolve, reject }, index) => {
        if (index < results.length) resolve(results[index] as Result);
        else reject(new Error(`a commit of ${group.length} items left one unanswered`));
      });
    } catch (error) {
      for (const { reject } of group) reject(error);
    } finally {
      this.#runningCount -= 1;
      // Let this turn's other replies be read first: drivers who pass the gate together commit together.
      this.#schedule(setImmediate);
    }
  }
}
