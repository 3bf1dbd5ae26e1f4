import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, test } from '@jest/globals';
import { Redis } from 'ioredis';
import pg from 'pg';
import { startLocalServices } from '../src/index.js';
import { hostServices } from './hosted-services.js';
import { survivors } from './process-list.js';
import { temporaryDirectory } from './temporary-directory.js';

/** The promise is one second; the rest allows for a machine that is busy with other tests. */
const END_WAIT_MS = 5_000;

describe('when the Node process that started them dies', () => {
  test.each(['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGKILL'] as const)(
    'by %s, no server is left',
    async (signal) => {
      const services = await hostServices(await temporaryDirectory(), 'wait');
      services.host.kill(signal);
      await services.ended;
      expect(await survivors([services.postgresPid, services.redisPid], END_WAIT_MS)).toEqual([]);
    },
  );

  test.each(['forget', 'throw'])(
    'by itself (%s), no server is left, and no server keeps it alive',
    async (behaviour) => {
      const services = await hostServices(await temporaryDirectory(), behaviour);
      await services.ended;
      expect(services.host.exitCode).toBe(behaviour === 'throw' ? 1 : 0);
      expect(await survivors([services.postgresPid, services.redisPid], END_WAIT_MS)).toEqual([]);
    },
  );

  test('temporary data is removed with the servers', async () => {
    const services = await hostServices(await temporaryDirectory(), 'temporary');
    services.host.kill('SIGKILL');
    expect(await survivors([services.postgresPid, services.redisPid], END_WAIT_MS)).toEqual([]);
    while (services.dataDirs.some((directory) => existsSync(directory))) await delay(20);
  });

  test('paused servers end as well', async () => {
    const services = await hostServices(await temporaryDirectory(), 'wait');
    process.kill(services.postgresPid, 'SIGSTOP');
    process.kill(services.redisPid, 'SIGSTOP');
    services.host.kill('SIGKILL');
    await services.ended;
    expect(await survivors([services.postgresPid, services.redisPid], END_WAIT_MS)).toEqual([]);
  });
});

test('Ctrl-C in the terminal reaches only Node, which decides what happens to its servers', async () => {
  const services = await hostServices(await temporaryDirectory(), 'deaf');
  process.kill(-(services.host.pid ?? 0), 'SIGINT');
  await delay(300);
  const servers = [services.postgresPid, services.redisPid];
  expect(await survivors(servers, 0)).toEqual(servers);
  services.host.kill('SIGKILL');
  expect(await survivors(servers, END_WAIT_MS)).toEqual([]);
});

test('rows and keys acknowledged before a kill -9 of everything survive until the next start', async () => {
  const directory = await temporaryDirectory();
  const crashed = await hostServices(directory, 'wait');
  await writeOne(crashed.postgresUrl, crashed.redisUrl);
  for (const pid of [crashed.postgresPid, crashed.redisPid]) process.kill(pid, 'SIGKILL');
  crashed.host.kill('SIGKILL');
  await crashed.ended;

  const services = await startLocalServices({ directory });
  expect(await readOne(services.databaseUrl, services.redisUrl)).toEqual({ row: 'kept', key: 'kept' });
  expect(services.postgres?.dataDir).toBe(join(directory, 'postgres'));
  await services.stop();
});

async function writeOne(postgresUrl: string, redisUrl: string): Promise<void> {
  const client = new pg.Client(postgresUrl);
  client.on('error', () => {});
  await client.connect();
  await client.query("CREATE TABLE note (text TEXT); INSERT INTO note VALUES ('kept')");
  await client.end();
  const redis = new Redis(redisUrl);
  await redis.set('note', 'kept');
  redis.disconnect();
}

async function readOne(postgresUrl: string, redisUrl: string): Promise<{ row: unknown; key: unknown }> {
  const client = new pg.Client(postgresUrl);
  await client.connect();
  const { rows } = await client.query<{ text: string }>('SELECT text FROM note');
  await client.end();
  const redis = new Redis(redisUrl);
  const key = await redis.get('note');
  redis.disconnect();
  return { row: rows[0]?.text, key };
}
