import { expect, test } from '@jest/globals';
import { resultStream } from '../src/execution/result-stream.js';
import { type FactFeed, FactReaders } from '../src/graphql/fact-readers.js';
import type { Identity } from '../src/identity/identity.js';

/** The places of a person who reads facts, whichever way a reader ends. */
const PLACE_COUNT = 10;
const reader = { subjectId: 7n } as Identity;

function feedOf(take: FactFeed<string>['take']): FactFeed<string> {
  return { cursor: '', behindCount: 0, take };
}

async function streamOf(readers: FactReaders, feed: () => Promise<FactFeed<string>>) {
  const events = await readers.batches(reader, feed);
  return resultStream(events, {
    resultOf: async () => 'facts',
    refusalOf: () => 'refused',
    onEnd: () => undefined,
  });
}

const waiting = () => new Promise<never>(() => undefined);

test.each<[string, FactFeed<string>['take']]>([
  ['is left while it waits', waiting],
  ['is left after facts', async () => ['fact']],
  ['ends', async () => []],
  ['fails', async () => Promise.reject(new Error('the database was restored'))],
])('a reader that %s leaves its place', async (_way, take) => {
  const readers = new FactReaders();
  for (let count = 0; count <= PLACE_COUNT; count += 1) {
    const stream = await streamOf(readers, async () => feedOf(take));
    const next = stream.next();
    if (take !== waiting) await next;
    await stream.return();
    await stream.return();
  }
  expect(readers.readerCount).toBe(0);
});

test('a feed that cannot be opened takes no place; those that are being opened do', async () => {
  const readers = new FactReaders();
  const broken = async () => Promise.reject(new Error('no cursor'));
  for (let count = 0; count <= PLACE_COUNT; count += 1)
    await expect(streamOf(readers, broken)).rejects.toThrow('no cursor');
  for (let count = 0; count < PLACE_COUNT; count += 1) void streamOf(readers, waiting);
  await expect(streamOf(readers, waiting)).rejects.toMatchObject({ reason: 'TOO_MANY_FEEDS' });
  expect(readers.behindMax).toBe(0);
  const other = readers.batches({ ...reader, subjectId: 8n }, async () => feedOf(waiting));
  await expect(other).resolves.toBeDefined();
});
