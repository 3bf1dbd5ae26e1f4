/** What `subscribe` of graphql-js reads; `return` ends it immediately, even while a `next` is pending. */
export interface Events<Value> extends AsyncIterableIterator<Value> {
  return(): Promise<IteratorResult<Value>>;
  throw(error: unknown): Promise<IteratorResult<Value>>;
}

/**
 * Written by hand: the `return()` of an async generator waits behind a `next()` that waits for a message, so a client that
 * disconnects would leak its subscription.
 *
 * @param leave ends what is read; can be called again
 */
export function eventsOf<Value>(
  next: () => Promise<IteratorResult<Value>>,
  leave: () => unknown,
): Events<Value> {
  return {
    next,
    async return() {
      await leave();
      return { done: true, value: undefined };
    },
    async throw(error: unknown) {
      await leave();
      throw error;
    },
    [Symbol.asyncIterator]() {
      return this;
    },
  };
}

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
 * Maps each event of a source to none, one or several others.
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
  const next = async (): Promise<IteratorResult<Out>> => {
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
  };
  return eventsOf(next, () => source.close());
}

interface Arrival<Value> {
  readonly step: IteratorResult<Value>;
  /** Asks the source for its next event. */
  readonly proceed: () => void;
}

/**
 * Reads several sources as one, in the order of arrival; ends when one of them ends. Of each source one event at most is
 * waiting here, so a slow reader fills the queues of the sources, which are bounded.
 */
export function mergeSources<Value>(sources: readonly Source<Value>[]): Source<Value> {
  const arrivals: Arrival<Value>[] = [];
  let wake = () => {};
  const read = async (source: Source<Value>) => {
    const step = await source.next();
    arrivals.push({ step, proceed: () => void read(source) });
    wake();
  };
  for (const source of sources) void read(source);
  return {
    async next() {
      for (;;) {
        const arrival = arrivals.shift();
        if (arrival?.step.done) return arrival.step;
        if (arrival !== undefined) {
          arrival.proceed();
          return arrival.step;
        }
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
    },
    close() {
      for (const source of sources) source.close();
    },
  };
}
