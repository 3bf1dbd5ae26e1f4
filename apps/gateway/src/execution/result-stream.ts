import type { ExecutionResult, FormattedExecutionResult } from 'graphql';

type Step = IteratorResult<FormattedExecutionResult, void>;

/** The results of a subscription. `return` ends it immediately, even while a `next` is pending. */
export interface ResultStream extends AsyncIterableIterator<FormattedExecutionResult> {
  next(): Promise<Step>;
  return(): Promise<Step>;
  throw(error: unknown): Promise<Step>;
}

export interface ResultStreamParts {
  readonly format: (result: ExecutionResult) => FormattedExecutionResult;
  /** Creates the last result of a stream that failed. */
  readonly refusalOf: (error: unknown) => FormattedExecutionResult;
  /** Called once. */
  readonly onEnd: (eventCount: number) => void;
}

/**
 * Formats the results of a subscription for clients. Not an async generator, because its `return()` queues behind a
 * pending `next()`: a client that disconnects while no event arrives would leak its subscription.
 */
export function resultStream(
  results: AsyncGenerator<ExecutionResult, void, void>,
  { format, refusalOf, onEnd }: ResultStreamParts,
): ResultStream {
  let isOver = false;
  let eventCount = 0;
  const end = (): Step => {
    if (!isOver) onEnd(eventCount);
    isOver = true;
    return { done: true, value: undefined };
  };
  const stream: ResultStream = {
    async next(): Promise<Step> {
      if (isOver) return end();
      try {
        const step = await results.next();
        if (step.done) return end();
        eventCount += 1;
        return { done: false, value: format(step.value) };
      } catch (error) {
        end();
        return { done: false, value: refusalOf(error) };
      }
    },
    async return(): Promise<Step> {
      end();
      await results.return();
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
