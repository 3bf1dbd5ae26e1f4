import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { until } from '../judging/until.js';
import { cleanUpAtExit } from './exit-cleanup.js';

export interface ServiceOptions {
  /** Arguments of Node: its flags, the program, and the program's own arguments. */
  readonly args: readonly string[];
  /** The whole environment, except for PATH and PORT; with a PORT, the service listens on that one. */
  readonly environment: Readonly<Record<string, string>>;
  /** Matches the line in which the service prints where it listens; the first group is the origin. */
  readonly announcement: RegExp;
  /** Path that responds with 200 once the service is ready. Default: it is ready when it has printed its origin. */
  readonly readyPath?: string;
  /** Maximum time for a start, in milliseconds; default 240,000. */
  readonly readyWithinMs?: number;
  /** Whether the service listens for messages from `send`. Default: false. */
  readonly hasChannel?: boolean;
  /** Working directory. Default: that of this process. */
  readonly directory?: string;
}

/** A run that ended by itself. */
export interface ServiceRun {
  /** null if a signal ended it */
  readonly exitCode: number | null;
  readonly output: string;
}

/** Characters of output that are kept. */
const OUTPUT_MAX = 20_000;

/**
 * A Node program that serves HTTP on the port in PORT, in its own process: it can be killed, paused and started again.
 * The system chooses the port of the first start (PORT=0), so no other process can take it first; later starts use the same.
 * The process ends with this one at the latest; end it with `await using` or `end()`.
 */
export class ServiceProcess implements AsyncDisposable {
  readonly #options: ServiceOptions;
  #child: ChildProcess | undefined;
  #origin: string | undefined;
  #hasAnnounced = false;
  #output = '';

  constructor(options: ServiceOptions) {
    this.#options = options;
  }

  /** Process ID of the latest run; 0 before the first. */
  get pid(): number {
    return this.#child?.pid ?? 0;
  }

  /** Where it listens, such as `http://127.0.0.1:41234`. Throws before the first start. */
  get origin(): string {
    if (this.#origin === undefined) throw new Error('The service has not been started');
    return this.#origin;
  }

  get port(): number {
    return Number(new URL(this.origin).port);
  }

  /** The last 20,000 characters that it printed, in all its runs. */
  get output(): string {
    return this.#output;
  }

  /**
   * Resolves when the service is ready. If it exits first, for example because a store is unreachable when it starts, it is
   * started again, as a supervisor would.
   *
   * @throws Error with the service's output if it is not ready in time; the service has then ended
   */
  async start(): Promise<void> {
    const { readyPath, readyWithinMs = 240_000 } = this.#options;
    const isReady = async () => {
      if (!this.#isRunning) this.#spawn();
      if (!this.#hasAnnounced) return false;
      return readyPath === undefined || (await fetch(this.origin + readyPath)).ok;
    };
    try {
      await until(isReady, { timeoutMs: readyWithinMs, intervalMs: 50, what: 'A service that is ready' });
    } catch (cause) {
      await this.end();
      throw new Error(`The service did not start:\n${this.#output}`, { cause });
    }
  }

  /** Runs a program that ends by itself, and waits for that. */
  async run(): Promise<ServiceRun> {
    const [exitCode] = await once(this.#spawn(), 'close');
    return { exitCode, output: this.#output };
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

  #spawn(): ChildProcess {
    const { args, environment, hasChannel = false, directory } = this.#options;
    const port = this.#origin === undefined ? '0' : String(this.port);
    const child = spawn(process.execPath, args, {
      cwd: directory,
      env: { PATH: process.env.PATH, PORT: port, ...environment },
      stdio: ['ignore', 'pipe', 'pipe', ...(hasChannel ? (['ipc'] as const) : [])],
    });
    const takeBack = cleanUpAtExit(child.pid ?? 0);
    child.once('exit', takeBack);
    this.#child = child;
    this.#hasAnnounced = false;
    for (const stream of [child.stdout, child.stderr]) stream?.on('data', this.#reader(child));
    return child;
  }

  /** Collects what one run prints, and looks for the announcement until it comes. */
  #reader(child: ChildProcess): (part: Buffer) => void {
    let unread = '';
    return (part) => {
      this.#output = `${this.#output}${part}`.slice(-OUTPUT_MAX);
      if (this.#hasAnnounced || child !== this.#child) return;
      unread += part;
      const origin = this.#options.announcement.exec(unread)?.[1];
      if (origin === undefined) return;
      this.#origin = origin;
      this.#hasAnnounced = true;
    };
  }
}
