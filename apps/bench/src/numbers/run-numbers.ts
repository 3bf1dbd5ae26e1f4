import { startPgBouncer } from '@solegate/local-services';
import type pg from 'pg';
import type { Experiment } from '../measuring/result.js';
import { type CrewPlan, runCrewPlan } from '../running/crew-plan.js';
import { CrewPool } from '../running/crew-pool.js';
import { openPool } from '../running/database-pool.js';
import type { Progress } from '../running/progress.js';
import { hasOwnShape, isChosen } from '../running/run-settings.js';
import type { ScenarioContext } from '../running/scenario.js';
import { meterServerCpu } from '../running/server-cpu.js';
import { runBulkWork } from './bulk-work.js';
import { runFeedReading } from './feed-reading.js';
import { type NumberPlan, numberPlans, walPlan } from './number-plans.js';
import { readStored } from './stored-numbers.js';
import { createBaselineCounters, createBaselineSequences } from './subjects/baseline-tables.js';
import { openNumbersDatabase } from './subjects/numbers-database.js';
import { numbersVerdict } from './verify-numbers.js';
import { measureWal } from './wal-cost.js';

/** Numbers of one hot series, spread over counters, with documents; then WAL, imports and reconciling. */
export async function runNumbers(context: ScenarioContext): Promise<Experiment[]> {
  const { settings, stores } = context;
  const databaseUrl = await openNumbersDatabase(stores);
  const pool = openPool(databaseUrl, 4);
  const chosen = numberPlans(settings).filter(({ id }) => isChosen(settings, id));
  const pooler = chosen.some(isPooled) ? await openPooler(databaseUrl, context.progress) : undefined;
  await using crews = new CrewPool(settings, {
    scenario: 'numbers',
    subjects: new URL('./subjects/subjects.js', import.meta.url),
    databaseUrl,
    redisUrl: stores.redisUrl,
    facts: pooler === undefined ? {} : { poolerUrl: pooler.url },
  });
  const place = { pool, crews, repeatCount: settings.repeatCount };
  try {
    const experiments: Experiment[] = [];
    for (const plan of chosen.filter((plan) => pooler !== undefined || !isPooled(plan))) {
      experiments.push(await runCrewPlan(crewPlanOf(plan, place), context));
      // Its first pass warms the workers of the next shape; keeping all would be 200 processes.
      await crews.endAll();
    }
    // Its back ends would stay, and report their I/O, for as long as it runs.
    await pooler?.stop();
    if (hasOwnShape(settings)) return experiments;
    const wal = await measureWal(context, {
      ...place,
      isQuick: settings.quick,
      plan: crewPlanOf(walPlan(settings), place),
    });
    const isBulk = ['numbers.import', 'numbers.reconcile'].some((id) => isChosen(settings, id));
    const bulk = isBulk ? await runBulkWork(context) : [];
    const isFeed = ['numbers.feed.behind', 'numbers.feed.beside'].some((id) => isChosen(settings, id));
    const feed = isFeed ? await runFeedReading(context) : [];
    return [...experiments, ...wal, ...bulk, ...feed];
  } finally {
    await pooler?.stop();
    await pool.end();
  }
}

function isPooled({ id }: NumberPlan): boolean {
  return id.startsWith('numbers.pooled.');
}

/** Undefined where the system has no PgBouncer: the bench then goes on without it. */
async function openPooler(databaseUrl: string, progress: Progress) {
  const report = (text: string) => {
    progress.begin(text, 1);
    progress.end();
  };
  try {
    return await startPgBouncer({ databaseUrl, onProgress: report });
  } catch (error) {
    report(`left out, PgBouncer: ${error instanceof Error ? error.message : String(error)}`);
    return undefined;
  }
}

interface PlanPlace {
  readonly pool: pg.Pool;
  readonly crews: CrewPool;
  readonly repeatCount: number;
}

/** Runs are numbered across the whole scenario, so that no two experiments share counters. */
let runCount = 0;

function crewPlanOf(plan: NumberPlan, { pool, crews, repeatCount }: PlanPlace): CrewPlan {
  return {
    ...plan,
    scenario: 'numbers',
    lead: { metric: 'perSecond', unit: 'numbers/s', better: 'more' },
    repeatCount,
    crew: ({ name }) => crews.get(name, plan.processes),
    prepare: async ({ name }) => {
      runCount += 1;
      if (!name.startsWith('solegate')) await createBaselineCounters(pool, runCount, plan.counterCount);
      if (name === 'nextval + ledger') await createBaselineSequences(pool, runCount, plan.counterCount);
      return { run: runCount, counterCount: plan.counterCount };
    },
    verify: async ({ subject, facts }, records) => {
      const stored = await readStored(pool, subject.name, {
        run: Number(facts.run),
        counterCount: plan.counterCount,
      });
      return numbersVerdict(records, stored);
    },
    meter: () => meterServerCpu(pool),
  };
}
