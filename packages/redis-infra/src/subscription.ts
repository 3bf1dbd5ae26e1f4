/**
 * An event of a subscription. A `GAP` means that messages may be missing (the connection was lost, or the reader was
 * too slow), so a reader that keeps state must reload it.
 */
export type PubSubEvent = { readonly kind: 'MESSAGE'; readonly payload: string } | { readonly kind: 'GAP' };

/** The events of one channel for one reader. Use `for await (const event of subscription)`. */
export interface Subscription extends AsyncIterableIterator<PubSubEvent>, AsyncDisposable {
  /** Passes an event to a waiting reader, or queues it. */
  push(event: PubSubEvent): void;
  /** Ends the subscription immediately; waiting readers get `done`. Idempotent. */
  close(): void;
}

/**
 * Holds at most `queueMax` unread events. When one more arrives, a single gap replaces them all, so a slow reader uses
 * bounded memory and can detect the loss. Not an async generator, because the `return()` of a generator waits behind a
 * pending `next()`.
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
    else this.#queue = [{ kind: 'GAP' }];
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

  async [Symbol.asyncDispose](): Promise<void> {
    this.close();
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
