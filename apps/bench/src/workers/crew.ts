import { type ChildProcess, fork } from 'node:child_process';
import type { Load } from '../measuring/load.js';
import type { RunRecord } from '../measuring/recorder.js';
import { sharedNowMs } from '../measuring/shared-clock.js';
import type { WorkerAnswer, WorkerCommand } from './protocol.js';
import type { SubjectSetup } from './subject.js';

/** A worker could not execute a command; its own stack is the cause. */
class WorkerFailedError extends Error {
  readonly code = 'WORKER_FAILED';

  constructor(
    readonly worker: number,
    message: string,
    cause: unknown,
  ) {
    super(`worker ${worker}: ${message}`, { cause });
    this.name = 'WorkerFailedError';
  }
}

export interface CrewOptions {
  /** A module that exports the table `subjects`: `new URL('./subjects.js', import.meta.url)`. */
  readonly subjects: URL;
  readonly subject: string;
  readonly processCount: number;
  /** The setup of each worker except its place in the crew. */
  readonly setup: Omit<SubjectSetup, 'worker' | 'workerCount' | 'poolSize'>;
  /** Total number of connections to PostgreSQL of all workers. Default 20. */
  readonly connectionCount?: number;
}

/** Time from the order to the common start: enough for the message to reach every worker, even on a busy machine. */
const BARRIER_MS = 15;

/** The worker processes of one subject, opened once and run many times, always from a common start. */
export class Crew implements AsyncDisposable {
  readonly #members: readonly Member[];

  private constructor(members: readonly Member[]) {
    this.#members = members;
  }

  static async open(options: CrewOptions): Promise<Crew> {
    const { processCount, connectionCount = 20 } = options;
    const members = Array.from({ length: processCount }, (_, index) => new Member(index));
    const crew = new Crew(members);
    try {
      await crew.#all((index) => ({
        kind: 'open',
        subjects: options.subjects.href,
        subject: options.subject,
        setup: {
          ...options.setup,
          worker: index,
          workerCount: processCount,
          poolSize: Math.max(2, Math.floor(connectionCount / processCount)),
        },
      }));
      return crew;
    } catch (error) {
      await crew.close();
      throw error;
    }
  }

  async prepare(round: number, facts: Readonly<Record<string, string | number>> = {}): Promise<void> {
    await this.#all(() => ({ kind: 'prepare', round, facts }));
  }

  /** Every worker gets its share of `load`; all leave the barrier at one moment of the shared clock. */
  async run(load: Load, startMs = sharedNowMs() + BARRIER_MS): Promise<RunRecord[]> {
    await this.#all((index) => ({
      kind: 'run',
      load: shareOf(load, index, this.#members.length),
      startMs,
    }));
    const answers = await this.#all(() => ({ kind: 'report' }));
    return answers.flatMap((answer) => (answer.kind === 'reported' ? [answer.record] : []));
  }

  async close(): Promise<void> {
    await Promise.all(this.#members.map((member) => member.end()));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  #all(command: (index: number) => WorkerCommand): Promise<WorkerAnswer[]> {
    return Promise.all(this.#members.map((member, index) => member.ask(command(index))));
  }
}

/** The part of a load that worker `index` of `count` carries; the parts add up to the whole. */
export function shareOf(load: Load, index: number, count: number): Load {
  const part = (whole: number): number => Math.floor(whole / count) + (index < whole % count ? 1 : 0);
  switch (load.kind) {
    case 'closed':
      return { ...load, inFlight: part(load.inFlight) };
    case 'list':
      return { ...load, inFlight: part(load.inFlight), count: part(load.count) };
    case 'open':
      return { ...load, ratePerSecond: load.ratePerSecond / count };
  }
}

class Member {
  readonly #child: ChildProcess;
  #waiting: { resolve(answer: WorkerAnswer): void; reject(error: Error): void } | undefined;
  readonly #ended: Promise<void>;

  constructor(readonly index: number) {
    this.#child = fork(new URL('./worker.js', import.meta.url), { serialization: 'advanced' });
    this.#child.on('message', (answer: WorkerAnswer) => this.#settle(answer));
    this.#ended = new Promise((resolve) => {
      this.#child.once('exit', (code, signal) => {
        this.#waiting?.reject(
          new WorkerFailedError(index, `ended by ${signal ?? `exit code ${code}`} while working`, undefined),
        );
        resolve();
      });
    });
  }

  ask(command: WorkerCommand): Promise<WorkerAnswer> {
    return new Promise((resolve, reject) => {
      this.#waiting = { resolve, reject };
      this.#child.send(command, (error) => {
        if (error) reject(new WorkerFailedError(this.index, 'no longer accepts commands', error));
      });
    });
  }

  /** Asks the worker to close its subject, and kills it if it does not within five seconds. */
  async end(): Promise<void> {
    if (this.#child.exitCode === null && this.#child.connected) {
      const impatience = setTimeout(() => this.#child.kill('SIGKILL'), 5000);
      await this.ask({ kind: 'close' }).catch(() => undefined);
      clearTimeout(impatience);
      if (this.#child.connected) this.#child.disconnect();
    }
    await this.#ended;
  }

  #settle(answer: WorkerAnswer): void {
    const waiting = this.#waiting;
    this.#waiting = undefined;
    if (answer.kind !== 'failed') waiting?.resolve(answer);
    else waiting?.reject(new WorkerFailedError(this.index, answer.message, new Error(answer.stack)));
  }
}
