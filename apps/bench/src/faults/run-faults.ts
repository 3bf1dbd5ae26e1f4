import type pg from 'pg';
import type { Experiment } from '../measuring/result.js';
import { readStored } from '../numbers/stored-numbers.js';
import { createBaselineCounters } from '../numbers/subjects/baseline-tables.js';
import { openNumbersDatabase } from '../numbers/subjects/numbers-database.js';
import { numbersVerdict } from '../numbers/verify-numbers.js';
import type { PlannedSubject } from '../running/crew-plan.js';
import { CrewPool } from '../running/crew-pool.js';
import { openPool } from '../running/database-pool.js';
import type { ScenarioContext } from '../running/scenario.js';
import { type FaultPlan, runFaultPlan } from './fault-plan.js';
import { runGatewayFaults } from './gateway-faults.js';
import { openBreakableRedis, type RedisFault } from './redis-faults.js';
import { tripFaultPlan } from './trip-faults.js';

/** Arrival rate of users while something breaks. */
const RATE_PER_SECOND = 1000;
const DURATION_MS = 5000;
const QUICK_DURATION_MS = 4000;
const PROCESSES = 2;

const SOLEGATE: PlannedSubject = { name: 'solegate', role: 'solegate' };
const ORIGINAL: PlannedSubject = { name: 'original design', role: 'original' };

/** Numbers and trips while Redis is killed, paused or cut off; numbers over GraphQL while a gateway is. */
export async function runFaults(context: ScenarioContext): Promise<Experiment[]> {
  const { settings } = context;
  const durationMs = settings.durationMs ?? (settings.quick ? QUICK_DURATION_MS : DURATION_MS);
  const experiments: Experiment[] = [
    ...(await numbersUnderRedisFaults(context, durationMs)),
    await tripFaultPlan(context, {
      ratePerSecond: RATE_PER_SECOND,
      durationMs,
      processes: PROCESSES,
    }),
  ];
  return settings.quick ? experiments : [...experiments, ...(await runGatewayFaults(context))];
}

async function numbersUnderRedisFaults(context: ScenarioContext, durationMs: number): Promise<Experiment[]> {
  const { settings, stores, progress } = context;
  const databaseUrl = await openNumbersDatabase(stores, 'bench_number_faults');
  const pool = openPool(databaseUrl, 4);
  await using redis = await openBreakableRedis(stores, 'redis-of-numbers');
  await using crews = new CrewPool(settings, {
    scenario: 'faults',
    subjects: new URL('../numbers/subjects/subjects.js', import.meta.url),
    databaseUrl,
    redisUrl: redis.url,
  });
  const runs: readonly (readonly [RedisFault, PlannedSubject])[] = settings.quick
    ? [['killed', SOLEGATE]]
    : [
        ['killed', SOLEGATE],
        ['killed', ORIGINAL],
        ['paused', SOLEGATE],
        ['cut off', SOLEGATE],
      ];
  try {
    const experiments: Experiment[] = [];
    for (const [fault, subject] of runs) {
      const crew = await crews.get(subject.name, PROCESSES);
      const plan = numbersPlan({ fault, subject, pool, durationMs });
      experiments.push(await runFaultPlan({ ...plan, crew, acts: redis.faults[fault] }, progress));
    }
    return experiments;
  } finally {
    await pool.end();
  }
}

let runCount = 0;

function numbersPlan({
  fault,
  subject,
  pool,
  durationMs,
}: {
  fault: RedisFault;
  subject: PlannedSubject;
  pool: pg.Pool;
  durationMs: number;
}): Omit<FaultPlan, 'crew' | 'acts'> {
  const suffix = subject.role === 'solegate' ? '' : '.original';
  // The original design gets its own rate: a thousand per second would overload it without any fault.
  const ratePerSecond = subject.role === 'solegate' ? RATE_PER_SECOND : 100;
  return {
    id: `faults.numbers.${fault.replace(' ', '-')}${suffix}`,
    title: `numbers, ${ratePerSecond.toLocaleString('en-US')} a second, Redis ${fault}`,
    subject,
    processes: PROCESSES,
    load: { kind: 'open', ratePerSecond, durationMs },
    prepare: async () => {
      runCount += 1;
      await createBaselineCounters(pool, runCount, 1);
      return { run: runCount, counterCount: 1 };
    },
    verify: async (facts, records) => {
      const run = { run: Number(facts.run), counterCount: 1 };
      return numbersVerdict(records, await readStored(pool, subject.name, run));
    },
  };
}
