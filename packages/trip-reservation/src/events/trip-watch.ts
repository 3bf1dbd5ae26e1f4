import { hasEnded } from '../trip/lifecycle.js';
import type { TripEvent } from '../trip/trip.js';

export interface TripWatchOptions {
  /** The last revision that the watcher knows. */
  readonly known: number;
  /** The trip's own, and whether nothing follows it. */
  readonly newest: number;
  readonly isOver: boolean;
  /** Events after the revision, in order; an empty page: there are none. */
  readonly history: (afterRevision: number) => Promise<readonly TripEvent[]>;
  readonly failed: (error: Error) => void;
  /** Called once. */
  readonly ended: () => void;
}

/** Events that were not read yet; beyond, the reader is slow and reads the history instead. */
const QUEUE_MAX = 256;

/** Events of one trip for one reader. Ends when the trip has ended, or by `close()`. */
export interface TripWatch extends AsyncIterableIterator<TripEvent> {
  readonly tripId: bigint;
  /** Readers that wait learn that it is done. May be called again. */
  close(): void;
}

/** Holds what was not read yet; see watch.ts. */
export class WatchQueue implements TripWatch {
  readonly #options: TripWatchOptions;
  #queue: TripEvent[] = [];
  /** The last revision that was handed out or is in the queue. */
  #known: number;
  /** There may be events that are not in the queue. */
  #isBehind: boolean;
  #isClosed = false;
  readonly #readers = new Set<() => void>();

  constructor(
    readonly tripId: bigint,
    options: TripWatchOptions,
  ) {
    this.#options = options;
    this.#known = options.known;
    this.#isBehind = options.newest > options.known;
    if (options.isOver && !this.#isBehind) this.#isClosed = true;
  }

  get isClosed(): boolean {
    return this.#isClosed;
  }

  /** An event that was published, in any order and any number of times. */
  hear(event: TripEvent): void {
    if (event.revision <= this.#known) return;
    const isNext = event.revision === this.#known + 1 && !this.#isBehind && this.#queue.length < QUEUE_MAX;
    if (!isNext) {
      this.look();
      return;
    }
    this.#known = event.revision;
    this.#queue.push(event);
    this.#wake();
  }

  /** Something may have been missed. */
  look(): void {
    this.#isBehind = true;
    this.#wake();
  }

  lookIfBehind(newest: number): void {
    if (newest > this.#known || this.#isBehind) this.look();
  }

  async next(): Promise<IteratorResult<TripEvent>> {
    for (;;) {
      const event = this.#queue.shift();
      if (event) {
        if (hasEnded(event.status)) this.close();
        return { done: false, value: event };
      }
      if (this.#isClosed) return { done: true, value: undefined };
      const woken = new Promise<void>((resolve) => this.#readers.add(resolve));
      if (!this.#isBehind || !(await this.#catchUp())) await woken;
    }
  }

  close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#options.ended();
    this.#wake();
  }

  return(): Promise<IteratorResult<TripEvent>> {
    this.close();
    this.#queue = [];
    return Promise.resolve({ done: true, value: undefined });
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  #wake(): void {
    for (const wake of this.#readers) wake();
    this.#readers.clear();
  }

  /** Resolves with whether anything came of it; after a failure the next question of the process tries again. */
  async #catchUp(): Promise<boolean> {
    this.#isBehind = false;
    try {
      const page = await this.#options.history(this.#known);
      const missed = page.filter(({ revision }) => revision > this.#known);
      this.#queue.push(...missed);
      this.#known = missed.at(-1)?.revision ?? this.#known;
      // The history of a trip is removed some time after its end.
      if (missed.length === 0 && this.#options.isOver) this.close();
      return missed.length > 0 || this.#isClosed;
    } catch (error) {
      this.#isBehind = true;
      this.#options.failed(error instanceof Error ? error : new Error(String(error)));
      return false;
    }
  }
}
