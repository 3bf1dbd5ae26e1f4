import { spawn } from 'node:child_process';
import { chmod, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { expect, test } from '@jest/globals';
import { until } from '../src/index.js';

const config = fileURLToPath(new URL('./fixtures/jest.config.mjs', import.meta.url));
const jest = fileURLToPath(new URL('../node_modules/jest/bin/jest.js', import.meta.url));

/** Variables that would make the run use other servers. */
const OWN_SERVERS = /^(TEST_DATABASE_URL|TEST_REDIS_URL|SOLEGATE_TEST_RUN|SOLEGATE_RUN_.*)$/;

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

async function dataLeftIn(directory: string): Promise<string[]> {
  return (await readdir(directory)).filter((name) => name.startsWith('solegate'));
}

test.each([
  ['SIGKILL', 1],
  ['SIGKILL', 2],
  ['SIGINT', 1],
] as const)(
  'a Jest run that gets %s, with %d worker(s), leaves no process behind, not even a paused one, and no data',
  async (signal, workerCount) => {
    const env = Object.entries(process.env).filter(([name]) => !OWN_SERVERS.test(name));
    const directory = await mkdtemp(join(tmpdir(), 'killed-run-'));
    await chmod(directory, 0o755);
    const run = spawn(
      process.execPath,
      ['--experimental-vm-modules', jest, '--config', config, `--maxWorkers=${workerCount}`],
      { env: { ...Object.fromEntries(env), TMPDIR: directory }, stdio: ['ignore', 'pipe', 'ignore'] },
    );
    const lines: string[] = [];
    createInterface({ input: run.stdout }).on('line', (line) => lines.push(line));
    await until(() => lines.length === workerCount, { what: 'Every file of the run' });
    const pids = lines.flatMap((line) => JSON.parse(line) as number[]);
    expect(pids.filter(isAlive)).toEqual(pids);
    expect(await dataLeftIn(directory)).not.toEqual([]);

    run.kill(signal);
    await until(() => !pids.some(isAlive), { what: 'The end of all processes' });
    await until(async () => (await dataLeftIn(directory)).length === 0, { what: 'An empty disk' });
    await rm(directory, { recursive: true });
  },
);
