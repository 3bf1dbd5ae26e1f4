import { HeldRow } from '../running/held-row.js';
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
  const { numbering, close } = openNumbering(setup, 'crowd');
  const next = async (code: string) => (await numbering.issue(requestFor(code))).sequence;
  const subject = numberingSubject(setup, { next, close });
  let held: HeldRow | undefined;
  let waiting: Promise<unknown> | undefined;
  return {
    ...subject,
    prepare: async (round, facts) => {
      await subject.prepare(round, facts);
      if (setup.worker !== 0) return;
      await next(HELD_COUNTER);
      const select = 'SELECT FROM document_number_counters WHERE strpos(dimensions, $1) > 0';
      held = await HeldRow.lock(setup.databaseUrl, select, [`"${HELD_COUNTER}"`]);
    },
    request: async (call) => {
      if (call.sequence === 0) waiting = next(HELD_COUNTER).catch(() => undefined);
      return subject.request(call);
    },
    finish: async () => {
      await held?.letGo();
      held = undefined;
      await waiting;
    },
  };
};
