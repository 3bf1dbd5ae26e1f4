import pg from 'pg';
import type { Subject, SubjectSetup } from '../workers/subject.js';

/** A row outside of the run, for which one caller of every process waits. */
interface WantedRow {
  /** Creates the row that a round uses; returns the statement that finds it, and its values. */
  create(round: number): Promise<readonly [select: string, values: unknown[]]>;
  want(round: number): Promise<unknown>;
}

/** The same subject while another application locks the row, in a transaction of the first process. */
export function besideHeldRow(
  subject: Subject & Required<Pick<Subject, 'prepare'>>,
  { databaseUrl, worker }: Pick<SubjectSetup, 'databaseUrl' | 'worker'>,
  { create, want }: WantedRow,
): Subject {
  let holder: pg.Client | undefined;
  let waiting: Promise<unknown> | undefined;
  let current = 0;
  return {
    ...subject,
    prepare: async (round, facts) => {
      await subject.prepare(round, facts);
      current = round;
      if (worker !== 0) return;
      const [select, values] = await create(round);
      holder = new pg.Client(databaseUrl);
      await holder.connect();
      await holder.query('BEGIN');
      await holder.query(`${select} FOR UPDATE`, values);
    },
    request: (call) => {
      if (call.sequence === 0) waiting = want(current).catch(() => undefined);
      return subject.request(call);
    },
    finish: async () => {
      await subject.finish?.();
      await holder?.end();
      holder = undefined;
      await waiting;
    },
  };
}
