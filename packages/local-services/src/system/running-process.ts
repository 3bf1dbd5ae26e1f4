import { execFile } from 'node:child_process';
import { readlink, realpath } from 'node:fs/promises';
import { promisify } from 'node:util';

const run = promisify(execFile);

/**
 * Whether the process is alive with this working directory, like a PostgreSQL in its data directory. False for
 * a zombie, and for a process of another user, who could not own our data.
 */
export async function runsIn(directory: string, pid: number): Promise<boolean> {
  if (!Number.isSafeInteger(pid) || pid <= 0) return false;
  try {
    const path = await realpath(directory);
    if (process.platform === 'linux') return (await readlink(`/proc/${pid}/cwd`)) === path;
    const { stdout } = await run('lsof', ['-a', '-d', 'cwd', '-p', String(pid), '-Fn']);
    return stdout.split('\n').includes(`n${path}`);
  } catch {
    return false;
  }
}
