import { type ChildProcess, spawn } from 'node:child_process';
import { readdir, readlink } from 'node:fs/promises';
import type { ServerAccount, UnpackedProgram } from '@solegate/local-services';

/*
 * Patroni starts its PostgreSQL as a daemon, so neither process group nor parent identifies a member's processes. The
 * working directory does: every process in a member's folder belongs to it. Linux only, like Debian's packages.
 */

/** Starts a program in the folder, under the account. `onOutput` receives its output. */
export function startIn(
  directory: string,
  program: UnpackedProgram & { readonly args: readonly string[] },
  { account, onOutput }: { readonly account: ServerAccount; readonly onOutput: (text: string) => void },
): ChildProcess {
  const child = spawn(program.command, program.args, {
    ...account.switchTo,
    cwd: directory,
    detached: true,
    env: { PATH: '/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin', LC_ALL: 'C.UTF-8', ...program.env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  child.on('error', (error) => onOutput(String(error)));
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (text: Buffer) => onOutput(String(text)));
  return child;
}

/** Sends a signal to every process that works in the folder or below; returns their number. */
export async function signalIn(directory: string, name: NodeJS.Signals): Promise<number> {
  const pids = (await readdir('/proc')).filter((entry) => /^\d+$/.test(entry));
  const sent = await Promise.all(
    pids.map(async (pid) => {
      const place = await readlink(`/proc/${pid}/cwd`).catch(() => '');
      if (place !== directory && !place.startsWith(`${directory}/`)) return 0;
      try {
        process.kill(Number(pid), name);
        return 1;
      } catch {
        return 0;
      }
    }),
  );
  return sent.reduce<number>((sum, count) => sum + count, 0);
}

/** Repeats kill -9 until no process is left. */
export async function killIn(directory: string): Promise<void> {
  while ((await signalIn(directory, 'SIGKILL')) > 0) await new Promise((resolve) => setTimeout(resolve, 20));
}

const WATCHER = `
read -r line
for process in /proc/[0-9]*; do
  case $(readlink "$process/cwd")/ in "$1"/*) kill -KILL "\${process#/proc/}" ;; esac
done
rm -rf "$1"
`;

/** Kills every process in the folder and removes the folder when this process dies. */
export function endWithUs(directory: string): void {
  const watcher = spawn('/bin/sh', ['-c', WATCHER, 'watcher', directory], {
    cwd: '/',
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  watcher.unref();
  const { stdin } = watcher;
  stdin.on('error', () => undefined);
  if ('unref' in stdin && typeof stdin.unref === 'function') stdin.unref();
}
