import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { UntilTimeoutError, until } from '../judging/until.js';
import { cleanUpAtExit } from './exit-cleanup.js';

/** How a child ended: by its own exit code or by a signal. */
export interface ChildExit {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

/** The child wrote no further line before it ended or the timeout passed. */
export class ChildSilentError extends Error {
  readonly code = 'CHILD_SILENT';

  constructor(
    readonly pid: number,
    why: string,
  ) {
    super(`The child process ${pid} ${why} before it wrote another line`);
    this.name = 'ChildSilentError';
  }
}

/**
 * Runs a TypeScript file in its own Node process, with the workspace's packages resolved to their sources. The child
 * exchanges JSON, one value per line, on standard input and output; anything else it prints goes to our standard error.
 * End it with `await using` or `kill()`; it never outlives this process.
 *
 * @param file path or `file:` URL: `new URL('../holder.ts', import.meta.url)`
 * @param args its arguments, `process.argv.slice(2)` in the child
 */
export function forkTypeScript(file: string | URL, args: readonly string[] = []): TypeScriptChild {
  const path = typeof file === 'string' && !file.startsWith('file:') ? file : fileURLToPath(file);
  const child = spawn(
    process.execPath,
    ['--conditions=@solegate/source', '--import', import.meta.resolve('tsx'), path, ...args],
    { stdio: ['pipe', 'pipe', 'inherit'], env: process.env },
  );
  return new TypeScriptChild(child);
}

/** A running child process; see `forkTypeScript`. */
export class TypeScriptChild implements AsyncDisposable {
  readonly pid: number;
  /** Resolves when the child has ended, for whatever reason. */
  readonly exited: Promise<ChildExit>;
  readonly #child: ChildProcess;
  readonly #lines: unknown[] = [];
  #takenCount = 0;
  #hasEnded = false;

  constructor(child: ChildProcess) {
    this.#child = child;
    this.pid = child.pid ?? 0;
    const takeBack = cleanUpAtExit(this.pid);
    child.stdin?.on('error', () => {});
    this.exited = once(child, 'close').then(([code, endSignal]) => {
      takeBack();
      this.#hasEnded = true;
      return { code, signal: endSignal };
    });
    if (child.stdout) createInterface({ input: child.stdout }).on('line', (line) => this.#read(line));
  }

  /** All JSON lines received, whether or not `nextLine` has returned them. */
  get lines(): readonly unknown[] {
    return this.#lines;
  }

  /**
   * Returns the next JSON line.
   *
   * @param timeoutMs how long to wait for it; default 120,000: a busy machine needs half a minute to start a process
   * @throws ChildSilentError if the child ends first or the timeout passes
   */
  async nextLine(timeoutMs = 120_000): Promise<unknown> {
    const hasNews = () => this.#takenCount < this.#lines.length || this.#hasEnded;
    await until(hasNews, { timeoutMs, intervalMs: 2 }).catch((error: unknown) => {
      if (!(error instanceof UntilTimeoutError)) throw error;
    });
    if (this.#takenCount < this.#lines.length) return this.#lines[this.#takenCount++];
    throw new ChildSilentError(this.pid, this.#hasEnded ? 'ended' : `was silent for ${timeoutMs} ms`);
  }

  /** Writes one JSON line to the child's standard input. */
  send(value: unknown): void {
    this.#child.stdin?.write(`${JSON.stringify(value)}\n`);
  }

  /** SIGSTOP */
  pause(): void {
    this.#child.kill('SIGSTOP');
  }

  /** SIGCONT */
  resume(): void {
    this.#child.kill('SIGCONT');
  }

  /** SIGKILL; resolves when the process has ended. Can be called twice. */
  async kill(): Promise<void> {
    this.#child.kill('SIGKILL');
    await this.exited;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.kill();
  }

  #read(line: string): void {
    try {
      this.#lines.push(JSON.parse(line));
    } catch {
      process.stderr.write(`${line}\n`);
    }
  }
}
