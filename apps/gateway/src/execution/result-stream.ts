/** The results of a subscription, as JSON. `return` ends it immediately, even while a `next` is pending. */
export interface ResultStream extends AsyncIterableIterator<string> {
  /** Of the last result, if its event has one: where to continue after it. */
  readonly cursor: string | undefined;
  next(): Promise<Step>;
  return(): Promise<Step>;
  throw(error: unknown): Promise<Step>;
}

type Step = IteratorResult<string, void>;

export interface ResultStreamParts<Event> {
  /** Executes the document for one event. */
  readonly resultOf: (event: Event) => Promise<string>;
  /** Creates the last result of a stream that failed. */
  readonly refusalOf: (error: unknown) => string;
  /** Called once. */
  readonly onEnd: (eventCount: number) => void;
}

/**
 * Turns the events of a subscription into results. Not an async generator, because its `return()` queues behind a
 * pending `next()`: a client that disconnects while no event arrives would leak its subscription.
 */
export function resultStream<Event>(
  events: AsyncIterator<Event>,
  { resultOf, refusalOf, onEnd }: ResultStreamParts<Event>,
): ResultStream {
  let isOver = false;
  let eventCount = 0;
  let cursor: string | undefined;
  const end = (): Step => {
    if (!isOver) onEnd(eventCount);
    isOver = true;
    return { done: true, value: undefined };
  };
  const stream: ResultStream = {
    get cursor() {
      return cursor;
    },
    async next(): Promise<Step> {
      if (isOver) return end();
      try {
        const step = await events.next();
        if (step.done) return end();
        eventCount += 1;
        const value = await resultOf(step.value);
        ({ cursor } = step.value as { readonly cursor?: string });
        return { done: false, value };
      } catch (error) {
        end();
        await events.return?.();
        return { done: false, value: refusalOf(error) };
      }
    },
    async return(): Promise<Step> {
      end();
      await events.return?.();
      return { done: true, value: undefined };
    },
    async throw(error: unknown) {
      await stream.return();
      throw error;
    },
    [Symbol.asyncIterator]() {
      return stream;
    },
  };
  return stream;
}
