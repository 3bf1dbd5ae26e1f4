import { GraphQLError, type GraphQLFormattedError } from 'graphql';
import type { ResultStream } from '../execution/result-stream.js';
import { type Events, eventsOf } from '../graphql/events.js';

/**
 * Sends the results of a subscription, which graphql-ws would serialize again for each subscriber. Yields nothing, and
 * ends with the subscription.
 */
export function sentResults(results: ResultStream, send: (json: string) => Promise<void>): Events<never> {
  const next = async (): Promise<IteratorResult<never>> => {
    for (;;) {
      const step = await results.next();
      if (step.done) return step;
      await send(step.value.json);
    }
  };
  return eventsOf(next, () => results.return());
}

/** An error that is already formatted for clients. */
export class WordedError extends GraphQLError {
  constructor(private readonly worded: GraphQLFormattedError) {
    super(worded.message);
  }

  override toJSON(): GraphQLFormattedError {
    return this.worded;
  }
}
