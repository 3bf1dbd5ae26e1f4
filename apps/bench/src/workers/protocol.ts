import type { Load } from '../measuring/load.js';
import type { RunRecord } from '../measuring/recorder.js';
import type { SubjectSetup } from './subject.js';

/** A command from the bench to a worker. */
export type WorkerCommand =
  | {
      readonly kind: 'open';
      /** URL of a module that exports the table `subjects`. */
      readonly subjects: string;
      readonly subject: string;
      readonly setup: SubjectSetup;
    }
  | {
      readonly kind: 'prepare';
      readonly round: number;
      readonly facts: Readonly<Record<string, string | number>>;
    }
  | { readonly kind: 'run'; readonly load: Load; readonly startMs: number }
  /** Requests the record of the last run, once all workers have ended it, since building it occupies a core. */
  | { readonly kind: 'report' }
  | { readonly kind: 'close' };

/** A worker's answer, one to each command. */
export type WorkerAnswer =
  | { readonly kind: 'done' }
  | { readonly kind: 'reported'; readonly record: RunRecord }
  | { readonly kind: 'failed'; readonly message: string; readonly stack: string };
