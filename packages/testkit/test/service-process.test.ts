import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from '@jest/globals';
import { type ServiceOptions, ServiceProcess, until } from '../src/index.js';

const program = fileURLToPath(new URL('./fixtures/service.mjs', import.meta.url));

const service = (options: Partial<ServiceOptions> = {}) =>
  new ServiceProcess({
    args: [program],
    environment: {},
    announcement: /listens at (\S+)\n/,
    readyPath: '/',
    ...options,
  });

const isUp = (url: string) =>
  fetch(url).then(
    ({ ok }) => ok,
    () => false,
  );

test('a service is ready when its start resolves, can be killed, and starts again at the same address', async () => {
  await using running = service();
  await running.start();
  const { pid, origin: url } = running;
  expect(running.port).toBeGreaterThan(0);
  expect(await isUp(url)).toBe(true);
  expect(await running.end()).toBeNull();
  expect(await isUp(url)).toBe(false);
  await running.start();
  expect(await isUp(url)).toBe(true);
  expect([running.origin, running.pid === pid]).toEqual([url, false]);
});

test('a graceful end has an exit code, also of a paused service; ending it again has none', async () => {
  await using running = service();
  await running.start();
  running.signal('SIGSTOP');
  expect(await running.end('SIGTERM')).toBe(7);
  expect(await running.end('SIGTERM')).toBeNull();
});

test('a service that exits during its start is started again', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'service-'));
  const file = join(directory, 'fail-once');
  await writeFile(file, '');
  await using running = service({ environment: { FAIL_ONCE: file } });
  await running.start();
  expect(await isUp(running.origin)).toBe(true);
  await rm(directory, { recursive: true });
});

test('a service that is never ready is reported with its output', async () => {
  const args = ['--eval', 'throw new Error("no tables")'];
  await using broken = service({ args, readyWithinMs: 5_000 });
  await expect(broken.start()).rejects.toThrow('no tables');
  expect(await broken.end()).toBeNull();
});

test('a service with a channel receives messages', async () => {
  await using running = service({ hasChannel: true });
  await running.start();
  running.send({ clockOffsetMs: 5 });
  expect(
    await until(async () => (await (await fetch(running.origin)).text()) === '{"clockOffsetMs":5}'),
  ).toBe(true);
});

test('without a readiness path, a service is ready when it has printed its address, also after a restart', async () => {
  const program =
    'setTimeout(() => console.log("listens at http://127.0.0.1:1"), 200); setInterval(() => {}, 9e5)';
  await using silent = new ServiceProcess({
    args: ['--eval', program],
    environment: {},
    announcement: /listens at (\S+)\n/,
  });
  await silent.start();
  await silent.end();
  await silent.start();
  expect(silent.output).toBe('listens at http://127.0.0.1:1\n'.repeat(2));
});

test('a program that exits by itself is run once and returns its exit code and output', async () => {
  const args = ['--eval', 'console.log("migrated"); console.error("twice"); process.exit(3)'];
  const { exitCode, output } = await service({ args }).run();
  expect([exitCode, output.split('\n').toSorted()]).toEqual([3, ['', 'migrated', 'twice']]);
});
