import { readdir, readFile } from 'node:fs/promises';

/**
 * Waits until none of the processes is running, and returns those that still are when the wait ends.
 */
export async function survivors(pids: readonly number[], waitMs: number): Promise<number[]> {
  const deadline = performance.now() + waitMs;
  for (;;) {
    const alive: number[] = [];
    for (const pid of pids) if (await isAlive(pid)) alive.push(pid);
    if (alive.length === 0 || performance.now() > deadline) return alive;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

/** A zombie has ended: it only waits for its parent to read its exit code. */
async function isAlive(pid: number): Promise<boolean> {
  if (process.platform !== 'linux') return canSignal(pid);
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
  return stat !== '' && !/\) [ZX] /.test(stat);
}

function canSignal(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

/** All processes that the server and its guard started: those of the server's session (Linux only). */
export async function processesOfSession(sessionId: number): Promise<number[]> {
  const members: number[] = [];
  for (const name of await readdir('/proc')) {
    const stat = /^\d+$/.test(name) ? await readFile(`/proc/${name}/stat`, 'utf8').catch(() => '') : '';
    const session = stat.slice(stat.lastIndexOf(')') + 2).split(' ')[3];
    if (Number(session) === sessionId) members.push(Number(name));
  }
  return members;
}
