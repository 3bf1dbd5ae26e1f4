import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { Redis } from 'ioredis';
import {
  createTestRedis,
  delay,
  type FaultProxy,
  startFaultProxy,
  type TestRedis,
  until,
} from '../src/index.js';

let redis: TestRedis;
let proxy: FaultProxy;
const clients: Redis[] = [];

beforeAll(async () => {
  redis = await createTestRedis();
  proxy = await startFaultProxy(redis.url);
});

afterEach(async () => {
  proxy.set('pass');
  for (const client of clients.splice(0)) if (client.status !== 'end') client.disconnect();
  await redis.client.flushdb();
});

afterAll(async () => {
  await proxy.close();
  await redis.drop();
});

/** A connected client that never reconnects or resends. */
async function throughProxy(): Promise<Redis> {
  const client = new Redis(proxy.url, {
    lazyConnect: true,
    retryStrategy: () => null,
    maxRetriesPerRequest: 0,
    autoResendUnfulfilledCommands: false,
  });
  client.on('error', () => {});
  clients.push(client);
  await client.connect();
  return client;
}

async function rawConnection(): Promise<Socket> {
  const socket = connect({ host: '127.0.0.1', port: proxy.port });
  socket.on('error', () => {});
  await once(socket, 'connect');
  return socket;
}

/** The error that a connection ends with; undefined if it is closed normally. */
function endOf(socket: Socket): Promise<unknown> {
  socket.resume();
  return new Promise((resolve) => {
    socket.once('error', resolve);
    socket.once('end', () => resolve(undefined));
  });
}

test('the proxy has its own address, and the path of its target', () => {
  expect(proxy.url).toBe(`redis://127.0.0.1:${proxy.port}${new URL(redis.url).pathname}`);
  expect(proxy.mode).toBe('pass');
});

test('pass: requests and replies go through', async () => {
  const client = await throughProxy();
  expect(await client.set('key', 'value')).toBe('OK');
  expect(await client.get('key')).toBe('value');
});

test('pass: megabytes go through completely and in order', async () => {
  const echo = createServer((socket) => socket.pipe(socket)).listen(0, '127.0.0.1');
  await once(echo, 'listening');
  await using echoProxy = await startFaultProxy(`tcp://127.0.0.1:${(echo.address() as AddressInfo).port}`);
  const sent = randomBytes(8_000_000);
  const socket = connect({ host: '127.0.0.1', port: echoProxy.port });
  socket.end(sent);
  expect((await buffer(socket)).equals(sent)).toBe(true);
  echo.close();
});

test('pass: the client sees that the server has ended its side', async () => {
  const client = await throughProxy();
  const ended = once(client, 'end');
  expect(await client.quit()).toBe('OK');
  await ended;
});

describe('cutBeforeReply', () => {
  test('the request never reaches the server, and the connection is closed', async () => {
    const client = await throughProxy();
    proxy.set('cutBeforeReply');
    await expect(client.incr('counter')).rejects.toThrow();
    expect(proxy.strikeCount).toBe(1);
    expect(await redis.client.get('counter')).toBeNull();
  });

  test('with count 1 only the next request is lost', async () => {
    const [first, second] = [await throughProxy(), await throughProxy()];
    proxy.set('cutBeforeReply', { count: 1 });
    await expect(first.incr('counter')).rejects.toThrow();
    expect(await second.incr('counter')).toBe(1);
    expect(proxy.mode).toBe('pass');
  });
});

describe('cutAfterReply', () => {
  test('the server has carried out the request, but the caller gets no reply', async () => {
    const client = await throughProxy();
    proxy.set('cutAfterReply');
    await expect(client.incr('counter')).rejects.toThrow();
    expect(await redis.client.get('counter')).toBe('1');
    expect(proxy.strikeCount).toBe(1);
  });

  test('with count 2 the next two replies are lost, on whichever connections', async () => {
    const [first, second, third] = [await throughProxy(), await throughProxy(), await throughProxy()];
    proxy.set('cutAfterReply', { count: 2 });
    await expect(first.incr('counter')).rejects.toThrow();
    await expect(second.incr('counter')).rejects.toThrow();
    expect(await third.incr('counter')).toBe(3);
  });

  test.each(['the-key', /the-\w+/g])(
    'cuts the reply to a request that matches %s, and no other',
    async (matching) => {
      const client = await throughProxy();
      proxy.set('cutAfterReply', { matching });
      expect(await client.set('other', 1)).toBe('OK');
      expect(await client.set('another', 1)).toBe('OK');
      await expect(client.set('the-key', 1)).rejects.toThrow();
      expect(await redis.client.get('the-key')).toBe('1');
    },
  );
});

describe('delay', () => {
  test('replies are late by the stated time and keep their order', async () => {
    const client = await throughProxy();
    proxy.set(delay(40));
    // Timers of one process end in their order, however busy it is.
    const sooner = new Promise((resolve) => setTimeout(resolve, 39, 'nothing'));
    const replies = Promise.all([client.incr('counter'), client.incr('counter'), client.incr('counter')]);
    expect(await Promise.race([replies, sooner])).toBe('nothing');
    expect(await replies).toEqual([1, 2, 3]);
  });

  test('the request itself is not delayed', async () => {
    const client = await throughProxy();
    proxy.set(delay(60_000));
    const reply = client.incr('counter');
    await until(async () => (await redis.client.get('counter')) === '1');
    proxy.set('pass');
    expect(await reply).toBe(1);
  });
});

describe('blackHole', () => {
  test('nothing gets through while it lasts; what was sent arrives afterwards', async () => {
    const client = await throughProxy();
    proxy.set('blackHole');
    const late = client.incr('counter');
    expect(await isStillOpen(late)).toBe(true);
    expect(await redis.client.get('counter')).toBeNull();
    proxy.set('pass');
    expect(await late).toBe(1);
  });

  test('a request arrives afterwards even if its caller has disconnected', async () => {
    const client = await throughProxy();
    proxy.set('blackHole');
    const abandoned = client.incr('counter').catch(() => 'abandoned');
    client.disconnect();
    expect(await abandoned).toBe('abandoned');
    expect(await redis.client.get('counter')).toBeNull();
    proxy.set('pass');
    await until(async () => (await redis.client.get('counter')) === '1');
  });

  test('a reply in transit is held back too', async () => {
    const client = await throughProxy();
    proxy.set(delay(60_000));
    const reply = client.incr('counter');
    await until(async () => (await redis.client.get('counter')) === '1');
    proxy.set('blackHole');
    expect(await isStillOpen(reply)).toBe(true);
    proxy.set('pass');
    expect(await reply).toBe(1);
  });

  test('a new connection is accepted but gets no reply until the mode ends', async () => {
    proxy.set('blackHole');
    const socket = await rawConnection();
    const heard = once(socket, 'data').then(String);
    socket.write('PING\r\n');
    expect(await isStillOpen(heard)).toBe(true);
    proxy.set('pass');
    expect(await heard).toBe('+PONG\r\n');
    socket.destroy();
  });

  /** Checked after some round trips that bypass the proxy, which gives a leaking proxy time to show. */
  async function isStillOpen(promise: Promise<unknown>): Promise<boolean> {
    for (let turn = 0; turn < 20; turn++) await redis.client.ping();
    const open = Symbol('open');
    return (await Promise.race([promise, Promise.resolve(open)])) === open;
  }
});

test('reset: open connections and new ones end with a TCP reset', async () => {
  const open = await rawConnection();
  open.write('PING\r\n');
  await once(open, 'data');
  const ended = endOf(open);
  proxy.set('reset');
  expect(await ended).toMatchObject({ code: 'ECONNRESET' });
  expect(await endOf(connect({ host: '127.0.0.1', port: proxy.port }))).toMatchObject({ code: 'ECONNRESET' });
});

test('a mode for one client port leaves the other connections alone', async () => {
  const [struck, spared] = [await throughProxy(), await throughProxy()];
  proxy.set('cutAfterReply', { clientPort: struck.stream.localPort ?? 0 });
  expect(await spared.incr('counter')).toBe(1);
  await expect(struck.incr('counter')).rejects.toThrow();
  expect(proxy.mode).toBe('pass');
});

test('an unreachable target resets the client’s connection', async () => {
  const listener = createServer().listen(0, '127.0.0.1');
  await once(listener, 'listening');
  const { port } = listener.address() as AddressInfo;
  listener.close();
  await once(listener, 'close');
  await using lonely = await startFaultProxy(`redis://127.0.0.1:${port}`);
  expect(await endOf(connect({ host: '127.0.0.1', port: lonely.port }))).toMatchObject({
    code: 'ECONNRESET',
  });
});

test('close ends all connections and can be repeated', async () => {
  const closing = await startFaultProxy(redis.url);
  const socket = connect({ host: '127.0.0.1', port: closing.port });
  await once(socket, 'connect');
  const ended = endOf(socket);
  await closing.close();
  await closing.close();
  expect(await ended).toBeUndefined();
});

test('a fault with a count of zero is rejected', () => {
  expect(() => proxy.set('cutAfterReply', { count: 0 })).toThrow(RangeError);
});

test('a redirected proxy resets open connections and forwards to the other server', async () => {
  const servers = ['first', 'other'].map((name) =>
    createServer((socket) => socket.on('error', () => {}).write(name)),
  );
  const urls = [];
  for (const server of servers) {
    await once(server.listen(0, '127.0.0.1'), 'listening');
    urls.push(`tcp://127.0.0.1:${(server.address() as AddressInfo).port}`);
  }
  const [first = '', other = ''] = urls;
  await using moving = await startFaultProxy(first);
  const before = connect(moving.port, '127.0.0.1');
  expect(String((await once(before, 'data'))[0])).toBe('first');
  const reset = once(before, 'error');
  moving.redirect(other);
  expect((await reset)[0]).toMatchObject({ code: 'ECONNRESET' });
  const after = connect(moving.port, '127.0.0.1');
  expect(String((await once(after, 'data'))[0])).toBe('other');
  after.destroy();
  for (const server of servers) server.close();
});

test('a target without a port is refused', async () => {
  await expect(startFaultProxy('amqp://somewhere')).rejects.toThrow('needs a port');
});
