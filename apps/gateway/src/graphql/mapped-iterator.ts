/** What `subscribe` of graphql-js reads; `return` ends it immediately, even while a `next` is pending. */
export type Events<Value> = AsyncIterableIterator<Value>;

/** A source of events, such as a Subscription of redis-infra. */
export interface Source<Value> {
  next(): Promise<IteratorResult<Value>>;
  close(): void;
}

/** Maps an event once, however many subscriptions receive it, so that all of them share what it was mapped to. */
export function sharedMap<In extends object, Out>(map: (event: In) => Out): (event: In) => Out {
  const known = new WeakMap<In, Out>();
  return (event) => {
    const mapped = known.get(event) ?? map(event);
    known.set(event, mapped);
    return mapped;
  };
}

/**
 * Maps each event of a source to none, one or several others. Written by hand: the `return()` of an async generator
 * waits behind a `next()` that waits for a message, so a client that disconnects would leak its subscription.
 *
 * @param map ends the iterator and its source if it throws
 * @param isLast whether nothing comes after the event; called for each event, in order
 */
export function mapEvents<In, Out>(
  source: Source<In>,
  map: (event: In) => readonly Out[] | Promise<readonly Out[]>,
  isLast: (event: Out) => boolean = () => false,
): Events<Out> {
  const ready: Out[] = [];
  return {
    async next() {
      while (ready.length === 0) {
        const step = await source.next();
        if (step.done) return { done: true, value: undefined };
        try {
          ready.push(...(await map(step.value)));
        } catch (error) {
          source.close();
          throw error;
        }
      }
      const [value] = ready.splice(0, 1) as [Out];
      if (isLast(value)) {
        ready.length = 0;
        source.close();
      }
      return { done: false, value };
    },
    async return() {
      source.close();
      return { done: true, value: undefined };
    },
    async throw(error: unknown) {
      source.close();
      throw error;
    },
    [Symbol.asyncIterator]() {
      return this;
    },
  };
}
