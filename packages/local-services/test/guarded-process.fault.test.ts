import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { type GuardedCommand, type GuardedProcess, startGuarded } from '../src/system/guarded-process.js';
import { processesOfSession, survivors } from './process-list.js';
import { temporaryDirectory } from './temporary-directory.js';

test("the child is the server itself: its process ID, exit code and log are the server's, and nothing is left behind", async () => {
  const directory = await temporaryDirectory();
  const server = await startScript(directory, 'echo "I am $$"; read line <gate; exit 3');
  expect(await readFile(join(directory, 'server.log'), 'utf8')).toBe(`I am ${server.pid}\n`);
  const session = await processesOfSession(server.pid);
  await openGate(directory);
  expect(await server.exited).toEqual({ exitCode: 3, signal: null });
  expect(await survivors(session, 5_000)).toEqual([]);
});

test('stop sends firmer signals in turn, and finally SIGKILL', async () => {
  const directory = await temporaryDirectory();
  const server = await startScript(directory, 'trap "" INT TERM; echo "I am $$"; while :; do sleep 1; done', {
    stopWaitMs: 100,
  });
  await server.stop();
  expect(await server.exited).toEqual({ exitCode: null, signal: 'SIGKILL' });
});

test('the data stays locked while any process of the server is alive', async () => {
  const directory = await temporaryDirectory();
  const server = await startScript(directory, '(read line <gate) & echo "I am $$"; wait');
  process.kill(server.pid, 'SIGKILL');
  await server.exited;

  const refused = startScript(directory, 'echo "I am $$"; read line <gate', { lockWaitMs: 100 });
  await expect(refused).rejects.toMatchObject({ code: 'DATA_IN_USE' });

  await openGate(directory);
  const next = await startScript(directory, 'echo "I am $$"; exec sleep 60');
  await next.stop();
});

test('a server that never becomes ready is ended, and the error contains its log', async () => {
  const directory = await temporaryDirectory();
  const silent = startScript(directory, 'echo "loading" >&2; exec sleep 60', {
    readyWaitMs: 300,
    isReady: never,
  });
  await expect(silent).rejects.toMatchObject({ code: 'SERVER_START', log: 'loading\n' });
});

test('the error names a program that does not exist', async () => {
  const directory = await temporaryDirectory();
  const command = { ...scriptCommand(directory, ''), command: '/nowhere/postgres' };
  await expect(startGuarded(command)).rejects.toMatchObject({
    code: 'SERVER_START',
    log: expect.stringContaining('/nowhere/postgres'),
  });
});

test('a directory that cannot be accessed is an error, not a crash', async () => {
  const directory = join(await temporaryDirectory(), 'missing');
  await expect(startGuarded(scriptCommand(directory, ''))).rejects.toThrow('ENOENT');
});

async function never(): Promise<boolean> {
  return false;
}

async function startScript(
  directory: string,
  script: string,
  overrides: Partial<GuardedCommand> = {},
): Promise<GuardedProcess> {
  await inShell(directory, '[ -p gate ] || mkfifo gate');
  return await startGuarded({ ...scriptCommand(directory, script), ...overrides });
}

/** Lets one reader of the pipe `gate` continue. */
function openGate(directory: string): Promise<unknown> {
  return inShell(directory, 'echo go >gate');
}

function inShell(directory: string, script: string): Promise<unknown> {
  return once(spawn('/bin/sh', ['-c', script], { cwd: directory }), 'exit');
}

function scriptCommand(directory: string, script: string): GuardedCommand {
  return {
    service: 'A server',
    command: '/bin/sh',
    args: ['-c', script],
    account: {},
    directory,
    endSignals: ['SIGINT', 'SIGTERM'],
    isReady: async (pid) =>
      (await readFile(join(directory, 'server.log'), 'utf8').catch(() => '')) === `I am ${pid}\n`,
  };
}
