import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { connect, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import WebSocket from 'ws';

/*
 * What strangers, and callers with a token, can do to make a gateway hold memory. Each attack lasts a few seconds, uses
 * loopback only, and ends whatever it opened.
 */

export interface Target {
  readonly port: number;
  /** The `Authorization` header of a caller who may do little: a rider. */
  readonly authorization: string;
  /** That of a caller who reads long documents. */
  readonly reader: string;
}

type Attack = (target: Target) => Promise<void>;

const LASTS_MS = 4_000;
/** No step of an attack takes so long: the one that does is to be named by the failure. */
const STEP_MAX_MS = 120_000;
/** What the attacker itself buffers for a socket at most. */
const AHEAD_BYTES = 2_000_000;

/** A gateway that is busy with the others might refuse a socket, or close it, for being late: then that one is over. */
async function opened({ port }: Target): Promise<WebSocket> {
  const socket = new WebSocket(`ws://127.0.0.1:${port}/graphql`, 'graphql-transport-ws', {
    handshakeTimeout: STEP_MAX_MS,
  });
  socket.on('error', () => undefined);
  await new Promise((resolve) => socket.once('open', resolve).once('close', resolve));
  return socket;
}

async function greeted(target: Target): Promise<WebSocket> {
  const socket = await opened(target);
  if (socket.readyState !== WebSocket.OPEN) return socket;
  const { authorization } = target;
  socket.send(JSON.stringify({ type: 'connection_init', payload: { authorization } }));
  const signal = AbortSignal.timeout(STEP_MAX_MS);
  await Promise.race([once(socket, 'message', { signal }), once(socket, 'close')]);
  return socket;
}

/** Repeats until the time is over or the socket is closed. */
async function flood(socket: WebSocket, send: () => void): Promise<void> {
  const untilMs = performance.now() + LASTS_MS;
  // It does not read: what it is sent stays with the gateway.
  socket.pause();
  while (performance.now() < untilMs && socket.readyState === WebSocket.OPEN) {
    for (let sent = 0; sent < 20 && socket.bufferedAmount < AHEAD_BYTES; sent += 1) send();
    await pause(1);
  }
  socket.terminate();
}

const PING = JSON.stringify({ type: 'ping', payload: { x: 'a'.repeat(60_000) } });
const SMALL_PINGS = 50;

async function tcp({ port }: Target): Promise<Socket> {
  const socket = connect(port, '127.0.0.1');
  socket.on('error', () => undefined);
  await once(socket, 'connect');
  return socket;
}

async function ask(
  { port, authorization }: Target,
  query: string,
): Promise<Readonly<Record<string, unknown>>> {
  const headers = { 'content-type': 'application/json', authorization };
  const body = JSON.stringify({ query });
  const signal = AbortSignal.timeout(STEP_MAX_MS);
  const response = await fetch(`http://127.0.0.1:${port}/graphql`, { method: 'POST', headers, body, signal });
  return (await response.json()) as Readonly<Record<string, unknown>>;
}

const post = ({ authorization }: Target, headers: string, isKnown: boolean): string =>
  `POST /graphql HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\n${
    isKnown ? `authorization: ${authorization}\r\n` : ''
  }${headers}\r\n\r\n`;

async function all(count: number, one: (index: number) => Promise<void>): Promise<void> {
  await Promise.all(Array.from({ length: count }, (_, index) => one(index)));
}

/** Sends most of a body, then nothing. */
async function incompleteBodies(target: Target, count: number, isKnown: boolean): Promise<void> {
  const part = Buffer.alloc(990_000, '{');
  await all(count, async () => {
    const socket = await tcp(target);
    socket.write(post(target, 'content-length: 999000', isKnown));
    socket.write(part);
    await pause(LASTS_MS);
    socket.destroy();
  });
}

/** Sends a request, and reads nothing of the response. */
async function unreadAnswers(target: Target, count: number, body: string, accept = '*/*'): Promise<void> {
  await all(count, async () => {
    const socket = await tcp(target);
    socket.pause();
    const headers = `accept: ${accept}\r\ncontent-length: ${Buffer.byteLength(body)}`;
    socket.write(post(target, headers, true) + body);
    await pause(LASTS_MS);
    socket.destroy();
  });
}

const emptyValues = (count: number): string => Array.from({ length: count }, () => '{}').join();

/** The document of a subscription that the caller may start, as JSON. */
async function subscriptionOf(target: Target): Promise<string> {
  const answer = await ask(target, 'mutation { requestTrip(input: {}) { ... on Trip { id } } }');
  const [, id] = /"id":"(\d+)"/.exec(JSON.stringify(answer)) ?? [];
  return JSON.stringify(`subscription { tripUpdated(tripId: "${id}", afterRevision: 9) { revision } }`);
}

/** Sends as many subscriptions as five sockets may have, each in a message that is almost too large. */
async function manySubscriptions(
  target: Target,
  membersOf: (query: string, padding: string) => string,
): Promise<void> {
  const members = membersOf(await subscriptionOf(target), `{"x":[${emptyValues(21_000)}]}`);
  await all(5, async () => {
    const socket = await greeted(target);
    for (let id = 1; id <= 50; id += 1) socket.send(`{"type":"subscribe","id":"${id}",${members}}`);
    await pause(LASTS_MS);
    socket.terminate();
  });
}

/** Three fragments spread the next one 148 times each: 3,241,792 selections in 920 tokens. */
const MULTIPLIED = `{...A} ${['A B', 'B C', 'C D']
  .map((names) => names.split(' '))
  .map(([one, next]) => `fragment ${one} on Query {${`...${next} `.repeat(148)}}`)
  .join(' ')} fragment D on Query {promises {promise}}`;

export const ATTACKS: Readonly<Record<string, Attack>> = {
  'large pings without a token': (target) =>
    all(20, async () => {
      const socket = await opened(target);
      await flood(socket, () => socket.send(PING));
    }),
  'large pings with a token': (target) =>
    all(20, async () => {
      const socket = await greeted(target);
      await flood(socket, () => socket.send(PING));
    }),
  'small pings with a token': (target) =>
    all(20, async () => {
      const socket = await greeted(target);
      await flood(socket, () => {
        for (let sent = 0; sent < SMALL_PINGS; sent += 1) socket.send('{"type":"ping"}');
      });
    }),
  'ping frames': (target) =>
    all(20, async () => {
      const socket = await greeted(target);
      const payload = Buffer.alloc(125);
      await flood(socket, () => {
        for (let sent = 0; sent < SMALL_PINGS; sent += 1) socket.ping(payload);
      });
    }),
  'incomplete messages without a token': (target) =>
    all(450, async () => {
      const socket = await tcp(target);
      socket.write(
        'GET /graphql HTTP/1.1\r\nhost: localhost\r\nconnection: upgrade\r\nupgrade: websocket\r\n' +
          'sec-websocket-version: 13\r\nsec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==\r\n' +
          'sec-websocket-protocol: graphql-transport-ws\r\n\r\n',
      );
      await once(socket, 'data');
      // A masked text frame of 65,000 bytes, of which one is missing.
      const head = Buffer.from([0x81, 0xfe, 65_000 >> 8, 65_000 & 0xff, 0, 0, 0, 0]);
      socket.write(Buffer.concat([head, Buffer.alloc(64_999, ' ')]));
      await pause(LASTS_MS);
      socket.destroy();
    }),
  'incomplete bodies without a token': (target) => incompleteBodies(target, 400, false),
  'incomplete bodies with a token': (target) => incompleteBodies(target, 400, true),
  'bodies to paths that do not exist': async (target) => {
    const part = Buffer.alloc(990_000, '{');
    await all(400, async () => {
      const socket = await tcp(target);
      socket.write(
        'POST /nothing HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\ncontent-length: 999000\r\n\r\n',
      );
      socket.write(part);
      await pause(LASTS_MS);
      socket.destroy();
    });
  },
  'bodies in pieces of one byte': (target) =>
    all(40, async () => {
      const socket = await tcp(target);
      socket.write(post(target, 'transfer-encoding: chunked', true));
      const pieces = '1\r\n{\r\n'.repeat(5_000);
      const untilMs = performance.now() + LASTS_MS;
      while (performance.now() < untilMs && !socket.destroyed) {
        if (socket.writableLength < AHEAD_BYTES) socket.write(pieces);
        await pause(5);
      }
      socket.destroy();
    }),
  'bodies of stated length in segments of one byte': (target) =>
    all(100, async () => {
      const socket = await tcp(target);
      socket.setNoDelay();
      socket.write(post(target, 'content-length: 999000', true));
      const untilMs = performance.now() + LASTS_MS;
      while (performance.now() < untilMs && !socket.destroyed) {
        // Each is a read of its own for the gateway, unless it is late.
        for (let sent = 0; sent < 10; sent += 1) socket.write('{');
        await pause(1);
      }
      socket.destroy();
    }),
  'variables of many empty lists': async (target) => {
    const lists = Array.from({ length: 300_000 }, () => '[]').join();
    const body = `{"query":"{ __typename }","variables":{"x":[${lists}]}}`;
    for (let round = 0; round < 3; round += 1) await unreadAnswers(target, 10, body);
  },
  'fragments that spread one another': (target) =>
    unreadAnswers(target, 10, JSON.stringify({ query: MULTIPLIED })),
  'event streams of large requests': async (target) => {
    const query = await subscriptionOf(target);
    const body = `{"query":${query},"extensions":{"x":[${emptyValues(49_000)}]}}`;
    await unreadAnswers(target, 100, body, 'text/event-stream');
  },
  'subscriptions with large extensions': (target) =>
    manySubscriptions(target, (query, padding) => `"payload":{"query":${query},"extensions":${padding}}`),
  'subscriptions in large messages': (target) =>
    manySubscriptions(target, (query, padding) => `"payload":{"query":${query}},"x":${padding}`),
  'long texts under many names': (target) => {
    const names = Array.from({ length: 30 }, (_, index) => `a${index}: body`).join(' ');
    const query = `{ correspondences(first: 100) { edges { node { ${names} } } } }`;
    return unreadAnswers({ ...target, authorization: target.reader }, 10, JSON.stringify({ query }));
  },
  'pages of long texts that are not read': (target) => {
    const query = '{ correspondences(first: 100) { edges { node { subject body } } } }';
    return unreadAnswers({ ...target, authorization: target.reader }, 30, JSON.stringify({ query }));
  },
  'long names': (target) => {
    const query = `{ nodeFleet { nodes { ${'a'.repeat(900_000)}: node } } }`;
    return unreadAnswers({ ...target, authorization: target.reader }, 10, JSON.stringify({ query }));
  },
  'responses that are not read': (target) => {
    const query = `mutation { ${Array.from({ length: 12 }, (_, index) => `a${index}: generateTsids(count: 10000) { ... on TsidsGenerated { ids } }`).join(' ')} }`;
    return unreadAnswers(target, 75, JSON.stringify({ query }));
  },
  'connections that send nothing': (target) =>
    all(1_000, async () => {
      const socket = await tcp(target);
      await pause(LASTS_MS);
      socket.destroy();
    }),
};

/** Runs an attack and returns the highest resident memory of the process meanwhile, in megabytes. */
export async function peakMegabytesDuring(pid: number, attack: () => Promise<void>): Promise<number> {
  let peak = 0;
  let isOver = false;
  const watch = async (): Promise<void> => {
    while (!isOver) {
      const status = await readFile(`/proc/${pid}/status`, 'utf8');
      peak = Math.max(peak, Number(/^VmRSS:\s+(\d+) kB/m.exec(status)?.[1]) / 1_000);
      await pause(50);
    }
  };
  const watched = watch();
  try {
    await attack();
  } finally {
    isOver = true;
    await watched;
  }
  return peak;
}
