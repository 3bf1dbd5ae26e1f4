import type { ExecutionResult, FormattedExecutionResult } from 'graphql';

type Step = IteratorResult<FormattedExecutionResult, void>;

/** Answers of a subscription; `return` ends it at once, also while a `next` waits. */
export interface ResultStream extends AsyncIterableIterator<FormattedExecutionResult> {
  next(): Promise<Step>;
  return(): Promise<Step>;
  throw(error: unknown): Promise<Step>;
}

export interface ResultStreamParts {
  readonly format: (result: ExecutionResult) => FormattedExecutionResult;
  /** The last answer of a stream that broke. */
  readonly refusalOf: (error: unknown) => FormattedExecutionResult;
  /** Called once. */
  readonly onEnd: (eventCount: number) => void;
}

/**
 * The results of a subscription as clients may see them. Written by hand: the `return()` of an async generator waits
 * behind a `next()` that waits for an event, so a client that leaves would leak its subscription.
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
