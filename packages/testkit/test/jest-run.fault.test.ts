import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { expect, test } from '@jest/globals';
import { until } from '../src/index.js';

const config = fileURLToPath(new URL('./fixtures/jest.config.mjs', import.meta.url));
const jest = fileURLToPath(new URL('../node_modules/jest/bin/jest.js', import.meta.url));

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

test.each([
  ['SIGKILL', 1],
  ['SIGKILL', 2],
  ['SIGTERM', 1],
  ['SIGINT', 2],
] as const)(
  'a Jest that gets %s, with %d worker(s), leaves no process of its tests behind, not even paused ones',
  async (signal, workerCount) => {
    const { TEST_DATABASE_URL, TEST_REDIS_URL, SOLEGATE_TEST_RUN, ...env } = process.env;
    const run = spawn(
      process.execPath,
      ['--experimental-vm-modules', jest, '--config', config, `--maxWorkers=${workerCount}`],
      { env, stdio: ['ignore', 'pipe', 'ignore'] },
    );
    const lines: string[] = [];
    createInterface({ input: run.stdout }).on('line', (line) => lines.push(line));
    await until(() => lines.length === workerCount, { timeoutMs: 60_000, what: 'Every file of the run' });
    const pids = lines.flatMap((line) => JSON.parse(line) as number[]);
    expect(pids.filter(isAlive)).toEqual(pids);

    run.kill(signal);
    await until(() => !pids.some(isAlive), { timeoutMs: 20_000, what: 'The end of all processes' });
  },
  120_000,
);
