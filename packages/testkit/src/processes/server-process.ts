import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { cleanUpAtExit } from './exit-cleanup.js';

const run = promisify(execFile);

/**
 * The process of a running server, with its children (PostgreSQL has one per connection). Signals are sent only while
 * it is alive, never to a later process that reuses its ID.
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

  /** SIGSTOP for the process alone. Its guard can still kill it when our process dies. */
  pause(): void {
    this.#isPaused = true;
    this.#signal('SIGSTOP');
  }

  /** SIGCONT for the process alone. */
  resume(): void {
    this.#isPaused = false;
    this.#signal('SIGCONT');
  }

  /** SIGSTOP for the process and then, once it cannot fork more, for its children, which have no guard of their own. */
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

  /** SIGKILL for the process and its children. Resolves when the process has ended, immediately if it had. */
  async kill(): Promise<void> {
    this.pause();
    const children = await this.#children();
    for (const child of children) signal(child, 'SIGKILL');
    this.#signal('SIGKILL');
    // A server does not keep our process alive; the timer does while we wait for its end.
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

/** Sends the signal; does nothing if the process has already ended. */
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
