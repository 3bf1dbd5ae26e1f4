import type { Load } from '../measuring/load.js';
import type { RunRecord } from '../measuring/recorder.js';
import type { SubjectSetup } from './subject.js';

/** What the bench asks of a worker. */
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
  /** What was taken down in the last run; asked when all workers have ended it, since making it takes a core. */
  | { readonly kind: 'report' }
  | { readonly kind: 'close' };

/** What a worker answers, one answer to each command. */
export type WorkerAnswer =
  | { readonly kind: 'done' }
  | { readonly kind: 'reported'; readonly record: RunRecord }
  | { readonly kind: 'failed'; readonly message: string; readonly stack: string };
