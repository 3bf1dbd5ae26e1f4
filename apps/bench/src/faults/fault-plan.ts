import type { Load } from '../measuring/load.js';
import type { RunRecord } from '../measuring/recorder.js';
import type {
  Experiment,
  FaultMark,
  Measurement,
  Metrics,
  TimelinePoint,
  Verdict,
} from '../measuring/result.js';
import { commonMetrics, outcomesOf, timelineOf } from '../measuring/run-metrics.js';
import { sharedNowMs, waitUntil } from '../measuring/shared-clock.js';
import type { PlannedSubject } from '../running/crew-plan.js';
import type { Progress } from '../running/progress.js';
import type { Crew } from '../workers/crew.js';

/** An action on a server while load runs. */
export interface FaultAct {
  /** Milliseconds since the load began. */
  readonly atMs: number;
  readonly text: string;
  act(): Promise<void> | void;
}

/** One subject under a constant arrival rate while something breaks and recovers. */
export interface FaultPlan {
  readonly id: string;
  readonly title: string;
  readonly subject: PlannedSubject;
  readonly processes: number;
  readonly load: Extract<Load, { kind: 'open' }>;
  readonly crew: Crew;
  readonly acts: readonly FaultAct[];
  prepare(load: Load): Promise<Readonly<Record<string, string | number>>>;
  verify(facts: Readonly<Record<string, string | number>>, records: readonly RunRecord[]): Promise<Verdict>;
}

const WARM_UP_MS = 500;
const START_DELAY_MS = 50;

/**
 * Runs the load and the actions at their times, then verifies. The load is open: users keep arriving while something is
 * broken, and latency counts from the moment of arrival.
 */
export async function runFaultPlan(plan: FaultPlan, progress: Progress): Promise<Experiment> {
  progress.begin(plan.title, plan.acts.length + 1);
  await warmUp(plan);
  const facts = await plan.prepare(plan.load);
  await plan.crew.prepare(1, facts);
  const startMs = sharedNowMs() + START_DELAY_MS;
  const running = plan.crew.run(plan.load, startMs);
  const marks: FaultMark[] = [];
  for (const { atMs, text, act } of plan.acts) {
    await waitUntil(startMs + atMs);
    progress.step(text);
    marks.push({ atMs: Math.round(sharedNowMs() - startMs), text });
    await act();
  }
  const records = await running;
  const verdict = await plan.verify(facts, records);
  progress.end();
  return {
    id: plan.id,
    scenario: 'faults',
    title: plan.title,
    parallel: plan.load.ratePerSecond,
    processes: plan.processes,
    lead: { metric: 'maxMs', unit: 'ms, slowest answer', better: 'less' },
    measurements: [measured(plan, { records, verdict, marks })],
  };
}

async function warmUp(plan: FaultPlan): Promise<void> {
  const load = { ...plan.load, durationMs: WARM_UP_MS };
  await plan.crew.prepare(0, await plan.prepare(load));
  await plan.crew.run(load);
}

function measured(
  plan: FaultPlan,
  found: { records: readonly RunRecord[]; verdict: Verdict; marks: readonly FaultMark[] },
): Measurement {
  const { records, verdict, marks } = found;
  const timeline = timelineOf(records);
  return {
    subject: plan.subject.name,
    role: plan.subject.role,
    repeats: [
      { ...commonMetrics(records, plan.load), ...recovery(timeline, marks, plan.load.ratePerSecond) },
    ],
    ...outcomesOf(records),
    ...verdict,
    timeline,
    faults: marks,
  };
}

/** Slower answers count as a disturbance; ordinary waits for a lock or a commit are well below. */
const CALM_MS = 250;

/** Time from the fault to the end of the last disturbed slice: one with slow calls, failures or half the rate. */
function recovery(
  timeline: readonly TimelinePoint[],
  marks: readonly FaultMark[],
  ratePerSecond: number,
): Metrics {
  const [fault] = marks;
  if (fault === undefined) return {};
  const isDisturbed = (point: TimelinePoint): boolean =>
    point.atMs >= fault.atMs - 100 &&
    (point.failed > 0 || point.slowestMs > CALM_MS || point.perSecond < ratePerSecond / 2);
  // The end of the load cuts the last slice short, so its rate is meaningless.
  const lastDisturbed = timeline.slice(0, -1).filter(isDisturbed).at(-1);
  return { recoveryMs: lastDisturbed === undefined ? 0 : Math.max(0, lastDisturbed.atMs + 100 - fault.atMs) };
}
