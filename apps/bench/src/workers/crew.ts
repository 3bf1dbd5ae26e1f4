import { setTimeout as pause } from 'node:timers/promises';
import type { Load } from '../measuring/load.js';
import type { RunRecord } from '../measuring/recorder.js';
import { sharedNowMs } from '../measuring/shared-clock.js';
import { Child } from './child.js';
import type { Facts, SubjectSetup } from './subject.js';
import type * as Worker from './worker.js';

export interface CrewOptions {
  /** A module that exports the table `subjects`: `new URL('./subjects.js', import.meta.url)`. */
  readonly subjects: URL;
  readonly subject: string;
  readonly processCount: number;
  /** The setup of each worker except its place in the crew. */
  readonly setup: Omit<SubjectSetup, 'worker' | 'workerCount' | 'poolSize'>;
}

/** Connections to PostgreSQL of all workers. */
const CONNECTION_COUNT = 20;
/** Time from the order to the common start: enough for the message to reach every worker, even on a busy machine. */
const BARRIER_MS = 15;
/** How long a worker has to close its subject. */
const CLOSED_WITHIN_MS = 5000;

/** The worker processes of one subject, opened once and run many times, always from a common start. */
export class Crew implements AsyncDisposable {
  readonly #workers: readonly Child<typeof Worker>[];

  private constructor(workers: readonly Child<typeof Worker>[]) {
    this.#workers = workers;
  }

  static async open({ subjects, subject, processCount, setup }: CrewOptions): Promise<Crew> {
    const program = new URL('./worker.js', import.meta.url);
    const crew = new Crew(Array.from({ length: processCount }, () => new Child<typeof Worker>(program)));
    const poolSize = Math.max(2, Math.floor(CONNECTION_COUNT / processCount));
    try {
      await crew.#all((worker, index) =>
        worker.call('open', subjects.href, subject, {
          ...setup,
          worker: index,
          workerCount: processCount,
          poolSize,
        }),
      );
      return crew;
    } catch (error) {
      await crew[Symbol.asyncDispose]();
      throw error;
    }
  }

  async prepare(round: number, facts: Facts = {}): Promise<void> {
    await this.#all((worker) => worker.call('prepare', round, facts));
  }

  /** Every worker gets its share of `load`; all leave the barrier at one moment of the shared clock. */
  async run(load: Load): Promise<RunRecord[]> {
    const startMs = sharedNowMs() + BARRIER_MS;
    const count = this.#workers.length;
    await this.#all((worker, index) => worker.call('run', shareOf(load, index, count), startMs));
    return this.#all((worker) => worker.call('report'));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#all(async (worker) => {
      const closed = worker.call('close').catch(() => undefined);
      await Promise.race([closed, pause(CLOSED_WITHIN_MS, undefined, { ref: false })]);
      await worker[Symbol.asyncDispose]();
    });
  }

  #all<Result>(work: (worker: Child<typeof Worker>, index: number) => Promise<Result>): Promise<Result[]> {
    return Promise.all(this.#workers.map(work));
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
