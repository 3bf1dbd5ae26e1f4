import { type Load, runLoad } from '../measuring/load.js';
import type { Recorder, RunRecord } from '../measuring/recorder.js';
import type { Counts, Facts, Subject, SubjectSetup, SubjectTable } from './subject.js';

/** A worker, in its own process: opens one subject and runs loads against it. */
let opened: Subject | undefined;
let recorder: Recorder | undefined;
let countsBefore: Counts = {};

/** @param subjects URL of a module that exports the table `subjects` */
export async function open(subjects: string, name: string, setup: SubjectSetup): Promise<void> {
  const table = ((await import(subjects)) as { readonly subjects: SubjectTable }).subjects;
  const openSubject = table[name];
  if (openSubject === undefined) throw new Error(`no subject "${name}" in ${subjects}`);
  opened = await openSubject(setup);
}

export async function prepare(round: number, facts: Facts): Promise<void> {
  await subject().prepare?.(round, facts);
}

export async function run(load: Load, startMs: number): Promise<void> {
  countsBefore = subject().counts?.() ?? {};
  recorder = await runLoad(load, startMs, subject().request);
}

/** The record of the last run. Requested once all workers have ended it, since building it occupies a core. */
export async function report(): Promise<RunRecord> {
  if (recorder === undefined) throw new Error('a worker was asked to report before it ran');
  await subject().finish?.();
  const counts = Object.entries(subject().counts?.() ?? {});
  return recorder.record(
    Object.fromEntries(counts.map(([name, count]) => [name, count - (countsBefore[name] ?? 0)])),
  );
}

export async function close(): Promise<void> {
  await opened?.close();
  opened = undefined;
}

function subject(): Subject {
  if (opened === undefined) throw new Error('a worker was asked to run before it was opened');
  return opened;
}
