import type { Pool } from 'pg';
import { readStored } from '../../numbers/stored-numbers.js';
import { createBaselineCounters } from '../../numbers/subjects/baseline-tables.js';
import { counterCode } from '../../numbers/subjects/numbers-request.js';
import { numbersVerdict } from '../../numbers/verify-numbers.js';
import type { CrewPlan } from '../../running/crew-plan.js';

let runCount = 0;

/**
 * Adapts a plan to the gateway of the original design, whose counters are rows of another database, not visible over
 * GraphQL.
 */
export function originalIssuePlan(plan: CrewPlan, originalSubject: string, pool: Pool): CrewPlan {
  return {
    ...plan,
    prepare: async (subject, round, load) => {
      if (subject.name !== originalSubject) return plan.prepare(subject, round, load);
      runCount += 1;
      await createBaselineCounters(pool, runCount, 1);
      const code = counterCode(runCount, 0);
      return { projectCode: code, organizationCode: 'TEAM', typeCode: 'RFA', disciplineCode: 'STR' };
    },
    verify: async (place, records) => {
      if (place.subject.name !== originalSubject) return plan.verify(place, records);
      const run = Number(/^R(\d+)C/.exec(String(place.facts.projectCode))?.[1]);
      return numbersVerdict(records, await readStored(pool, 'original design', { run, counterCount: 1 }));
    },
  };
}
