import type { Load } from '../measuring/load.js';
import type { RunRecord } from '../measuring/recorder.js';
import type { SubjectSetup } from './subject.js';

/** Which table a worker takes its subject from. */
export type SubjectFamily = 'numbers' | 'trips' | 'node-leases' | 'graphql';

/** What the bench asks of a worker. */
export type WorkerCommand =
  | {
      readonly kind: 'open';
      readonly family: SubjectFamily;
      readonly subject: string;
      readonly setup: SubjectSetup;
    }
  | {
      readonly kind: 'prepare';
      readonly round: number;
      readonly facts: Readonly<Record<string, string | number>>;
    }
  | { readonly kind: 'run'; readonly load: Load; readonly startMs: number }
  | { readonly kind: 'close' };

/** What a worker answers, one answer to each command. */
export type WorkerAnswer =
  | { readonly kind: 'done' }
  | { readonly kind: 'ran'; readonly record: RunRecord }
  | { readonly kind: 'failed'; readonly message: string; readonly stack: string };
