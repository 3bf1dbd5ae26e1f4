import { setTimeout as delay } from 'node:timers/promises';
import type pg from 'pg';
import type { RunRecord } from '../measuring/recorder.js';
import type { Experiment } from '../measuring/result.js';
import { sum } from '../measuring/run-metrics.js';
import { Tally } from '../measuring/tally.js';
import type { CrewPlan, PlannedSubject } from '../running/crew-plan.js';
import type { CrewPool } from '../running/crew-pool.js';
import { isChosen } from '../running/run-settings.js';
import type { ScenarioContext } from '../running/scenario.js';
import type { Facts } from '../workers/subject.js';

interface WalPlace {
  readonly pool: pg.Pool;
  readonly crews: CrewPool;
  readonly plan: CrewPlan;
  readonly isQuick: boolean;
}

interface Counted {
  /** Runs whose WAL is not counted. */
  readonly before: readonly RunRecord[];
  readonly records: readonly RunRecord[];
  /** Bytes or flushes of `records`. */
  readonly amount: number;
}

/** Numbers drawn one after the other right after a checkpoint, when the first change of a page writes all of it. */
const BYTES = {
  id: 'numbers.wal',
  title: 'WAL after a checkpoint, 1 caller',
  parallel: 1,
  lead: { metric: 'walBytesPerNumber', unit: 'bytes per number', better: 'less' },
  count: countBytes,
} as const;

const FLUSHES = {
  id: 'numbers.flushes',
  title: 'WAL flushes per number, 1 × 100 callers',
  parallel: 100,
  lead: { metric: 'walFlushesPerNumber', unit: 'flushes per number', better: 'less' },
  count: countFlushes,
} as const;

/**
 * Counts the WAL of a number, after all other experiments, when the ledger is at its largest: a key in random order
 * costs most where its index has more pages than numbers are drawn.
 */
export async function measureWal(
  { settings, progress }: ScenarioContext,
  place: WalPlace,
): Promise<Experiment[]> {
  const { scenario, processes, subjects } = place.plan;
  const repeatCount = place.isQuick ? 1 : 3;
  const experiments: Experiment[] = [];
  for (const kind of [BYTES, FLUSHES].filter(({ id }) => isChosen(settings, id))) {
    const { count, ...experiment } = kind;
    // A quick run draws too few numbers to be judged: the pages that any commit changes are most of its WAL.
    const id = place.isQuick && kind === BYTES ? `${kind.id}.small` : kind.id;
    progress.begin(kind.title, subjects.length);
    const measurements: Tally[] = [];
    for (const subject of subjects) {
      progress.step(subject.name);
      measurements.push(await measured(place, subject, { count, repeatCount, metric: kind.lead.metric }));
    }
    progress.end();
    experiments.push({ ...experiment, id, scenario, processes, measurements });
  }
  return experiments;
}

async function measured(
  place: WalPlace,
  subject: PlannedSubject,
  { count, repeatCount, metric }: { count: typeof countBytes; repeatCount: number; metric: string },
): Promise<Tally> {
  const { plan } = place;
  const tally = new Tally(subject.name, subject.role);
  for (let round = 0; round < repeatCount; round += 1) {
    const facts = await plan.prepare(subject, round, plan.load);
    const { before, records, amount } = await count(place, subject, facts);
    tally.repeats.push({ [metric]: amount / Math.max(1, sum(records.map(({ answered }) => answered))) });
    tally.verified(await plan.verify({ subject, round, facts }, [...before, ...records]));
  }
  return tally;
}

const COUNT = 300;
const QUICK_COUNT = 30;

async function countBytes(
  { pool, plan, isQuick }: WalPlace,
  subject: PlannedSubject,
  facts: Facts,
): Promise<Counted> {
  const load = { kind: 'list', inFlight: 1, count: isQuick ? QUICK_COUNT : COUNT } as const;
  const crew = await plan.crew(subject);
  await crew.prepare(0, facts);
  const before = await crew.run(load);
  await pool.query('CHECKPOINT');
  const from = await walPosition(pool);
  await crew.prepare(0, facts);
  const records = await crew.run(load);
  return { before, records, amount: (await walPosition(pool)) - from };
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
async function countFlushes(
  { pool, crews, plan }: WalPlace,
  subject: PlannedSubject,
  facts: Facts,
): Promise<Counted> {
  await crews.endAll();
  const from = await flushCount(pool);
  const crew = await plan.crew(subject);
  await crew.prepare(0, facts);
  const records = await crew.run(plan.load);
  await crews.endAll();
  return { before: [], records, amount: (await flushCount(pool)) - from };
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
