import { getEventListeners } from 'node:events';
import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { createClient, parseTsid } from '../src/index.js';

/** Server-sent events as they can arrive: in pieces that split events and characters anywhere. */
const NAMES = ['Straße', '橋', 'quay "4"', '🚕', 'two\u2028lines\u2029or three'];
const watched = { tripId: parseTsid('5'), afterRevision: 0 };

function frames(lineEnd: string): Uint8Array {
  const events = NAMES.map((type, index) => {
    const data = JSON.stringify({ data: { tripUpdated: { revision: index + 1, type } } });
    return `event: next${lineEnd}data: ${data}${lineEnd}${lineEnd}:${lineEnd}${lineEnd}`;
  });
  return new TextEncoder().encode(
    `:${lineEnd}${lineEnd}${events.join('')}event: complete${lineEnd}data: ${lineEnd}${lineEnd}`,
  );
}

/** What a client reads from these connections, one after the other. */
async function read(connections: readonly (readonly Uint8Array[])[]): Promise<string[]> {
  let openedCount = 0;
  const client = createClient({
    url: 'http://gateway.test/graphql',
    retry: { baseMs: 0 },
    fetch: async () => {
      const chunks = connections[openedCount] ?? [];
      openedCount += 1;
      const body = new ReadableStream({
        start(controller) {
          for (const chunk of chunks) controller.enqueue(chunk);
          controller.close();
        },
      });
      return new Response(body, { headers: { 'content-type': 'text/event-stream; charset=utf-8' } });
    },
  });
  const types: string[] = [];
  for await (const { type } of client.tripUpdated(watched)) types.push(type);
  return types;
}

test.each(['\n', '\r\n'])(
  'events are read however they are split into pieces; lines end with %j',
  async (lineEnd) => {
    const bytes = frames(lineEnd);
    const cuts = fc.array(fc.integer({ min: 0, max: bytes.length }), { maxLength: 40 });
    await fc.assert(
      fc.asyncProperty(cuts, async (places) => {
        const edges = [0, ...places.toSorted((one, other) => one - other), bytes.length];
        const chunks = edges.slice(1).map((edge, index) => bytes.slice(edges[index], edge));
        expect(await read([chunks.filter(({ length }) => length > 0)])).toEqual(NAMES);
      }),
    );
  },
);

test('a stream that ends early is reopened, and an event that arrives twice is returned once', async () => {
  const bytes = frames('\n');
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 0, max: bytes.length - 1 }), async (length) => {
      expect(await read([[bytes.slice(0, length)], [bytes]])).toEqual(NAMES);
    }),
  );
});

test('data that is not JSON counts as a broken connection', async () => {
  const broken = new TextEncoder().encode('event: next\ndata: <h1>Bad Gateway</h1>\n\n');
  expect(await read([[broken], [frames('\n')]])).toEqual(NAMES);
});

test('a subscription that is left before its first event leaves no listeners', async () => {
  const client = createClient({ url: 'http://gateway.test/graphql' });
  const { signal } = new AbortController();
  await client.tripUpdated(watched, { signal }).return?.();
  expect(getEventListeners(signal, 'abort')).toEqual([]);
});
