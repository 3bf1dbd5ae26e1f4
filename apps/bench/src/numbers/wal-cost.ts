import { setTimeout as delay } from 'node:timers/promises';
import type pg from 'pg';
import type { RunRecord } from '../measuring/recorder.js';
import type { Experiment, Measurement, Metrics } from '../measuring/result.js';
import { commonMetrics, sum } from '../measuring/run-metrics.js';
import type { CrewPlan, PlannedSubject } from '../running/crew-plan.js';
import type { CrewPool } from '../running/crew-pool.js';
import { isChosen } from '../running/run-settings.js';
import type { ScenarioContext } from '../running/scenario.js';

interface WalPlace {
  readonly pool: pg.Pool;
  readonly crews: CrewPool;
  readonly plan: CrewPlan;
  readonly isQuick: boolean;
}

/** A run of one subject on these facts: its records, all to be verified, and what was counted. */
type Counted = (subject: PlannedSubject, facts: Facts) => Promise<{ records: RunRecord[]; metrics: Metrics }>;
type Facts = Awaited<ReturnType<CrewPlan['prepare']>>;

/**
 * Counts the WAL of a number, after all other experiments, when the ledger is at its largest: a key in random order
 * costs most where its index has more pages than numbers are drawn.
 */
export async function measureWal(context: ScenarioContext, place: WalPlace): Promise<Experiment[]> {
  const experiments = [
    {
      id: 'numbers.wal',
      title: 'WAL after a checkpoint, 1 caller',
      parallel: 1,
      unit: 'bytes per number',
      metric: 'walBytesPerNumber',
      count: (subject: PlannedSubject, facts: Facts) => countBytes(place, subject, facts),
    },
    {
      id: 'numbers.flushes',
      title: 'WAL flushes per number, 1 × 100 callers',
      parallel: place.plan.parallel,
      unit: 'flushes per number',
      metric: 'walFlushesPerNumber',
      count: (subject: PlannedSubject, facts: Facts) => countFlushes(place, subject, facts),
    },
  ];
  const found: Experiment[] = [];
  const { scenario, processes } = place.plan;
  for (const { id, title, parallel, unit, metric, count } of experiments) {
    if (!isChosen(context.settings, id)) continue;
    const measurements = await measured(context, place.plan, title, count);
    const lead = { metric, unit, better: 'less' } as const;
    found.push({ id, scenario, title, parallel, processes, lead, measurements });
  }
  return found;
}

async function measured(
  { settings, progress }: ScenarioContext,
  plan: CrewPlan,
  title: string,
  count: Counted,
): Promise<Measurement[]> {
  const measurements: Measurement[] = [];
  const repeatCount = settings.quick ? 1 : 3;
  progress.begin(title, plan.subjects.length * repeatCount);
  for (const subject of plan.subjects) {
    const repeats: Metrics[] = [];
    const verdicts = [];
    for (let round = 0; round < repeatCount; round += 1) {
      progress.step(subject.name);
      const facts = await plan.prepare(subject, round, plan.load);
      const { records, metrics } = await count(subject, facts);
      repeats.push(metrics);
      verdicts.push(await plan.verify({ subject, round, facts }, records));
    }
    measurements.push({
      subject: subject.name,
      role: subject.role,
      repeats,
      latencies: {},
      failures: {},
      violations: verdicts.flatMap(({ violations }) => violations),
      verifiedCount: sum(verdicts.map(({ verifiedCount }) => verifiedCount)),
    });
  }
  progress.end();
  return measurements;
}

/** Numbers drawn one after the other right after a checkpoint, when the first change of a page writes all of it. */
const COUNT = 300;
const QUICK_COUNT = 30;

async function countBytes({ pool, plan, isQuick }: WalPlace, subject: PlannedSubject, facts: Facts) {
  const load = { kind: 'list', inFlight: 1, count: isQuick ? QUICK_COUNT : COUNT } as const;
  const crew = await plan.crew(subject);
  await crew.prepare(0, facts);
  const warmUp = await crew.run(load);
  await pool.query('CHECKPOINT');
  const before = await walPosition(pool);
  await crew.prepare(0, facts);
  const records = await crew.run(load);
  const bytes = (await walPosition(pool)) - before;
  return {
    records: [...warmUp, ...records],
    metrics: { walBytesPerNumber: bytes / Math.max(1, sum(records.map(({ answered }) => answered))) },
  };
}

async function walPosition(pool: pg.Pool): Promise<number> {
  const { rows } = await pool.query<{ bytes: string }>(
    "SELECT pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0') AS bytes",
  );
  return Number(rows[0]?.bytes);
}

/**
 * A backend reports its I/O to PostgreSQL's statistics at the latest when it ends, so each run has its own workers, and
 * no other backends are alive when the count is read.
 */
async function countFlushes({ pool, crews, plan }: WalPlace, subject: PlannedSubject, facts: Facts) {
  await crews.endAll();
  const before = await flushCount(pool);
  const crew = await plan.crew(subject);
  await crew.prepare(0, facts);
  const records = await crew.run(plan.load);
  await crews.endAll();
  const flushes = (await flushCount(pool)) - before;
  const metrics = commonMetrics(records, plan.load);
  return {
    records,
    metrics: { ...metrics, walFlushesPerNumber: flushes / Math.max(1, metrics.answeredCount ?? 1) },
  };
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
