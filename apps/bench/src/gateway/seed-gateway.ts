import type { Pool } from 'pg';
import { createBaselineCounters } from '../numbers/baseline-tables.js';
import { counterCode, type NumberTold } from '../numbers/numbers-request.js';
import { readStored } from '../numbers/stored-numbers.js';
import { verifyNumbers } from '../numbers/verify-numbers.js';
import { type CrewPlan, failedCountOf } from '../running/crew-plan.js';

let runCount = 0;

/**
 * The plan with its parts for the gateway that runs the seed's code exchanged: its counters are rows of another database,
 * which no GraphQL shows.
 */
export function seedIssuePlan(plan: CrewPlan, seedSubject: string, pool: Pool): CrewPlan {
  return {
    ...plan,
    prepare: async (subject, round, load) => {
      if (subject.name !== seedSubject) return plan.prepare(subject, round, load);
      runCount += 1;
      await createBaselineCounters(pool, runCount, 1);
      const code = counterCode(runCount, 0);
      return { projectCode: code, organizationCode: 'TEAM', typeCode: 'RFA', disciplineCode: 'STR' };
    },
    verify: async (place, records) => {
      if (place.subject.name !== seedSubject) return plan.verify(place, records);
      const told = records.flatMap((record) => record.told as readonly NumberTold[]);
      const failedCount = failedCountOf(records);
      const run = Number(/^R(\d+)C/.exec(String(place.facts.projectCode))?.[1]);
      const stored = await readStored(pool, "seed's code", { run, counterCount: 1 });
      return { violations: verifyNumbers({ told, failedCount, stored }), verifiedCount: told.length };
    },
  };
}
