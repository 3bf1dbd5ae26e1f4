import { besideHeldRow } from '../running/held-row.js';
import type { OpenSubject } from '../workers/subject.js';
import { numberingSubject } from './subjects/numbers-request.js';
import { openNumbering, requestFor } from './subjects/solegate-numbering.js';

/** A counter outside of the run. */
const HELD_COUNTER = 'HELD';

/** Numbers over many counters while another application locks the row of a further counter. */
export const openOneRowHeld: OpenSubject = async (setup) => {
  const { numbering, close } = openNumbering(setup, 'crowd');
  const next = async (code: string) => (await numbering.issue(requestFor(code))).sequence;
  return besideHeldRow(numberingSubject(setup, { next, close }), setup, {
    create: async () => {
      await next(HELD_COUNTER);
      const select = 'SELECT FROM document_number_counters WHERE strpos(dimensions, $1) > 0';
      return [select, [`"${HELD_COUNTER}"`]];
    },
    want: () => next(HELD_COUNTER),
  });
};
