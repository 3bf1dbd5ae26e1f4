import type pg from 'pg';
import type { OpenSubject } from '../workers/subject.js';
import { numberingSubject } from './subjects/numbers-request.js';
import { openNumbering, requestFor } from './subjects/solegate-numbering.js';

/** A counter outside of the run whose row another transaction locks during the run. */
const HELD_COUNTER = 'HELD';

/**
 * Numbers over many counters while another transaction locks the row of a further counter, for which one caller in
 * every process waits.
 */
export const openOneRowHeld: OpenSubject = async (setup) => {
  const { numbering, pool, close } = openNumbering(setup, 'crowd');
  const next = async (code: string) => (await numbering.issue(requestFor(code))).sequence;
  const subject = numberingSubject(setup, { next, close });
  let holder: pg.PoolClient | undefined;
  let waiting: Promise<unknown> | undefined;
  return {
    ...subject,
    prepare: async (round, facts) => {
      await subject.prepare(round, facts);
      if (setup.worker !== 0) return;
      await next(HELD_COUNTER);
      holder = await pool.connect();
      await holder.query('BEGIN');
      await holder.query('SELECT FROM document_number_counters WHERE strpos(dimensions, $1) > 0 FOR UPDATE', [
        `"${HELD_COUNTER}"`,
      ]);
    },
    request: async (call) => {
      if (call.sequence === 0) waiting = next(HELD_COUNTER).catch(() => undefined);
      return subject.request(call);
    },
    finish: async () => {
      await holder?.query('ROLLBACK');
      holder?.release();
      holder = undefined;
      await waiting;
    },
  };
};
