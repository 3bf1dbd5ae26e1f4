import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import pg from 'pg';
import { findPostgresPrograms, freePort, type PostgresServer, startPostgres } from '../src/index.js';
import { openDataDirectory } from '../src/system/data-directory.js';
import { temporaryDirectory } from './temporary-directory.js';

describe('a server', () => {
  test('takes connections, keeps UTC and sorts by bytes whatever the machine is set to', async () => {
    const server = await startPostgres({ dataDir: join(await temporaryDirectory(), 'data') });
    expect(await setting(server, 'TimeZone')).toBe('UTC');
    expect(await setting(server, 'fsync')).toBe('on');
    expect(await ask(server, "SELECT 'B' < 'a' AS answer, upper('é') AS upper")).toEqual([
      { answer: true, upper: 'É' },
    ]);
    await server.stop();
  });

  test('without durability does not wait for the disk', async () => {
    const server = await startPostgres({
      dataDir: join(await temporaryDirectory(), 'data'),
      durability: 'none',
    });
    expect(await setting(server, 'fsync')).toBe('off');
    expect(await setting(server, 'full_page_writes')).toBe('off');
    await server.stop();
  });

  test('keeps its data across a stop, which can be requested twice', async () => {
    const dataDir = join(await temporaryDirectory(), 'data');
    const first = await startPostgres({ dataDir });
    await ask(first, 'CREATE TABLE note AS SELECT 7 AS number');
    await Promise.all([first.stop(), first.stop()]);
    await first.stop();

    const steps: string[] = [];
    const second = await startPostgres({ dataDir, onProgress: (step) => steps.push(step) });
    expect(steps).toEqual(['starting PostgreSQL']);
    expect(await ask(second, 'SELECT number FROM note')).toEqual([{ number: 7 }]);
    await second.stop();
  });

  test('lets additional arguments override ours', async () => {
    const server = await startPostgres({
      dataDir: join(await temporaryDirectory(), 'data'),
      args: ['-c', 'max_connections=20'],
    });
    expect(await setting(server, 'max_connections')).toBe('20');
    await server.stop();
  });
});

describe('a second start on the same data', () => {
  test('refuses and leaves the first alone', async () => {
    const dataDir = join(await temporaryDirectory(), 'data');
    const first = await startPostgres({ dataDir });
    const log = await readFile(join(dataDir, 'server.log'), 'utf8');

    await expect(startPostgres({ dataDir })).rejects.toMatchObject({
      code: 'DATA_IN_USE',
      dataDir,
      message: expect.stringContaining('End the other instance first'),
    });

    expect(await ask(first, 'SELECT 1 AS alive')).toEqual([{ alive: 1 }]);
    expect(Number((await readFile(join(dataDir, 'postmaster.pid'), 'utf8')).split('\n')[0])).toBe(first.pid);
    expect(await readFile(join(dataDir, 'server.log'), 'utf8')).toContain(log);
    await first.stop();
  });

  test('at the same moment, in a directory that is still empty, leaves exactly one server', async () => {
    const dataDir = join(await temporaryDirectory(), 'data');
    const outcomes = await Promise.allSettled([1, 2, 3].map(() => startPostgres({ dataDir })));
    const started = outcomes.flatMap((outcome) => (outcome.status === 'fulfilled' ? [outcome.value] : []));
    const refused = outcomes.flatMap((outcome) =>
      outcome.status === 'rejected' ? [outcome.reason.code] : [],
    );
    expect(started).toHaveLength(1);
    expect(refused).toEqual(['DATA_IN_USE', 'DATA_IN_USE']);
    for (const server of started) {
      expect(await ask(server, 'SELECT 1 AS alive')).toEqual([{ alive: 1 }]);
      await server.stop();
    }
    expect(await readdir(join(dataDir, '..'))).toEqual(['data']);
  });

  test('also refuses when the first was started by hand', async () => {
    const dataDir = join(await temporaryDirectory(), 'data');
    await (await startPostgres({ dataDir })).stop();
    const { child: byHand, ended, said } = await startByHand(dataDir);
    while (!said().includes('ready to accept connections')) await once(byHand.stderr, 'data');

    await expect(startPostgres({ dataDir })).rejects.toMatchObject({ code: 'DATA_IN_USE' });

    expect(byHand.exitCode).toBeNull();
    expect(Number((await readFile(join(dataDir, 'postmaster.pid'), 'utf8')).split('\n')[0])).toBe(byHand.pid);
    byHand.kill('SIGQUIT');
    await ended;
  });
});

describe('after a crash', () => {
  test('of the server, committed rows are present and open transactions are gone', async () => {
    const dataDir = join(await temporaryDirectory(), 'data');
    const crashed = await startPostgres({ dataDir });
    await ask(crashed, 'CREATE TABLE note AS SELECT 1 AS number');
    const open = await connect(crashed);
    await open.query('BEGIN; INSERT INTO note VALUES (2)');
    process.kill(crashed.pid, 'SIGKILL');
    await crashed.exited;

    const server = await startPostgres({ dataDir });
    expect(await ask(server, 'SELECT number FROM note')).toEqual([{ number: 1 }]);
    await server.stop();
  });

  test('a postmaster.pid that names another living process does not prevent a start', async () => {
    const dataDir = join(await temporaryDirectory(), 'data');
    await (await startPostgres({ dataDir })).stop();
    const foreign = spawn('sleep', ['60'], {
      cwd: '/',
      ...(await openDataDirectory(dataDir)).account.switchTo,
    });
    await once(foreign, 'spawn');
    const leftOver = [foreign.pid, dataDir, 1, 1, '', '127.0.0.1', '', 'ready'].join('\n');
    await writeFile(join(dataDir, 'postmaster.pid'), leftOver);

    const { ended, said } = await startByHand(dataDir);
    await ended;
    expect(said()).toContain('lock file "postmaster.pid" already exists');

    const server = await startPostgres({ dataDir });
    expect(await ask(server, 'SELECT 1 AS alive')).toEqual([{ alive: 1 }]);

    expect(foreign.exitCode).toBeNull();
    foreign.kill();
    await server.stop();
  });
});

describe('a start that cannot succeed', () => {
  test("reports the server's output", async () => {
    const dataDir = join(await temporaryDirectory(), 'data');
    const start = startPostgres({ dataDir, args: ['-c', 'no_such_setting=1'] });
    await expect(start).rejects.toMatchObject({
      code: 'SERVER_START',
      log: expect.stringContaining('unrecognized configuration parameter "no_such_setting"'),
    });
  });

  test('names a port that is in use', async () => {
    const blocker = createServer().listen(0, '127.0.0.1');
    await once(blocker, 'listening');
    const address = blocker.address();
    const port = typeof address === 'object' && address !== null ? address.port : 0;
    await expect(
      startPostgres({ dataDir: join(await temporaryDirectory(), 'data'), port }),
    ).rejects.toMatchObject({
      code: 'SERVER_START',
      log: expect.stringContaining('Address already in use'),
    });
    blocker.close();
  });

  test('touches nothing in a directory with other files', async () => {
    const dataDir = join(await temporaryDirectory(), 'data');
    await mkdir(dataDir);
    await writeFile(join(dataDir, 'letter.txt'), 'dear');
    await expect(startPostgres({ dataDir })).rejects.toMatchObject({
      code: 'SERVER_START',
      message: expect.stringContaining('letter.txt'),
    });
    expect(await readdir(dataDir)).toEqual(['letter.txt']);
    expect(await readdir(join(dataDir, '..'))).toEqual(['data']);
  });
});

/**
 * PostgreSQL on this data without our guard, as someone might start it by hand; `said` is its log so far.
 */
async function startByHand(dataDir: string) {
  const { account } = await openDataDirectory(dataDir);
  const { postgres } = await findPostgresPrograms(account);
  const args = ['-D', dataDir, '-p', String(await freePort()), '-c', 'unix_socket_directories='];
  const child = spawn(postgres, args, {
    ...account.switchTo,
    cwd: dataDir,
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let log = '';
  child.stderr.setEncoding('utf8').on('data', (text) => {
    log += text;
  });
  return { child, ended: once(child, 'close'), said: () => log };
}

async function connect(server: PostgresServer): Promise<pg.Client> {
  const client = new pg.Client(server.url);
  client.on('error', () => {});
  await client.connect();
  return client;
}

async function ask(server: PostgresServer, text: string): Promise<unknown[]> {
  const client = await connect(server);
  const { rows } = await client.query(text);
  await client.end();
  return rows;
}

async function setting(server: PostgresServer, name: string): Promise<unknown> {
  const client = await connect(server);
  const { rows } = await client.query<{ value: string }>('SELECT current_setting($1) AS value', [name]);
  await client.end();
  return rows[0]?.value;
}
