/**
 * What a subscriber receives. After a `gap` messages may be missing (the connection was away, or the reader was too
 * slow), so whoever shows a state reads it anew.
 */
export type PubSubEvent = { readonly kind: 'message'; readonly payload: string } | { readonly kind: 'gap' };

/** The events of one channel for one reader: `for await (const event of subscription)`. */
export interface Subscription extends AsyncIterableIterator<PubSubEvent> {
  /** Hands an event to the reader that waits, or keeps it for the next one. */
  push(event: PubSubEvent): void;
  /** Ends the subscription at once; readers that wait learn that it is done. May be called again. */
  close(): void;
}

/**
 * Holds at most `queueMax` events that were not read yet. When one more arrives all of them give way to a single
 * gap, so a slow reader costs bounded memory and knows that it was too slow. Written by hand and not as an async
 * generator, because the `return()` of a generator waits behind a `next()` that waits for a message.
 */
export class SubscriptionQueue implements Subscription {
  readonly #queueMax: number;
  readonly #onClose: () => void;
  #queue: PubSubEvent[] = [];
  #readers: ((result: IteratorResult<PubSubEvent>) => void)[] = [];
  #isClosed = false;

  constructor(queueMax: number, onClose: () => void) {
    this.#queueMax = queueMax;
    this.#onClose = onClose;
  }

  push(event: PubSubEvent): void {
    if (this.#isClosed) return;
    const reader = this.#readers.shift();
    if (reader) reader({ done: false, value: event });
    else if (this.#queue.length < this.#queueMax) this.#queue.push(event);
    else this.#queue = [{ kind: 'gap' }];
  }

  next(): Promise<IteratorResult<PubSubEvent>> {
    const event = this.#queue.shift();
    if (event) return Promise.resolve({ done: false, value: event });
    if (this.#isClosed) return Promise.resolve({ done: true, value: undefined });
    return new Promise((resolve) => this.#readers.push(resolve));
  }

  close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#queue = [];
    for (const reader of this.#readers.splice(0)) reader({ done: true, value: undefined });
    this.#onClose();
  }

  return(): Promise<IteratorResult<PubSubEvent>> {
    this.close();
    return Promise.resolve({ done: true, value: undefined });
  }

  throw(error: unknown): Promise<IteratorResult<PubSubEvent>> {
    this.close();
    return Promise.reject(error);
  }

  [Symbol.asyncIterator](): this {
    return this;
  }
}
