import { once } from 'node:events';
import { access, readFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { Redis } from 'ioredis';
import { findRedisBinary, type RedisServer, startRedis } from '../src/index.js';
import { temporaryDirectory } from './temporary-directory.js';

describe('a server', () => {
  test('answers on loopback, evicts nothing and writes nothing unless asked to', async () => {
    const server = await startRedis();
    const { version } = await findRedisBinary();
    await withClient(server, async (client) => {
      expect(await client.info('server')).toContain(`redis_version:${version}`);
      expect(await client.config('GET', 'maxmemory-policy')).toEqual(['maxmemory-policy', 'noeviction']);
      expect(await client.config('GET', 'appendonly')).toEqual(['appendonly', 'no']);
      expect(await client.config('GET', 'save')).toEqual(['save', '']);
      expect(await client.config('GET', 'bind')).toEqual(['bind', '127.0.0.1']);
    });
    await server.stop();
  });

  test('without a directory leaves none behind', async () => {
    const server = await startRedis();
    await access(server.dataDir);
    await Promise.all([server.stop(), server.stop()]);
    await expect(access(server.dataDir)).rejects.toThrow('ENOENT');
  });

  test('keeps acknowledged writes across a stop and across kill -9', async () => {
    const dataDir = join(await temporaryDirectory(), 'data');
    const stopped = await startRedis({ dataDir, persistence: 'aof' });
    await withClient(stopped, (client) => client.set('first', '1'));
    await stopped.stop();

    const killed = await startRedis({ dataDir, persistence: 'aof' });
    await withClient(killed, (client) => client.set('second', '2'));
    process.kill(killed.pid, 'SIGKILL');
    expect(await killed.exited).toEqual({ exitCode: null, signal: 'SIGKILL' });

    const server = await startRedis({ dataDir, persistence: 'aof' });
    expect(await withClient(server, (client) => client.mget('first', 'second'))).toEqual(['1', '2']);
    await server.stop();
  });

  test('lets additional arguments override ours, and replicates from another server', async () => {
    const master = await startRedis();
    const replica = await startRedis({ args: ['--replicaof', `127.0.0.1 ${master.port}`, '--hz', '50'] });
    expect(await withClient(replica, (client) => client.config('GET', 'hz'))).toEqual(['hz', '50']);
    expect(await withClient(replica, (client) => client.info('replication'))).toContain(
      `master_port:${master.port}`,
    );
    await Promise.all([replica.stop(), master.stop()]);
  });
});

describe('a second start on the same data', () => {
  test('refuses and leaves the first alone', async () => {
    const dataDir = join(await temporaryDirectory(), 'data');
    const first = await startRedis({ dataDir, persistence: 'aof' });
    await expect(startRedis({ dataDir, persistence: 'aof' })).rejects.toMatchObject({
      code: 'DATA_IN_USE',
      service: 'Redis',
      dataDir,
    });
    expect(await withClient(first, (client) => client.set('alive', 'yes'))).toBe('OK');
    expect(await readFile(join(dataDir, 'server.log'), 'utf8')).toContain('Ready to accept connections');
    await first.stop();
  });

  test('at the very same moment leaves exactly one server', async () => {
    const dataDir = join(await temporaryDirectory(), 'data');
    const outcomes = await Promise.allSettled([1, 2, 3].map(() => startRedis({ dataDir })));
    expect(outcomes.map((outcome) => outcome.status).sort()).toEqual(['fulfilled', 'rejected', 'rejected']);
    for (const outcome of outcomes) {
      if (outcome.status === 'fulfilled') await outcome.value.stop();
      else expect(outcome.reason).toMatchObject({ code: 'DATA_IN_USE' });
    }
  });
});

describe('a start that cannot succeed', () => {
  test("reports the server's output", async () => {
    await expect(startRedis({ args: ['--no-such-setting', '1'] })).rejects.toMatchObject({
      code: 'SERVER_START',
      log: expect.stringContaining('no-such-setting'),
    });
  });

  test('does not take another Redis on its port for its own', async () => {
    const other = await startRedis();
    await expect(startRedis({ port: other.port })).rejects.toMatchObject({
      code: 'SERVER_START',
      log: expect.stringContaining('Address already in use'),
    });
    await other.stop();
  });

  test('names a port that another program uses', async () => {
    const blocker = createServer((socket) => socket.destroy()).listen(0, '127.0.0.1');
    await once(blocker, 'listening');
    const address = blocker.address();
    const port = typeof address === 'object' && address !== null ? address.port : 0;
    await expect(startRedis({ port })).rejects.toMatchObject({ code: 'SERVER_START' });
    blocker.close();
  });
});

async function withClient<Answer>(
  server: RedisServer,
  ask: (client: Redis) => Promise<Answer>,
): Promise<Answer> {
  const client = new Redis(server.url);
  client.on('error', () => {});
  try {
    return await ask(client);
  } finally {
    client.disconnect();
  }
}
