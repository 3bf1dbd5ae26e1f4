import { expect, test } from '@jest/globals';
import { type Look, PolledFeed, type PolledFeedOptions } from '../src/index.js';

/** Facts are numbers; what was returned last is the position. */
class CountingFeed extends PolledFeed<number> {
  position = 0;
  lookCount = 0;
  failures: Error[] = [];

  constructor(
    readonly limit: () => number,
    options: Partial<PolledFeedOptions> = {},
  ) {
    super({
      pollMs: 60_000,
      perSecondMax: Number.POSITIVE_INFINITY,
      afterError: () => 'WAIT',
      ended: () => undefined,
      ...options,
    });
  }

  protected async look(): Promise<Look<number>> {
    this.lookCount += 1;
    const failure = this.failures.shift();
    if (failure) throw failure;
    const found = Array.from({ length: Math.min(3, this.limit() - this.position) }, (_, index) => {
      const fact = this.position + index + 1;
      const advance = () => {
        this.position = fact;
      };
      return { fact, advance };
    });
    return { ready: found, isMoreLeft: found.length === 3 };
  }
}

/** Notices that a test gives. */
class Bell implements AsyncIterable<void> {
  isLeft = false;
  #ring: (() => void) | undefined;

  ring(): void {
    this.#ring?.();
  }

  [Symbol.asyncIterator](): AsyncIterator<void> {
    return {
      next: () =>
        new Promise((resolve) => {
          this.#ring = () => resolve({ done: false, value: undefined });
        }),
      return: async () => {
        this.isLeft = true;
        return { done: true, value: undefined };
      },
    };
  }
}

test('facts come in order, however many are taken at a time, and count as read when they are returned', async () => {
  await using feed = new CountingFeed(() => 7);
  await feed.open();
  expect(await feed.take(2)).toEqual([1, 2]);
  expect(feed.position).toBe(2);
  expect(await feed.take(10)).toEqual([3]);
  expect((await feed.next()).value).toBe(4);
  expect([...(await feed.take(10)), ...(await feed.take(10))]).toEqual([5, 6, 7]);
});

test('a notice ends the wait for the next fact, and the end leaves its source', async () => {
  const bell = new Bell();
  let limit = 0;
  const feed = new CountingFeed(() => limit, { notices: bell });
  await feed.open();
  const next = feed.next();
  limit = 1;
  await Promise.resolve();
  bell.ring();
  expect((await next).value).toBe(1);
  await feed.return();
  expect(bell.isLeft).toBe(true);
});

test.each([
  [
    'throws',
    () => {
      throw new Error('cannot be left');
    },
  ],
  ['rejects', () => Promise.reject(new Error('cannot be left'))],
])(
  'a source that %s when it is left ends neither the process nor the feed before its reader hears',
  async (_, leave) => {
    const rejections: unknown[] = [];
    const hear = (reason: unknown) => rejections.push(reason);
    process.on('unhandledRejection', hear);
    let endCount = 0;
    const notices = {
      [Symbol.asyncIterator]: () => ({ next: () => new Promise<never>(() => {}), return: leave }),
    };
    const feed = new CountingFeed(() => 0, {
      notices,
      ended: () => {
        endCount += 1;
      },
    });
    await feed.open();
    feed.end();
    await new Promise((resolve) => setImmediate(resolve));
    process.off('unhandledRejection', hear);
    expect([endCount, rejections]).toEqual([1, []]);
  },
);

test('a failed look is followed by another, an error that no look heals ends the feed', async () => {
  const feed = new CountingFeed(() => 9, {
    pollMs: 1,
    afterError: (error) => (String(error).includes('heals') ? 'WAIT' : 'THROW'),
  });
  await feed.open();
  await feed.take(3);
  feed.failures = [new Error('heals'), new Error('stays')];
  await expect(feed.take(1)).rejects.toThrow('stays');
  expect(await feed.take(1)).toEqual([]);
});

test('several readers at once share a look and get different facts', async () => {
  await using feed = new CountingFeed(() => 6);
  await feed.open();
  const taken = await Promise.all([feed.next(), feed.next(), feed.next(), feed.next()]);
  expect(taken.map(({ value }) => value)).toEqual([1, 2, 3, 4]);
  expect(feed.lookCount).toBe(2);
});

test('aborting or leaving ends a read that waits', async () => {
  const leaving = new AbortController();
  let endCount = 0;
  const ended = () => {
    endCount += 1;
  };
  const options = { signal: leaving.signal, ended };
  const feed = new CountingFeed(() => 0, options);
  await feed.open();
  const next = feed.next();
  leaving.abort();
  feed.end();
  expect(await next).toEqual({ done: true, value: undefined });
  expect(endCount).toBe(1);
});

test('a reader that is behind rests between two looks, whatever notices it gets, and can leave meanwhile', async () => {
  const bell = new Bell();
  const feed = new CountingFeed(() => 9, { notices: bell, perSecondMax: 0.01 });
  await feed.open();
  await feed.take(3);
  const resting = feed.take(3);
  bell.ring();
  await new Promise((resolve) => setImmediate(resolve));
  expect(feed.lookCount).toBe(1);
  feed.end();
  expect(await resting).toEqual([]);
});
