import type { Source } from './mapped-iterator.js';

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
