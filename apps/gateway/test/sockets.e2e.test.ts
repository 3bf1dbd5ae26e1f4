import { type Socket as Connection, connect } from 'node:net';
import { describe, expect, test } from '@jest/globals';
import { until } from '@solegate/testkit';
import { createClient } from 'graphql-ws';
import WebSocket from 'ws';
import { gatewayOfFile, startTestGateway, type TestGateway } from './gateway-fixture.js';
import { JWT_ENVIRONMENT, tokenOf } from './tokens.js';

/** The limits of a WebSocket: its token's expiry, the number of sockets per subject, and the size of messages. */
const gateway = gatewayOfFile({ ...JWT_ENVIRONMENT, RATE_LIMIT_PER_SECOND: '0' });

interface Socket {
  readonly socket: WebSocket;
  readonly welcomed: Promise<boolean>;
  readonly closed: Promise<{ code: number; reason: string }>;
}

async function open(authorization: string, of: TestGateway = gateway): Promise<Socket> {
  const socket = new WebSocket(`${of.url.replace('http', 'ws')}/graphql`, 'graphql-transport-ws');
  socket.on('open', () =>
    socket.send(JSON.stringify({ type: 'connection_init', payload: { authorization } })),
  );
  const closed = new Promise<{ code: number; reason: string }>((resolve) => {
    socket.on('close', (code, reason) => resolve({ code, reason: String(reason) }));
  });
  const welcomed = Promise.race([
    new Promise<boolean>((resolve) => socket.on('message', () => resolve(true))),
    closed.then(() => false),
  ]);
  return { socket, welcomed, closed };
}

describe('a token', () => {
  test('that expires closes its socket', async () => {
    const { welcomed, closed } = await open(`Bearer ${await tokenOf({ expiresInS: 2 })}`);
    expect(await welcomed).toBe(true);
    expect(await closed).toEqual({ code: 4403, reason: 'Token expired' });
  });

  test('that is invalid cannot open a socket', async () => {
    for (const authorization of ['', 'Bearer a.b.c', `Bearer ${await tokenOf({ expiresInS: -60 })}`]) {
      const { welcomed, closed } = await open(authorization);
      expect(await welcomed).toBe(false);
      expect((await closed).code).toBe(4401);
    }
  });
});

describe('a socket that is refused', () => {
  const refuse = (begun: (socket: Connection) => void): Promise<void> =>
    new Promise((resolve) => {
      const socket = connect({ port: gateway.port, host: '127.0.0.1', allowHalfOpen: true });
      socket.on('error', () => undefined);
      socket.once('close', () => resolve());
      const upgrade = 'GET /nothing HTTP/1.1\r\nhost: a\r\nconnection: upgrade\r\nupgrade: websocket\r\n\r\n';
      socket.write(upgrade, () => begun(socket));
    });

  test('and closes at once ends nothing else', async () => {
    for (let count = 0; count < 50; count += 1) await refuse((socket) => socket.resetAndDestroy());
    expect((await fetch(`${gateway.url}/health/live`)).status).toBe(200);
  });

  test('is closed, even if its client goes on', async () => {
    await refuse((socket) => {
      const goOn = (): void => {
        socket.write('x', () => setImmediate(goOn));
      };
      socket.resume().once('end', goOn);
    });
  });
});

test('a subject can have at most 100 sockets, and can open another when one closes', async () => {
  const authorization = `Bearer ${await tokenOf({ subject: '500' })}`;
  const sockets = await Promise.all(Array.from({ length: 101 }, () => open(authorization)));
  const welcomed = await Promise.all(sockets.map((socket) => socket.welcomed));
  expect(welcomed.filter(Boolean)).toHaveLength(100);
  const leaver = sockets[welcomed.indexOf(true)];
  leaver?.socket.close();
  await leaver?.closed;
  const late = await open(authorization);
  expect(await late.welcomed).toBe(true);
  for (const { socket } of [...sockets, late]) socket.close();
  await Promise.all([...sockets, late].map(({ closed }) => closed));
});

test('a message that is too large closes the socket', async () => {
  const { socket, welcomed, closed } = await open(`Bearer ${await tokenOf()}`);
  expect(await welcomed).toBe(true);
  socket.send('x'.repeat(100_000));
  expect((await closed).code).toBe(1009);
});

test('a pong carries nothing of the ping', async () => {
  const { socket, welcomed } = await open(`Bearer ${await tokenOf()}`);
  expect(await welcomed).toBe(true);
  const answer = new Promise((resolve) => {
    socket.on('message', (data: Buffer) => resolve(data.toString()));
  });
  socket.send('{"type":"ping","payload":{"x":"y"}}');
  expect(await answer).toBe('{"type":"pong"}');
  socket.close();
});

test('a socket that is not authenticated can send only a little', async () => {
  const socket = new WebSocket(`${gateway.url.replace('http', 'ws')}/graphql`, 'graphql-transport-ws');
  const closed = new Promise((resolve) => socket.on('close', resolve));
  let pongCount = 0;
  socket.on('message', () => {
    pongCount += 1;
  });
  socket.on('error', () => undefined);
  await new Promise((resolve) => socket.once('open', resolve));
  for (let index = 0; index < 100; index += 1) {
    socket.send(`{"type":"ping","payload":{"x":"${'a'.repeat(1_000)}"}}`);
  }
  await closed;
  expect(pongCount).toBeLessThan(10);
});

test('a client that does not read is disconnected', async () => {
  const { socket, welcomed, closed } = await open(`Bearer ${await tokenOf()}`);
  expect(await welcomed).toBe(true);
  socket.pause();
  const ping = Buffer.alloc(125);
  // Far more than the buffers of both ends hold.
  await until(() => {
    for (let index = 0; index < 2_000; index += 1) socket.ping(ping);
    return socket.readyState !== WebSocket.OPEN;
  });
  socket.terminate();
  await closed;
});

test('messages that are not operations cost points as well', async () => {
  const limited = await startTestGateway(gateway.stores, { ...JWT_ENVIRONMENT, RATE_LIMIT_PER_SECOND: '20' });
  const { socket, welcomed, closed } = await open(`Bearer ${await tokenOf({ subject: '600' })}`, limited);
  expect(await welcomed).toBe(true);
  for (let index = 0; index < 200; index += 1) socket.send('{"type":"ping"}');
  expect((await closed).code).toBe(1013);
  await limited.stop();
});

test('shutdown closes sockets so that clients reconnect elsewhere', async () => {
  const other = await startTestGateway(gateway.stores, { ...JWT_ENVIRONMENT });
  const client = createClient({
    url: `${other.url.replace('http', 'ws')}/graphql`,
    webSocketImpl: WebSocket,
    lazy: false,
    retryAttempts: 0,
    onNonLazyError: () => undefined,
    connectionParams: { authorization: `Bearer ${await tokenOf()}` },
  });
  await new Promise<void>((resolve) => client.on('connected', () => resolve()));
  const closed = new Promise<number>((resolve) =>
    client.on('closed', (event) => resolve((event as { code: number }).code)),
  );
  await other.stop();
  expect(await closed).toBe(1001);
});
