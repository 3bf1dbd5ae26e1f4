import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** Whether the process lives (a zombie does not) and has `argument` on its command line. */
export async function isRunning(pid: number, argument: string): Promise<boolean> {
  if (!Number.isSafeInteger(pid) || pid <= 0) return false;
  if (process.platform !== 'linux') {
    const { stdout } = await run('ps', ['-o', 'stat=,command=', '-p', String(pid)]).catch(() => ({
      stdout: '',
    }));
    return !stdout.trimStart().startsWith('Z') && stdout.includes(argument);
  }
  try {
    const commandLine = await readFile(`/proc/${pid}/cmdline`, 'utf8');
    return commandLine.split('\0').includes(argument);
  } catch {
    return false;
  }
}
