import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setTimeout as pause, setImmediate as turn } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { until } from '@solegate/testkit';
import Fastify, { type FastifyInstance } from 'fastify';
import { HeldBytes } from '../src/budget/held-bytes.js';
import { SubscriberPlaces } from '../src/budget/subscriber-places.js';
import type { ResultStream } from '../src/execution/result-stream.js';
import { eventsOf } from '../src/graphql/events.js';
import { EventStreams } from '../src/http/event-stream.js';
import { registerExportRoute } from '../src/http/export-route.js';
import { listenerCloser } from '../src/http/listener-closer.js';
import { eachInPieces, holdUnread, inPieces } from '../src/http/response-budget.js';
import type { Identity } from '../src/identity/identity.js';

/** Responses that are longer than the buffers of both ends, and clients that read them slowly or not at all. */
const MEGABYTE = 1_000_000;
const EXPORT = '/export/document-numbers.csv';
let nowMs: number;
let held: HeldBytes;
let app: FastifyInstance;
let clients: Socket[];
/** The gateway's ends of their connections. */
let sockets: Socket[];
let expiresAtMs: number | undefined;
/** Exports that are being read from the ledger. */
let exportCount: number;
let placeCount: number;

async function* endlessLines(): AsyncGenerator<string> {
  exportCount += 1;
  try {
    for (;;) {
      await turn();
      yield 'a line of the ledger\r\n'.repeat(5_000);
    }
  } finally {
    exportCount -= 1;
  }
}

function identity(): Identity {
  return { subjectId: 1n, roles: new Set(['auditor']), projects: 'ALL', expiresAtMs };
}

function exportParts() {
  const caller = identity();
  return {
    held,
    authenticate: () => caller,
    admission: { admit: () => undefined },
    report: { ended: () => undefined },
    ledgerExport: { csv: async () => endlessLines() },
    streams: {
      takePlace: () => {
        placeCount += 1;
      },
      giveBack: () => {
        placeCount -= 1;
      },
    },
  };
}

beforeEach(() => {
  nowMs = 0;
  exportCount = 0;
  placeCount = 0;
  expiresAtMs = undefined;
  clients = [];
  sockets = [];
  held = new HeldBytes(() => nowMs);
  app = Fastify({ forceCloseConnections: 'idle' });
  app.server.on('connection', (socket) => sockets.push(socket));
});

afterEach(async () => {
  for (const client of clients) client.destroy();
  held.stop();
  await app.close();
});

async function listen(): Promise<void> {
  app.get('/answer/:megabytes', {
    handler: async (request, reply) => {
      const { megabytes } = request.params as { megabytes: string };
      reply.send(inPieces(reply, 'x'.repeat(Number(megabytes) * MEGABYTE), held));
      holdUnread(reply, held);
      return reply;
    },
  });
  registerExportRoute(app, exportParts() as never);
  await app.listen({ port: 0, host: '127.0.0.1' });
}

/** Sends a request, and reads nothing of its response. */
async function ask(path: string, method = 'GET'): Promise<Socket> {
  const client = connect((app.server.address() as { port: number }).port, '127.0.0.1');
  clients.push(client);
  client.on('error', () => undefined);
  await once(client, 'connect');
  client.pause();
  client.write(`${method} ${path} HTTP/1.1\r\nhost: localhost\r\n\r\n`);
  return client;
}

/** Reads that much, and a piece more at most. */
function read(client: Socket, bytes: number): Promise<void> {
  const untilBytes = client.bytesRead + bytes;
  return new Promise((resolve) => {
    const look = (): void => {
      if (client.bytesRead < untilBytes) return;
      client.off('data', look).pause();
      resolve();
    };
    client.on('data', look).resume();
  });
}

const sentBytes = (): number => sockets.reduce((sum, socket) => sum + socket.bytesWritten, 0);

/** Resolves when the gateway sends no more, because nothing of what it has sent is read. */
async function stalled(): Promise<void> {
  let stillCount = 0;
  let last = 0;
  await until(() => {
    const bytes = sentBytes();
    stillCount = bytes > 0 && bytes === last ? stillCount + 1 : 0;
    last = bytes;
    return stillCount === 5;
  });
  expect(held.byteCount).toBeGreaterThan(0);
}

/** Reads until the gateway sends more: the system asks for more when a large part of its buffers is free. */
async function readUntilMoreIsSent(client: Socket): Promise<void> {
  const before = sentBytes();
  while (sentBytes() === before) {
    await read(client, MEGABYTE / 4);
    await pause(10);
  }
}

const connectionCount = (): Promise<number> =>
  new Promise((resolve, reject) => {
    app.server.getConnections((error, count) => (error === null ? resolve(count) : reject(error)));
  });
const isCut = (): Promise<boolean> => until(async () => (await connectionCount()) === 0);

test.each([
  ['an answer', '/answer/15'],
  ['an export', EXPORT],
])('%s is cut when nothing of it is read for 30 seconds, however long reading takes', async (_what, path) => {
  await listen();
  const client = await ask(path);
  for (let round = 0; round < 3; round += 1) {
    await stalled();
    nowMs += 20_000;
    held.sweep();
    await readUntilMoreIsSent(client);
  }
  expect(await connectionCount()).toBe(1);
  await stalled();
  nowMs += 30_000;
  held.sweep();
  await isCut();
  await until(() => held.byteCount === 0);
});

test('an answer is whole, whatever its length', async () => {
  await listen();
  const { port } = app.server.address() as { port: number };
  for (const megabytes of [0, 1, 15]) {
    const response = await fetch(`http://127.0.0.1:${port}/answer/${megabytes}`);
    expect((await response.text()).length).toBe(megabytes * MEGABYTE);
  }
  await until(() => held.byteCount === 0);
});

test('an answer that is more than its address may leave unread is cut', async () => {
  await listen();
  await ask('/answer/15');
  await stalled();
  const second = await ask('/answer/15');
  await once(second.resume(), 'close');
  expect(await connectionCount()).toBe(1);
});

test('a client that has left before its answer leaves nothing held', async () => {
  app.get('/late', {
    handler: async (request, reply) => {
      request.raw.socket.destroy();
      await once(request.raw.socket, 'close');
      return reply.send(inPieces(reply, 'x'.repeat(MEGABYTE), held));
    },
  });
  await listen();
  await once((await ask('/late')).resume(), 'close');
  expect(held.byteCount).toBe(0);
});

/** Serves this stream. */
function streamOf(stream: ResultStream): EventStreams {
  const streams = new EventStreams(new SubscriberPlaces(), held, Date.now);
  app.get('/events', (_request, reply) => streams.send(reply, stream, identity()));
  return streams;
}

test('a stream that begins after the shutdown did ends at once, so that its client reconnects', async () => {
  const over = new AbortController();
  const next = async (): Promise<IteratorResult<never>> => {
    if (!over.signal.aborted) await once(over.signal, 'abort');
    return { done: true, value: undefined };
  };
  const streams = streamOf(eventsOf(next, () => over.abort()));
  await listen();
  await streams.close();
  const { port } = app.server.address() as { port: number };
  const text = await (await fetch(`http://127.0.0.1:${port}/events`)).text();
  expect(text).not.toContain('complete');
  expect(streams.streamCount).toBe(0);
});

test('a stream whose client has read its event stays open, however long nothing happens', async () => {
  const over = new AbortController();
  async function* oneEvent() {
    yield { json: '{"data":{}}', cursor: undefined };
    await once(over.signal, 'abort');
  }
  streamOf(oneEvent() as ResultStream);
  await listen();
  const client = await ask('/events');
  let received = '';
  client.setEncoding('utf8').on('data', (text: string) => {
    received += text;
  });
  client.resume();
  await until(() => received.includes('event: next'));
  await until(() => held.byteCount === 0);
  nowMs += 60_000;
  held.sweep();
  over.abort();
  await until(() => received.includes('event: complete'));
});

test('what was read of an export is not counted while its next page is loaded, and its last piece until it is read', async () => {
  const unread = held.open('an address');
  const over = new AbortController();
  async function* pages() {
    yield 'a page of the ledger';
    await once(over.signal, 'abort');
  }
  const pieces = eachInPieces(pages(), unread);
  await pieces.next();
  expect(held.byteCount).toBeGreaterThan(0);
  const ended = pieces.next();
  await until(() => held.byteCount === 0);
  over.abort();
  expect((await ended).done).toBe(true);
  expect(held.byteCount).toBe('a page of the ledger'.length);
});

test('an export ends with its connection, and gives its place back', async () => {
  await listen();
  const client = await ask(EXPORT);
  await stalled();
  expect([exportCount, placeCount]).toEqual([1, 1]);
  client.destroy();
  await until(() => exportCount === 0 && placeCount === 0 && held.byteCount === 0);
});

test('an export ends when the token of its caller expires', async () => {
  expiresAtMs = Date.now() + 500;
  await listen();
  const client = await ask(EXPORT);
  await once(client.resume(), 'close');
  await until(() => exportCount === 0 && placeCount === 0);
});

test('an export is refused while its address holds too much', async () => {
  await listen();
  const other = held.open('127.0.0.1', undefined, 20 * MEGABYTE);
  other.resize(20 * MEGABYTE);
  const { port } = app.server.address() as { port: number };
  const response = await fetch(`http://127.0.0.1:${port}${EXPORT}`);
  expect(await response.text()).toContain('Too many bytes');
  expect([exportCount, placeCount]).toEqual([0, 0]);
});

test('the head alone of an export cannot be requested: it would read the ledger for nobody', async () => {
  await listen();
  const { port } = app.server.address() as { port: number };
  const { status } = await fetch(`http://127.0.0.1:${port}${EXPORT}`, { method: 'HEAD' });
  expect([status, exportCount]).toEqual([404, 0]);
});

test.each([
  ['an answer that nobody reads', '/answer/15', 60_000],
  ['an export that nobody reads', EXPORT, 60_000],
  ['an export that is read for longer than any request may take', EXPORT, 200],
])('%s does not delay shutdown', async (what, path, requestTimeoutMs) => {
  const close = listenerCloser(app, requestTimeoutMs);
  await listen();
  const client = await ask(path);
  await stalled();
  if (!what.includes('nobody')) client.on('data', () => undefined).resume();
  await close();
  expect(await connectionCount()).toBe(0);
});

test('shutdown does not cut an answer that is ended, but not sent', async () => {
  app.get('/ended', (_request, reply) => reply.send('x'.repeat(15 * MEGABYTE)));
  const close = listenerCloser(app, 60_000);
  await listen();
  const client = await ask('/ended');
  await until(() => sentBytes() > 15 * MEGABYTE);
  const closed = close();
  await once(client.resume(), 'close');
  await closed;
  expect(client.bytesRead).toBeGreaterThan(15 * MEGABYTE);
});

test('shutdown waits for an answer that is still read', async () => {
  const close = listenerCloser(app, 60_000);
  await listen();
  const client = await ask('/answer/15');
  await stalled();
  const closed = close();
  while (client.bytesRead < 14 * MEGABYTE) {
    await read(client, MEGABYTE / 4);
    await pause(30);
  }
  await once(client.resume(), 'close');
  await closed;
  expect(client.bytesRead).toBeGreaterThan(15 * MEGABYTE);
});
