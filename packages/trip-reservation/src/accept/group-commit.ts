export interface GroupCommitOptions<Item, Result> {
  /** Commits all items in one round trip; results in the order of the items. */
  readonly commit: (items: readonly Item[]) => Promise<readonly Result[]>;
  /** Items of one commit at most. */
  readonly batchMax: number;
  /** Commits under way at most; while all of them are, items gather for the next. */
  readonly concurrencyMax: number;
  /** A commit that takes longer, in milliseconds, no longer keeps the next from leaving. */
  readonly lateMs: number;
}

interface Waiting<Item, Result> {
  readonly item: Item;
  readonly resolve: (result: Result) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Lets many callers share one commit. Nobody waits for company: while no commit is under way an item leaves as
 * soon as everybody who was let through with it has come. Else it leaves when the commit ends, or when a full
 * group waits. So a lone caller pays no delay, and a crowd pays one round trip and one flush of the log for the
 * whole group. One commit that is late, because somebody holds a row of it, does not keep the others waiting.
 */
export class GroupCommit<Item, Result> {
  readonly #options: GroupCommitOptions<Item, Result>;
  #waiting: Waiting<Item, Result>[] = [];
  #runningCount = 0;
  /** Of those that run, those that are not late. */
  #punctualCount = 0;
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
    const { batchMax, concurrencyMax } = this.#options;
    const waitingCount = this.#waiting.length;
    if (waitingCount === 0 || this.#runningCount >= concurrencyMax) return false;
    return this.#punctualCount === 0 || waitingCount >= batchMax;
  }

  async #commitNext(): Promise<void> {
    const group = this.#waiting.splice(0, this.#options.batchMax);
    this.#runningCount += 1;
    this.#punctualCount += 1;
    let isLate = false;
    const watch = setTimeout(() => {
      isLate = true;
      this.#punctualCount -= 1;
      this.#schedule(setImmediate);
    }, this.#options.lateMs);
    try {
      const results = await this.#options.commit(group.map(({ item }) => item));
      group.forEach(({ resolve, reject }, index) => {
        if (index < results.length) resolve(results[index] as Result);
        else reject(new Error(`a commit of ${group.length} items left one unanswered`));
      });
    } catch (error) {
      for (const { reject } of group) reject(error);
    } finally {
      clearTimeout(watch);
      this.#runningCount -= 1;
      if (!isLate) this.#punctualCount -= 1;
      // After the turn's other replies were read: those who win the gate together commit together.
      this.#schedule(setImmediate);
    }
  }
}
