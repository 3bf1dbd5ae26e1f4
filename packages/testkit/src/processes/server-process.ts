import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { cleanUpAtExit } from './exit-cleanup.js';

const run = promisify(execFile);

/**
 * The process of a running server, with the children that it has made (PostgreSQL has one for each connection). Signals
 * are sent only while it lives, never to a later process that was given the same ID.
 */
export class ServerProcess {
  readonly pid: number;
  readonly #exited: Promise<unknown>;
  #isAlive = true;
  #isPaused = false;
  #pausedChildren: (() => void)[] = [];

  constructor({ pid, exited }: { readonly pid: number; readonly exited: Promise<unknown> }) {
    this.pid = pid;
    this.#exited = exited.then(() => {
      this.#isAlive = false;
      this.#forgetChildren();
    });
  }

  get isPaused(): boolean {
    return this.#isPaused;
  }

  /** SIGSTOP of the process alone. Its guard can still kill it when our process dies. */
  pause(): void {
    this.#isPaused = true;
    this.#signal('SIGSTOP');
  }

  /** SIGCONT of the process alone. */
  resume(): void {
    this.#isPaused = false;
    this.#signal('SIGCONT');
  }

  /** SIGSTOP of the process and then, when there can be no more of them, its children, which have no guard of their own. */
  async pauseAll(): Promise<void> {
    this.pause();
    const children = await this.#children();
    this.#pausedChildren = children.map((child) => cleanUpAtExit(child));
    for (const child of children) signal(child, 'SIGSTOP');
  }

  async resumeAll(): Promise<void> {
    for (const child of await this.#children()) signal(child, 'SIGCONT');
    this.#forgetChildren();
    this.resume();
  }

  /** SIGKILL of the process and its children. Resolves when the process is gone, at once if it was. */
  async kill(): Promise<void> {
    this.pause();
    const children = await this.#children();
    for (const child of children) signal(child, 'SIGKILL');
    this.#signal('SIGKILL');
    // A server does not keep our process alive; waiting for its end does.
    const wait = setInterval(() => {}, 1000);
    await this.#exited.finally(() => clearInterval(wait));
  }

  #signal(name: NodeJS.Signals): void {
    if (this.#isAlive) signal(this.pid, name);
  }

  async #children(): Promise<number[]> {
    return this.#isAlive ? childrenOf(this.pid) : [];
  }

  #forgetChildren(): void {
    for (const takeBack of this.#pausedChildren.splice(0)) takeBack();
  }
}

/** Sends the signal; a process that has ended meanwhile is left in peace. */
export function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch (error) {
    const isGone = error instanceof Error && 'code' in error && error.code === 'ESRCH';
    if (!isGone) throw error;
  }
}

async function childrenOf(pid: number): Promise<number[]> {
  if (process.platform === 'linux') {
    const children = await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8').catch(() => '');
    return children.split(' ').filter(Boolean).map(Number);
  }
  const { stdout } = await run('ps', ['-A', '-o', 'pid=,ppid=']);
  const pairs = stdout.split('\n').map((line) => line.trim().split(/\s+/).map(Number));
  return pairs.flatMap(([child, parent]) => (parent === pid && child !== undefined ? [child] : []));
}
