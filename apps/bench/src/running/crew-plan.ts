import type { Load } from '../measuring/load.js';
import type { RunRecord } from '../measuring/recorder.js';
import type {
  Experiment,
  Measurement,
  Metrics,
  SubjectRole,
  Verdict,
  Violation,
} from '../measuring/result.js';
import { commonMetrics, outcomesOf, spanMsOf } from '../measuring/run-metrics.js';
import { type RandomSource, shuffled } from '../measuring/seeded-random.js';
import type { Crew } from '../workers/crew.js';
import type { Progress } from './progress.js';

export interface PlannedSubject {
  readonly name: string;
  readonly role: SubjectRole;
}

/** One run of one subject, with what was prepared for it. */
interface RunPlace {
  readonly subject: PlannedSubject;
  /** Grows by one with each run of the experiment, so that each finds fresh counters and trips. */
  readonly round: number;
  readonly facts: Readonly<Record<string, string | number>>;
}

/** How often to run a load: until `countMax` runs, or until the runs have lasted `enoughMs` in total. */
export interface Rounds {
  readonly countMax: number;
  readonly enoughMs: number;
}

const ONCE: Rounds = { countMax: 1, enoughMs: 0 };

/** An experiment whose subjects run in worker processes. */
export interface CrewPlan extends Omit<Experiment, 'measurements'> {
  readonly subjects: readonly PlannedSubject[];
  readonly load: Load;
  /** The load before the first measured run of each subject, also verified. */
  readonly warmUp: Load;
  /** Runs of the warm-up. Default: one. */
  readonly warmUpRounds?: Rounds;
  readonly repeatCount: number;
  /** Runs per repeat; bursts are so short that a single one is not meaningful. Default: one. */
  readonly rounds?: Rounds;
  /** Opens the subject's workers, or returns those already open. */
  crew(subject: PlannedSubject): Promise<Crew>;
  /** Creates what one run needs (a series, a trip) and returns its name. */
  prepare(subject: PlannedSubject, round: number, load: Load): Promise<RunPlace['facts']>;
  /** Checks the answers to callers against the stores. */
  verify(place: RunPlace, records: readonly RunRecord[]): Promise<Verdict>;
  /** Metrics beyond the common ones, from all rounds of one repeat. */
  metrics?(records: readonly RunRecord[]): Metrics;
}

interface Tally {
  readonly repeats: Metrics[];
  readonly records: RunRecord[];
  readonly violations: Violation[];
  verifiedCount: number;
}

/** How many broken rules of one subject to keep; the first shows the problem, hundreds would bury it. */
const VIOLATIONS_MAX = 5;

/**
 * Runs every subject `repeatCount` times, interleaved: each pass goes through all subjects in a new order derived from
 * the seed, so that a slow minute of the machine affects all of them and ratios within one pass are meaningful.
 */
export async function runCrewPlan(
  plan: CrewPlan,
  random: RandomSource,
  progress: Progress,
): Promise<Experiment> {
  progress.begin(plan.title, plan.subjects.length * (plan.repeatCount + 1));
  const tallies = new Map<string, Tally>(
    plan.subjects.map(({ name }) => [name, { repeats: [], records: [], violations: [], verifiedCount: 0 }]),
  );
  let round = 0;
  for (let pass = 0; pass <= plan.repeatCount; pass += 1) {
    for (const subject of shuffled(plan.subjects, random)) {
      progress.step(subject.name);
      const tally = tallyOf(tallies, subject);
      const isWarmUp = pass === 0;
      const { countMax, enoughMs } = (isWarmUp ? plan.warmUpRounds : plan.rounds) ?? ONCE;
      const records: RunRecord[] = [];
      for (let count = 0; count === 0 || (count < countMax && spanMsOf(records) < enoughMs); count += 1) {
        round += 1;
        records.push(...(await runOnce(plan, subject, { round, isWarmUp, tally })));
      }
      if (isWarmUp) continue;
      tally.repeats.push({ ...commonMetrics(records, plan.load), ...plan.metrics?.(records) });
      tally.records.push(...records.map(withoutAnswers));
    }
  }
  progress.end();
  const { id, scenario, title, parallel, processes, lead } = plan;
  const measurements = plan.subjects.map((subject) => measurementOf(subject, tallyOf(tallies, subject)));
  return { id, scenario, title, parallel, processes, lead, measurements };
}

async function runOnce(
  plan: CrewPlan,
  subject: PlannedSubject,
  { round, isWarmUp, tally }: { round: number; isWarmUp: boolean; tally: Tally },
): Promise<RunRecord[]> {
  const crew = await plan.crew(subject);
  const load = isWarmUp ? plan.warmUp : plan.load;
  const facts = await plan.prepare(subject, round, load);
  await crew.prepare(round, facts);
  const records = await crew.run(load);
  const verdict = await plan.verify({ subject, round, facts }, records);
  tally.verifiedCount += verdict.verifiedCount;
  const room = VIOLATIONS_MAX - tally.violations.length;
  tally.violations.push(...verdict.violations.slice(0, Math.max(0, room)));
  return records;
}

/** Drops the answers, which have been verified: a hundred thousand per run would only fill memory. */
function withoutAnswers(record: RunRecord): RunRecord {
  return { ...record, answers: [] };
}

function tallyOf(tallies: ReadonlyMap<string, Tally>, subject: PlannedSubject): Tally {
  const tally = tallies.get(subject.name);
  if (tally === undefined) throw new Error(`two subjects are called "${subject.name}"`);
  return tally;
}

function measurementOf({ name, role }: PlannedSubject, tally: Tally): Measurement {
  const { repeats, records, violations, verifiedCount } = tally;
  return { subject: name, role, repeats, ...outcomesOf(records), violations, verifiedCount };
}
