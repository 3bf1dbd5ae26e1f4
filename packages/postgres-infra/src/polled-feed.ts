import { setTimeout as pause } from 'node:timers/promises';

/** Notices that come sooner after a look than this share the next one, in milliseconds. */
const GATHER_MS = 20;
/** A look that begins later than it might have is made up for by this much, in milliseconds. */
const LATE_MS = 100;

/** A fact, and what counts as read once it has been returned. */
export interface ReadyFact<Fact> {
  readonly fact: Fact;
  /** Marks it as read. */
  readonly advance: () => void;
}

/** What one look at the store has found. */
export interface Look<Fact> {
  readonly ready: readonly ReadyFact<Fact>[];
  /** Whether the next look need not wait for news. */
  readonly isMoreLeft: boolean;
}

/** How a feed waits, and what ends it. */
export interface PolledFeedOptions {
  /** How long to wait for a notice before the next look, in milliseconds. */
  readonly pollMs: number;
  /** Most facts a second while more is left, so that those who write have the database too. */
  readonly perSecondMax: number;
  readonly signal?: AbortSignal | undefined;
  /** Anything that it yields means that there might be news. Left at the end. */
  readonly notices?: AsyncIterable<unknown> | undefined;
  /** What to do after a failed look: `WAIT` for the next, `END` the feed, or `THROW` the error and end. */
  readonly afterError: (error: unknown) => 'WAIT' | 'END' | 'THROW';
  /** Called once, at the end. */
  readonly ended: () => void;
}

/**
 * Returns facts of a store that is looked at again and again: at once while more is left, after a notice, or when a poll is
 * due. A fact counts as read when it is returned, so that a reader can store how far it is.
 */
export abstract class PolledFeed<Fact> implements AsyncIterableIterator<Fact>, AsyncDisposable {
  readonly #options: PolledFeedOptions;
  #ready: ReadyFact<Fact>[] = [];
  #isMoreLeft = true;
  #isWoken = false;
  readonly #ending = new AbortController();
  /** Not before this does the next look begin, by the monotonic clock. */
  #restUntilMs = 0;
  #wake = (): void => undefined;
  #looking: Promise<void> | undefined;
  #source: AsyncIterator<unknown> | undefined;
  readonly #leave = () => this.end();

  constructor(options: PolledFeedOptions) {
    this.#options = options;
  }

  get #isEnded(): boolean {
    return this.#ending.signal.aborted;
  }

  /** Looks at what follows the facts that were returned. */
  protected abstract look(): Promise<Look<Fact>>;

  /** Looks for the first time, and begins to listen. @throws what `look` throws, whatever it is */
  async open(): Promise<void> {
    const { signal, notices } = this.#options;
    const source = notices?.[Symbol.asyncIterator]();
    this.#source = source;
    signal?.addEventListener('abort', this.#leave);
    if (signal?.aborted) return this.end();
    try {
      await this.#look();
    } catch (error) {
      this.end();
      throw error;
    }
    if (source) void this.#listen(source);
  }

  /** Waits for a fact and returns it with those that need no other look, `countMax` at most; none at the end. */
  async take(countMax: number): Promise<readonly Fact[]> {
    while (this.#ready.length === 0 && !this.#isEnded) {
      this.#looking ??= this.#lookAgain().finally(() => {
        this.#looking = undefined;
      });
      await this.#looking;
    }
    const taken = this.#ready.splice(0, Math.max(1, countMax));
    for (const { advance } of taken) advance();
    return taken.map(({ fact }) => fact);
  }

  /** Waits for a fact; done when the feed has ended. */
  async next(): Promise<IteratorResult<Fact>> {
    const taken = await this.take(1);
    return taken.length === 0 ? { done: true, value: undefined } : { done: false, value: taken[0] as Fact };
  }

  /** Ends the feed. */
  async return(): Promise<IteratorResult<Fact>> {
    this.end();
    return { done: true, value: undefined };
  }

  /** Ends the feed. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.end();
  }

  /** Returns this feed: all loops over it share its place. */
  [Symbol.asyncIterator](): this {
    return this;
  }

  /** Ends the feed; pending reads return none. Can be called more than once. */
  end(): void {
    if (this.#isEnded) return;
    this.#ending.abort();
    this.#ready = [];
    this.#wake();
    this.#options.signal?.removeEventListener('abort', this.#leave);
    void this.#leaveSource();
    this.#options.ended();
  }

  async #leaveSource(): Promise<void> {
    try {
      await this.#source?.return?.();
    } catch {
      // The feed has ended, and no one waits for its source.
    }
  }

  async #look(): Promise<void> {
    const startedMs = performance.now();
    const { ready, isMoreLeft } = await this.look();
    if (this.#isEnded) return;
    const dueMs = Math.max(this.#restUntilMs, startedMs - LATE_MS);
    this.#restUntilMs = dueMs + (1000 * ready.length) / this.#options.perSecondMax;
    this.#ready = [...ready];
    this.#isMoreLeft = isMoreLeft;
  }

  async #lookAgain(): Promise<void> {
    await (this.#isMoreLeft ? this.#rest() : this.#news());
    if (this.#isEnded) return;
    try {
      await this.#look();
    } catch (error) {
      this.#isMoreLeft = false;
      const after = this.#isEnded ? 'END' : this.#options.afterError(error);
      if (after !== 'WAIT') this.end();
      if (after === 'THROW') throw error;
    }
  }

  async #rest(): Promise<void> {
    const restMs = this.#restUntilMs - performance.now();
    const ended = () => undefined;
    if (restMs > 0) await pause(restMs, undefined, { signal: this.#ending.signal }).catch(ended);
  }

  async #news(): Promise<void> {
    if (!this.#isWoken) {
      let timer: NodeJS.Timeout | undefined;
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
        timer = setTimeout(resolve, this.#options.pollMs);
      });
      clearTimeout(timer);
      this.#wake = () => undefined;
    }
    if (this.#isWoken && !this.#isEnded) await pause(GATHER_MS);
    this.#isWoken = false;
  }

  async #listen(source: AsyncIterator<unknown>): Promise<void> {
    try {
      for (let next = await source.next(); !next.done; next = await source.next()) {
        this.#isWoken = true;
        this.#wake();
      }
    } catch {
      // The next poll finds what is missed.
    }
  }
}
