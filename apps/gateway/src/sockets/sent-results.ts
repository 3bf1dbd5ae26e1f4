import type { ResultStream } from '../execution/result-stream.js';

/**
 * Sends the results of a subscription, which graphql-ws would serialize again for each subscriber. Yields nothing, and
 * ends with the subscription.
 */
export function sentResults(
  results: ResultStream,
  send: (json: string) => Promise<void>,
): AsyncIterableIterator<never> {
  const sent: AsyncIterableIterator<never> = {
    async next() {
      for (;;) {
        const step = await results.next();
        if (step.done) return step;
        await send(step.value);
      }
    },
    return: () => results.return() as Promise<IteratorReturnResult<void>>,
    throw: (error) => results.throw(error) as Promise<IteratorReturnResult<void>>,
    [Symbol.asyncIterator]: () => sent,
  };
  return sent;
}
