import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { until } from '../judging/until.js';
import { cleanUpAtExit } from './exit-cleanup.js';

export interface ServiceOptions {
  /** Arguments of Node: its flags, the program, and the program's own arguments. */
  readonly args: readonly string[];
  /** The whole environment, except for PATH. */
  readonly environment: Readonly<Record<string, string>>;
  /** Responds with 200 once the service is ready. */
  readonly readyUrl: string;
  /** Maximum time for a start, in milliseconds; default 60,000. */
  readonly readyWithinMs?: number;
  /** Whether the service listens for messages from `send`. Default: false. */
  readonly hasChannel?: boolean;
}

/** Characters of output kept for error messages. */
const OUTPUT_MAX = 20_000;

/**
 * A Node program that serves HTTP, in its own process: it can be killed, paused and started again. It ends with this
 * process at the latest; end it with `await using` or `end()`.
 */
export class ServiceProcess implements AsyncDisposable {
  readonly #options: ServiceOptions;
  #child: ChildProcess | undefined;
  #output = '';

  constructor(options: ServiceOptions) {
    this.#options = options;
  }

  /** Of the latest run; 0 before the first. */
  get pid(): number {
    return this.#child?.pid ?? 0;
  }

  /**
   * Resolves when the service is ready. If it exits first, for example because a store is unreachable when it starts, it is
   * started again, as a supervisor would.
   *
   * @throws Error with the service's output if it is not ready in time
   */
  async start(): Promise<void> {
    const { readyUrl, readyWithinMs = 60_000 } = this.#options;
    const isReady = async () => {
      if (!this.#isRunning) this.#spawn();
      return (await fetch(readyUrl)).ok;
    };
    try {
      await until(isReady, { timeoutMs: readyWithinMs, intervalMs: 100, what: `200 from ${readyUrl}` });
    } catch (cause) {
      throw new Error(`The service did not start:\n${this.#output}`, { cause });
    }
  }

  /** Has no effect on a service that has ended. */
  signal(name: NodeJS.Signals): void {
    if (this.#isRunning) this.#child?.kill(name);
  }

  /** Sends a message to a service with a channel; lost if it has ended. */
  send(message: object): void {
    if (this.#isRunning) this.#child?.send(message, () => {});
  }

  /**
   * Sends the signal, also to a paused service. Resolves with the exit code; null if a signal ended the service, or if it
   * was not running.
   */
  async end(name: NodeJS.Signals = 'SIGKILL'): Promise<number | null> {
    const child = this.#child;
    if (child === undefined || !this.#isRunning) return null;
    const exited = once(child, 'exit');
    child.kill(name);
    child.kill('SIGCONT');
    await exited;
    return child.exitCode;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.end();
  }

  get #isRunning(): boolean {
    return this.#child !== undefined && this.#child.exitCode === null && this.#child.signalCode === null;
  }

  #spawn(): void {
    const { args, environment, hasChannel = false } = this.#options;
    const child = spawn(process.execPath, args, {
      env: { PATH: process.env.PATH, ...environment },
      stdio: ['ignore', 'pipe', 'pipe', ...(hasChannel ? (['ipc'] as const) : [])],
    });
    const takeBack = cleanUpAtExit(child.pid ?? 0);
    child.once('exit', takeBack);
    for (const stream of [child.stdout, child.stderr]) {
      stream?.on('data', (part: Buffer) => {
        this.#output = `${this.#output}${part}`.slice(-OUTPUT_MAX);
      });
    }
    this.#child = child;
  }
}
