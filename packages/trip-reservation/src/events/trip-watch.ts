import { hasEnded } from '../trip/lifecycle.js';
import type { TripEvent } from '../trip/trip.js';

export interface TripWatchOptions {
  /** The last revision known to the watcher. */
  readonly known: number;
  /** The current revision of the trip. `isOver`: no event will follow it. */
  readonly newest: number;
  readonly isOver: boolean;
  /** Returns events after the revision, in order; an empty page means there are none. */
  readonly history: (afterRevision: number) => Promise<readonly TripEvent[]>;
  readonly failed: (error: Error) => void;
  /** Called once, when the watch is closed. */
  readonly ended: () => void;
}

/** Maximum number of unread events; a reader that falls further behind reads the history instead. */
const QUEUE_MAX = 256;

/** Iterates over the events of one trip. Ends when the trip has ended, or on `close()`. */
export interface TripWatch extends AsyncIterableIterator<TripEvent>, AsyncDisposable {
  readonly tripId: bigint;
  /** Ends the watch; pending reads return `done`. Can be called more than once. */
  close(): void;
}

/** Queues unread events; see watch.ts. */
export class WatchQueue implements TripWatch {
  readonly #options: TripWatchOptions;
  #queue: TripEvent[] = [];
  /** The last revision that was returned or queued. */
  #known: number;
  /** Whether there might be events that are not in the queue. */
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

  /** Receives a published event, in any order and any number of times. */
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

  /** Reads the history next, because events might have been missed. */
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
        if (this.#queue.length > 0) this.#wake();
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

  async [Symbol.asyncDispose](): Promise<void> {
    this.close();
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

  /** Resolves with whether it made progress; after a failure, the next poll of the process retries. */
  async #catchUp(): Promise<boolean> {
    this.#isBehind = false;
    try {
      const page = await this.#options.history(this.#known);
      const missed = page.filter(({ revision }) => revision > this.#known);
      this.#queue.push(...missed);
      this.#known = missed.at(-1)?.revision ?? this.#known;
      // The history of a trip is deleted some time after its end.
      if (missed.length === 0 && this.#options.isOver) this.close();
      return missed.length > 0 || this.#isClosed;
    } catch (error) {
      this.#isBehind = true;
      this.#options.failed(error instanceof Error ? error : new Error(String(error)));
      return false;
    }
  }
}
