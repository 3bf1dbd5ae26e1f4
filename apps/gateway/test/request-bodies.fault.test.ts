import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setImmediate as turn } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { until } from '@solegate/testkit';
import Fastify, { type FastifyInstance } from 'fastify';
import { HeldBytes } from '../src/budget/held-bytes.js';
import { BODY_BYTES_MAX, type HeldBody, joinBody } from '../src/http/body-budget.js';

/** Bodies that do not state their length, sent in pieces to a server whose callers are not known at once. */
const HEAD =
  'POST / HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\ntransfer-encoding: chunked\r\n\r\n';
const END = '0\r\n\r\n';
const bodies = new Map<string, HeldBody | undefined>();
let held: HeldBytes;
let app: FastifyInstance;
let client: Socket;
let response: string;
/** What goes on with each request when its caller is known, or refused with an error. */
let waiting: ((refusal?: Error) => void)[];

beforeEach(async () => {
  held = new HeldBytes(() => 0);
  waiting = [];
  response = '';
  app = Fastify({ bodyLimit: BODY_BYTES_MAX, forceCloseConnections: true });
  app.post('/', {
    onRequest(request, reply, done) {
      bodies.set(request.id, joinBody(reply, held));
      waiting.push(done);
    },
    preParsing(request, _reply, payload, done) {
      done(null, bodies.get(request.id)?.payload ?? payload);
    },
    handler: async ({ body }) => JSON.stringify(body).length,
  });
  const origin = await app.listen({ port: 0, host: '127.0.0.1' });
  client = connect(Number(new URL(origin).port), '127.0.0.1');
  client.on('error', () => undefined);
  client.on('data', (piece) => {
    response += piece;
  });
  await once(client, 'connect');
  client.write(HEAD);
});

afterEach(async () => {
  client.destroy();
  held.stop();
  await app.close();
});

const chunk = (text: string): string => `${text.length.toString(16)}\r\n${text}\r\n`;
const pieces = (text: string): string => text.replaceAll(/./g, (piece) => chunk(piece));

test('pieces are joined and counted by their length while the caller is not known', async () => {
  const text = JSON.stringify('x'.repeat(10_000));
  client.write(pieces(text));
  await until(() => held.byteCount === text.length);
  waiting[0]?.();
  client.write(END);
  await until(() => response.endsWith(`\r\n\r\n${text.length}`));
  await until(() => held.byteCount === 0);
});

test('nothing is held of a body whose client leaves before its caller is known', async () => {
  client.write(pieces('x'.repeat(5_000)));
  await until(() => held.byteCount === 5_000);
  client.destroy();
  await until(() => held.byteCount === 0);
});

test('what still arrives after a refusal is not held, and the connection serves the next request', async () => {
  client.write(pieces('x'.repeat(5_000)));
  await until(() => held.byteCount === 5_000);
  waiting[0]?.(Object.assign(new Error('refused'), { statusCode: 401 }));
  await until(() => response.includes('401'));
  client.write(pieces('x'.repeat(5_000)) + END);
  client.write(`${HEAD}${chunk('"next"')}${END}`);
  await until(() => waiting.length === 2);
  waiting[1]?.();
  await until(() => response.endsWith('\r\n\r\n6'));
  expect(held.byteCount).toBe(0);
});

test('a body that is too long is refused', async () => {
  await until(() => waiting.length === 1);
  waiting[0]?.();
  for (let sent = 0; sent <= BODY_BYTES_MAX; sent += 10_000) client.write(chunk('x'.repeat(10_000)));
  await until(() => response.includes('413'));
  await until(() => held.byteCount === 0);
});

test('a connection is cut when it sends more than it may hold before its caller is known', async () => {
  const closed = once(client, 'close');
  while (!client.destroyed && !client.readableEnded) {
    client.write(chunk('x'.repeat(10_000)));
    await turn();
  }
  await closed;
  await until(() => held.byteCount === 0);
  expect(response).toBe('');
});
