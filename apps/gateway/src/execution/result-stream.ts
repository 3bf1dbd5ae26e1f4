import { type Events, eventsOf } from '../graphql/events.js';

/** One result of a subscription. */
interface StreamResult {
  readonly json: string;
  /** Where to continue after it, if its event states that. */
  readonly cursor: string | undefined;
}

export type ResultStream = Events<StreamResult>;

export interface ResultStreamParts<Event> {
  /** Executes the document for one event. */
  readonly resultOf: (event: Event) => Promise<string>;
  /** Creates the last result of a stream that failed. */
  readonly refusalOf: (error: unknown) => string;
  /** Called once. */
  readonly onEnd: (eventCount: number) => void;
}

/** Turns the events of a subscription into results. */
export function resultStream<Event>(
  events: AsyncIterator<Event>,
  { resultOf, refusalOf, onEnd }: ResultStreamParts<Event>,
): ResultStream {
  let isOver = false;
  let eventCount = 0;
  const end = (): IteratorResult<StreamResult> => {
    if (!isOver) onEnd(eventCount);
    isOver = true;
    return { done: true, value: undefined };
  };
  const leave = async (): Promise<void> => {
    end();
    await events.return?.();
  };
  const next = async (): Promise<IteratorResult<StreamResult>> => {
    if (isOver) return end();
    try {
      const step = await events.next();
      if (step.done) return end();
      eventCount += 1;
      const json = await resultOf(step.value);
      const { cursor } = step.value as { readonly cursor?: string };
      return { done: false, value: { json, cursor } };
    } catch (error) {
      await leave();
      return { done: false, value: { json: refusalOf(error), cursor: undefined } };
    }
  };
  return eventsOf(next, leave);
}
