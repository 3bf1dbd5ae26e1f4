import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Redis } from 'ioredis';
import { type RedisTestServer, startRedisServer, until } from '../src/index.js';

let server: RedisTestServer;
let client: Redis;

beforeAll(async () => {
  server = await startRedisServer();
  client = server.client();
});

afterAll(() => server.stop());

test('kill -9 loses no acknowledged write, and the port stays the same', async () => {
  const { port, pid } = server;
  await client.set('key', 'kept');
  await server.kill();
  await server.restart();
  expect(await client.get('key')).toBe('kept');
  expect(server.port).toBe(port);
  expect(server.pid).not.toBe(pid);
});

test('a running server restarts with its data', async () => {
  await client.set('key', 'kept as well');
  await server.restart();
  expect(await client.get('key')).toBe('kept as well');
});

test('a server can be restarted empty', async () => {
  await client.set('key', 'lost');
  await server.restart({ keepData: false });
  expect(await client.get('key')).toBeNull();
});

test('a server can be restarted with an earlier snapshot', async () => {
  await client.set('key', 'then');
  const snapshot = await server.takeSnapshot();
  await client.set('key', 'now');
  await server.restart({ snapshot });
  expect(await client.get('key')).toBe('then');
  await server.restart({ snapshot });
  expect(await client.get('key')).toBe('then');
});

test('a paused server answers once it is resumed', async () => {
  const impatient = server.client({ commandTimeout: 100 });
  // The time of the first command would include connecting.
  await until(() => impatient.set('key', 'before'));
  server.pause();
  await expect(impatient.set('key', 'sent while paused')).rejects.toThrow('Command timed out');
  server.resume();
  await until(async () => (await client.get('key')) === 'sent while paused');
});

test('persistence `none` and additional arguments: a small server that keeps nothing', async () => {
  await using forgetful = await startRedisServer({ persistence: 'none', args: ['--maxmemory', '1mb'] });
  const probe = forgetful.client();
  expect(await probe.config('GET', 'maxmemory')).toEqual(['maxmemory', '1048576']);
  await probe.set('key', 'value');
  await forgetful.restart();
  expect(await probe.get('key')).toBeNull();
});

test('stop ends a paused server, and can be repeated', async () => {
  const stopped = await startRedisServer();
  stopped.pause();
  await stopped.stop();
  await stopped.stop();
  expect(() => process.kill(stopped.pid, 0)).toThrow('ESRCH');
});
