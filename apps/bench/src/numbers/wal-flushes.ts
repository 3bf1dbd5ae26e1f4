import { setTimeout as delay } from 'node:timers/promises';
import type pg from 'pg';
import type { Experiment, Measurement } from '../measuring/result.js';
import { commonMetrics } from '../measuring/run-metrics.js';
import type { CrewPlan, PlannedSubject } from '../running/crew-plan.js';
import type { CrewPool } from '../running/crew-pool.js';
import type { ScenarioContext } from '../running/scenario.js';

/**
 * Measures WAL flushes per number. A backend reports its I/O to PostgreSQL's statistics at the latest when it ends, so
 * each run has its own workers, and no other backends are alive when the count is read. It is therefore separate from
 * the throughput.
 */
export async function measureFlushes(
  { settings, progress }: ScenarioContext,
  { pool, crews, plan }: { pool: pg.Pool; crews: CrewPool; plan: CrewPlan },
): Promise<Experiment> {
  const subjects = plan.subjects.filter(({ name }) => COUNTED.has(name));
  const repeatCount = settings.quick ? 1 : 3;
  progress.begin('WAL flushes per number', subjects.length * repeatCount);
  const measurements: Measurement[] = [];
  for (const subject of subjects) {
    const repeats = [];
    for (let repeat = 0; repeat < repeatCount; repeat += 1) {
      progress.step(subject.name);
      repeats.push(await countedRun({ pool, crews, plan, subject }));
    }
    measurements.push({
      subject: subject.name,
      role: subject.role,
      repeats,
      latencies: {},
      failures: {},
      violations: [],
      verifiedCount: 0,
    });
  }
  progress.end();
  return {
    id: 'numbers.flushes',
    scenario: 'numbers',
    title: 'WAL flushes per number, 1 × 100 callers',
    parallel: plan.parallel,
    processes: plan.processes,
    lead: { metric: 'walFlushesPerNumber', unit: 'flushes per number', better: 'less' },
    measurements,
  };
}

const COUNTED = new Set(['solegate', 'original design', 'upsert + ledger', 'FOR UPDATE']);

async function countedRun({
  pool,
  crews,
  plan,
  subject,
}: {
  pool: pg.Pool;
  crews: CrewPool;
  plan: CrewPlan;
  subject: PlannedSubject;
}) {
  const facts = await plan.prepare(subject, 0, plan.load);
  await crews.endAll();
  const before = await flushCount(pool);
  const crew = await plan.crew(subject);
  await crew.prepare(0, facts);
  const records = await crew.run(plan.load);
  await crews.endAll();
  const flushes = (await flushCount(pool)) - before;
  const metrics = commonMetrics(records, plan.load);
  return { ...metrics, walFlushesPerNumber: flushes / Math.max(1, metrics.answeredCount ?? 1) };
}

/** Longest wait for backends to end after their connections. */
const BACK_ENDS_END_MS = 10_000;

/** WAL flushes by committing backends since the statistics began, without those of the background writer. */
async function flushCount(pool: pg.Pool): Promise<number> {
  const untilMs = performance.now() + BACK_ENDS_END_MS;
  while ((await backEndCount(pool)) > pool.totalCount) {
    if (performance.now() > untilMs) throw new Error('backends of workers that have ended are still alive');
    await delay(10);
  }
  await pool.query('SELECT pg_stat_force_next_flush()');
  const { rows } = await pool.query<{ count: string }>(
    "SELECT coalesce(sum(fsyncs), 0) AS count FROM pg_stat_io WHERE object = 'wal' AND backend_type = 'client backend'",
  );
  return Number(rows[0]?.count);
}

async function backEndCount(pool: pg.Pool): Promise<number> {
  const { rows } = await pool.query<{ count: number }>(
    `SELECT count(*)::int AS count FROM pg_stat_activity
     WHERE datname = current_database() AND backend_type = 'client backend'`,
  );
  return rows[0]?.count ?? 0;
}
