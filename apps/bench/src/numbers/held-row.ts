import type pg from 'pg';
import { seededRandom } from '../measuring/seeded-random.js';
import type { OpenSubject } from '../workers/subject.js';
import { issued, type NumbersRun, numbersRun, pickCounter } from './numbers-request.js';
import { openNumbering, requestFor } from './solegate-numbering.js';

/** A counter beside those of the run, whose row somebody holds while the run lasts. */
const HELD_COUNTER = 'HELD';

/**
 * Numbers over many counters while a transaction of somebody else holds the row of another one, and every process has a
 * caller who waits for it.
 */
export const openOneRowHeld: OpenSubject = async (setup) => {
  const { numbering, pool, close } = openNumbering(setup, 'crowd');
  const random = seededRandom(setup.seed + setup.worker);
  let run: NumbersRun = { run: 0, counterCount: 1 };
  let holder: pg.PoolClient | undefined;
  let waiting: Promise<unknown> | undefined;
  return {
    prepare: async (_round, facts) => {
      run = numbersRun(facts);
      if (setup.worker === 0) {
        await numbering.issue(requestFor(HELD_COUNTER));
        holder = await pool.connect();
        await holder.query('BEGIN');
        await holder.query(
          'SELECT FROM document_number_counters WHERE strpos(dimensions, $1) > 0 FOR UPDATE',
          [`"${HELD_COUNTER}"`],
        );
      }
    },
    request: async ({ sequence }) => {
      if (sequence === 0) waiting = numbering.issue(requestFor(HELD_COUNTER)).catch(() => undefined);
      const code = pickCounter(run, random);
      return issued(code, (await numbering.issue(requestFor(code))).sequence);
    },
    finish: async () => {
      await holder?.query('ROLLBACK');
      holder?.release();
      holder = undefined;
      await waiting;
    },
    close,
  };
};
