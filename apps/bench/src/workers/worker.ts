import { runLoad } from '../measuring/load.js';
import type { Recorder } from '../measuring/recorder.js';
import type { WorkerAnswer, WorkerCommand } from './protocol.js';
import type { Subject, SubjectTable } from './subject.js';

/**
 * A worker process: opens one subject and runs loads against it, on commands over the IPC channel, one at a time. It
 * ends when the channel closes, so a bench that is killed leaves no workers behind.
 */
let subject: Subject | undefined;
let recorder: Recorder | undefined;

async function obey(command: WorkerCommand): Promise<WorkerAnswer> {
  switch (command.kind) {
    case 'open': {
      const { subjects } = (await import(command.subjects)) as { readonly subjects: SubjectTable };
      const open = subjects[command.subject];
      if (open === undefined) throw new Error(`no subject "${command.subject}" in ${command.subjects}`);
      subject = await open(command.setup);
      return { kind: 'done' };
    }
    case 'prepare':
      await opened().prepare?.(command.round, command.facts);
      return { kind: 'done' };
    case 'run': {
      opened().counts?.();
      recorder = await runLoad(command.load, command.startMs, opened().request);
      return { kind: 'done' };
    }
    case 'report': {
      if (recorder === undefined) throw new Error('a worker was asked to report before it ran');
      await opened().finish?.();
      return { kind: 'reported', record: recorder.record(opened().counts?.()) };
    }
    case 'close':
      await subject?.close();
      subject = undefined;
      return { kind: 'done' };
  }
}

function opened(): Subject {
  if (subject === undefined) throw new Error('a worker was asked to run before it was opened');
  return subject;
}

function answer(message: WorkerAnswer): void {
  process.send?.(message);
}

process.on('message', (command: WorkerCommand) => {
  obey(command).then(answer, (error: unknown) => {
    const { message, stack } = error instanceof Error ? error : new Error(String(error));
    answer({ kind: 'failed', message, stack: stack ?? '' });
  });
});
process.on('disconnect', () => process.exit());
// Ctrl-C reaches the whole process group; the bench decides when its workers end.
process.on('SIGINT', () => undefined);
