import type { Request } from '../measuring/load.js';

/** Facts of a scenario or of a run: names of series, number of drivers, addresses of gateways … */
export type Facts = Readonly<Record<string, string | number>>;

/** SQL statements, Redis round trips … */
export type Counts = Readonly<Record<string, number>>;

/** What a worker needs to open a subject; plain data, since it is sent to another process. */
export interface SubjectSetup {
  readonly databaseUrl: string;
  readonly redisUrl: string;
  /** This worker's share of all workers' connections. */
  readonly poolSize: number;
  /** 0, 1, 2 … */
  readonly worker: number;
  readonly workerCount: number;
  readonly seed: number;
  readonly facts: Facts;
  /** Set only by the bench's control switch: removes a guard, to show that verification detects it. */
  readonly sabotaged: boolean;
}

/** One way of doing the work: Solegate, an earlier algorithm, a rejected option, a package from npm. */
export interface Subject {
  /**
   * Called before each load, outside the measured time. `round` grows by one with each run, whose loads (opening,
   * warm-up, the timed one) have the same round and facts.
   */
  prepare?(round: number, facts: Facts): Promise<void>;
  readonly request: Request;
  /** Called after each load, outside the measured time. */
  finish?(): Promise<void>;
  /** Counts since it was opened, to relate to the answers. */
  counts?(): Counts;
  close(): Promise<void>;
}

export type OpenSubject = (setup: SubjectSetup) => Promise<Subject>;

/** The subjects of one scenario by name. */
export type SubjectTable = Readonly<Record<string, OpenSubject>>;
