import { describe, expect, test } from '@jest/globals';
import { mergeSources } from '../src/graphql/events.js';

/** A source that is fed by hand and counts what is read of it. */
function sourceOf<Value>() {
  const waiting: ((result: IteratorResult<Value>) => void)[] = [];
  const facts = { readCount: 0, isClosed: false };
  return {
    facts,
    send: (value: Value) => waiting.shift()?.({ done: false, value }),
    end: () => waiting.shift()?.({ done: true, value: undefined }),
    next: () => {
      facts.readCount += 1;
      return new Promise<IteratorResult<Value>>((resolve) => waiting.push(resolve));
    },
    close: () => {
      facts.isClosed = true;
    },
  };
}

describe('merged sources', () => {
  test('yield what arrives, from whichever source, and read no further than the reader', async () => {
    const [one, two] = [sourceOf<number>(), sourceOf<number>()];
    const merged = mergeSources([one, two]);
    two.send(1);
    expect(await merged.next()).toEqual({ done: false, value: 1 });
    expect([one.facts.readCount, two.facts.readCount]).toEqual([1, 2]);
    const next = merged.next();
    one.send(2);
    expect(await next).toEqual({ done: false, value: 2 });
  });

  test('end with the first that ends, and close all', async () => {
    const [one, two] = [sourceOf<number>(), sourceOf<number>()];
    const merged = mergeSources([one, two]);
    one.end();
    expect((await merged.next()).done).toBe(true);
    merged.close();
    expect([one.facts.isClosed, two.facts.isClosed]).toEqual([true, true]);
  });
});
