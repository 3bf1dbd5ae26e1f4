import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from '@jest/globals';
import { freePort, type ServiceOptions, ServiceProcess, until } from '../src/index.js';

const program = fileURLToPath(new URL('./fixtures/service.mjs', import.meta.url));

async function service(options: Partial<ServiceOptions> = {}) {
  const port = String(await freePort());
  const url = `http://127.0.0.1:${port}`;
  const environment = { PORT: port, ...options.environment };
  return { url, process: new ServiceProcess({ args: [program], readyUrl: url, ...options, environment }) };
}

const isUp = (url: string) =>
  fetch(url).then(
    ({ ok }) => ok,
    () => false,
  );

test('a service is ready when its start resolves, can be killed, and starts again at the same address', async () => {
  const { url, process } = await service();
  await using running = process;
  await running.start();
  const { pid } = running;
  expect(await isUp(url)).toBe(true);
  expect(await running.end()).toBeNull();
  expect(await isUp(url)).toBe(false);
  await running.start();
  expect(await isUp(url)).toBe(true);
  expect(running.pid).not.toBe(pid);
});

test('an orderly end has an exit code, also of a paused service; a second end has none', async () => {
  await using running = (await service()).process;
  await running.start();
  running.signal('SIGSTOP');
  expect(await running.end('SIGTERM')).toBe(7);
  expect(await running.end('SIGTERM')).toBeNull();
});

test('a service that exits during its start is started again', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'service-'));
  const file = join(directory, 'fail-once');
  await writeFile(file, '');
  const { url, process } = await service({ environment: { FAIL_ONCE: file } });
  await using running = process;
  await running.start();
  expect(await isUp(url)).toBe(true);
  await rm(directory, { recursive: true });
});

test('a service that is never ready is reported with its output', async () => {
  const args = ['--eval', 'throw new Error("no tables")'];
  await using broken = (await service({ args, readyWithinMs: 5_000 })).process;
  await expect(broken.start()).rejects.toThrow('no tables');
});

test('a service with a channel receives messages', async () => {
  const { url, process } = await service({ hasChannel: true });
  await using running = process;
  await running.start();
  running.send({ clockOffsetMs: 5 });
  expect(await until(async () => (await (await fetch(url)).text()) === '{"clockOffsetMs":5}')).toBe(true);
});
