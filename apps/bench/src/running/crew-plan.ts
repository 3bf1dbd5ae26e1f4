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
import { commonMetrics, outcomesOf, spanMsOf, sum } from '../measuring/run-metrics.js';
import { type RandomSource, shuffled } from '../measuring/seeded-random.js';
import { timingOf, WARMED_MS } from '../measuring/timing.js';
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
  /** The load of the first pass, which is verified but not timed: code is compiled, statements are planned. */
  readonly warmUp: Load;
  /** Runs of the warm-up. Default: one. */
  readonly warmUpRounds?: Rounds;
  readonly repeatCount: number;
  /** Runs per repeat; bursts are so short that a single one is not meaningful. Default: one. */
  readonly rounds?: Rounds;
  /** Requests that create what a timed run finds: each of its counters, in each process. */
  readonly opening?: Load;
  /** Opens the subject's workers, or returns those already open. */
  crew(subject: PlannedSubject): Promise<Pick<Crew, 'prepare' | 'run'>>;
  /** Creates what one run needs (a series, a trip) and returns its name. */
  prepare(subject: PlannedSubject, round: number, load: Load): Promise<RunPlace['facts']>;
  /** Checks the answers to callers against the stores. */
  verify(place: RunPlace, records: readonly RunRecord[]): Promise<Verdict>;
  /** Metrics beyond the common ones, from all rounds of one repeat. */
  metrics?(records: readonly RunRecord[]): Metrics;
  /** Reads a meter of the stores before a timed run; the function that it returns reads it again after the run. */
  meter?(): Promise<(answeredCount: number) => Promise<Metrics>>;
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
 * the seed, so that a slow minute of the machine affects all of them and ratios within one pass are meaningful. While
 * the others have their turn, a side loses its connections and its place in caches, so under a load with a duration
 * each turn begins with {@link WARMED_MS} of the same work on the same counters, verified like the rest.
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
      let metered: Metrics = {};
      for (let count = 0; count === 0 || (count < countMax && spanMsOf(records) < enoughMs); count += 1) {
        round += 1;
        const run = await runOnce(plan, subject, { round, isWarmUp, tally });
        records.push(...run.records);
        metered = run.metered;
      }
      if (isWarmUp) continue;
      tally.repeats.push({ ...commonMetrics(records, plan.load), ...plan.metrics?.(records), ...metered });
      tally.records.push(...records.map(withoutAnswers));
    }
  }
  progress.end();
  const { id, scenario, title, parallel, processes, lead } = plan;
  const timing = timingOf(plan.load);
  const measurements = plan.subjects.map((subject) => measurementOf(subject, tallyOf(tallies, subject)));
  const timed = timing === undefined ? {} : { timing };
  return { id, scenario, title, parallel, processes, lead, ...timed, measurements };
}

async function runOnce(
  plan: CrewPlan,
  subject: PlannedSubject,
  { round, isWarmUp, tally }: { round: number; isWarmUp: boolean; tally: Tally },
): Promise<{ records: RunRecord[]; metered: Metrics }> {
  const crew = await plan.crew(subject);
  const load = isWarmUp ? plan.warmUp : plan.load;
  const facts = await plan.prepare(subject, round, load);
  const untimed: RunRecord[] = [];
  for (const before of isWarmUp ? [] : loadsBefore(plan)) {
    await crew.prepare(round, facts);
    untimed.push(...(await crew.run(before)));
  }
  await crew.prepare(round, facts);
  const readAgain = isWarmUp ? undefined : await plan.meter?.();
  const records = await crew.run(load);
  const metered = (await readAgain?.(sum(records.map(({ answered }) => answered)))) ?? {};
  const verdict = await plan.verify({ subject, round, facts }, [...untimed, ...records]);
  tally.verifiedCount += verdict.verifiedCount;
  const room = VIOLATIONS_MAX - tally.violations.length;
  tally.violations.push(...verdict.violations.slice(0, Math.max(0, room)));
  return { records, metered };
}

/** What a side does in its turn before it is timed. */
function loadsBefore({ opening, load }: CrewPlan): Load[] {
  const warmUp = load.kind === 'list' ? [] : [{ ...load, durationMs: Math.min(WARMED_MS, load.durationMs) }];
  return opening === undefined ? warmUp : [opening, ...warmUp];
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
