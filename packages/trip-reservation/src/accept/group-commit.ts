export interface GroupCommitOptions<Item, Result> {
  /** Commits all items in one round trip; results in the order of the items. */
  readonly commit: (items: readonly Item[]) => Promise<readonly Result[]>;
  /** Items of one commit at most. */
  readonly batchMax: number;
  /** Commits under way at most; while all of them are, items gather for the next. */
  readonly concurrencyMax: number;
}

interface Waiting<Item, Result> {
  readonly item: Item;
  readonly resolve: (result: Result) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Lets many callers share one commit. Nobody waits for company: while a commit may leave, an item leaves as soon as
 * everybody who was let through with it has come. Else it leaves when one ends. So a lone caller pays no delay, and a crowd
 * pays one round trip and one flush of the log for the whole group.
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
      // After those whose answer came in the same message from the gate: they are queued already.
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
      const results = await this.#options.commit(group.map(({ item }) => item));
      group.forEach(({ resolve, reject }, index) => {
        if (index < results.length) resolve(results[index] as Result);
        else reject(new Error(`a commit of ${group.length} items left one unanswered`));
      });
    } catch (error) {
      for (const { reject } of group) reject(error);
    } finally {
      this.#runningCount -= 1;
      // After the turn's other replies were read: those who win the gate together commit together.
      this.#schedule(setImmediate);
    }
  }
}
