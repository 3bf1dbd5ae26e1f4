import type { Load } from '../measuring/load.js';
import type { RunRecord } from '../measuring/recorder.js';
import type { Experiment, Metrics, SubjectRole, Verdict } from '../measuring/result.js';
import { commonMetrics, outcomesOf, spanMsOf, sum } from '../measuring/run-metrics.js';
import { Tally } from '../measuring/tally.js';
import { timingOf, WARMED_MS } from '../measuring/timing.js';
import type { Crew } from '../workers/crew.js';
import type { Facts } from '../workers/subject.js';
import type { ScenarioContext } from './scenario.js';

export interface PlannedSubject {
  readonly name: string;
  readonly role: SubjectRole;
}

/** How the names of the subjects of a role begin; all others are rejected options. */
const ROLES = {
  solegate: 'solegate',
  'original design': 'original',
  'same promises by hand': 'peer',
} as const satisfies Readonly<Record<string, SubjectRole>>;

/** Subjects by name. */
export function planned(names: readonly string[]): PlannedSubject[] {
  return names.map((name) => {
    const found = Object.entries(ROLES).find(([beginning]) => name.startsWith(beginning));
    return { name, role: found?.[1] ?? 'rejected' };
  });
}

/** One run of one subject, with what was prepared for it. */
interface RunPlace {
  readonly subject: PlannedSubject;
  /** Grows by one with each run of the experiment, so that each finds fresh counters and trips. */
  readonly round: number;
  readonly facts: Facts;
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
  prepare(subject: PlannedSubject, round: number, load: Load): Promise<Facts>;
  /** Checks the answers to callers against the stores. */
  verify(place: RunPlace, records: readonly RunRecord[]): Promise<Verdict>;
  /** Metrics beyond the common ones, from all rounds of one repeat. */
  metrics?(records: readonly RunRecord[]): Metrics;
  /** Reads a meter of the stores before a timed run; the function that it returns reads it again after the run. */
  meter?(): Promise<(answeredCount: number) => Promise<Metrics>>;
}

/** A subject and what is known of it so far. */
interface Side {
  readonly subject: PlannedSubject;
  readonly tally: Tally;
  readonly records: RunRecord[];
}

/**
 * Runs every subject `repeatCount` times, interleaved: each pass goes through all subjects in a new order derived from
 * the seed, so that a slow minute of the machine affects all of them and ratios within one pass are meaningful. While
 * the others have their turn, a side loses its connections and its place in caches, so under a load with a duration
 * each turn begins with {@link WARMED_MS} of the same work on the same counters, verified like the rest.
 */
export async function runCrewPlan(
  plan: CrewPlan,
  { dice, progress }: Pick<ScenarioContext, 'dice' | 'progress'>,
): Promise<Experiment> {
  progress.begin(plan.title, plan.subjects.length * (plan.repeatCount + 1));
  const sides = plan.subjects.map((subject): Side => {
    return { subject, tally: new Tally(subject.name, subject.role), records: [] };
  });
  let round = 0;
  for (let pass = 0; pass <= plan.repeatCount; pass += 1) {
    for (const side of dice.sample(sides, sides.length)) {
      progress.step(side.subject.name);
      const isWarmUp = pass === 0;
      const { countMax, enoughMs } = (isWarmUp ? plan.warmUpRounds : plan.rounds) ?? ONCE;
      const records: RunRecord[] = [];
      let metered: Metrics = {};
      for (let count = 0; count === 0 || (count < countMax && spanMsOf(records) < enoughMs); count += 1) {
        round += 1;
        const run = await runOnce(plan, side, { round, isWarmUp });
        records.push(...run.records);
        metered = run.metered;
      }
      if (isWarmUp) continue;
      side.tally.repeats.push({
        ...commonMetrics(records, plan.load),
        ...plan.metrics?.(records),
        ...metered,
      });
      side.records.push(...records.map(withoutAnswers));
    }
  }
  progress.end();
  const { id, scenario, title, parallel, processes, lead } = plan;
  const timing = timingOf(plan.load);
  const measurements = sides.map(({ tally, records }) => ({ ...tally, ...outcomesOf(records) }));
  return { id, scenario, title, parallel, processes, lead, ...(timing && { timing }), measurements };
}

async function runOnce(
  plan: CrewPlan,
  { subject, tally }: Side,
  { round, isWarmUp }: { round: number; isWarmUp: boolean },
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
  tally.verified(await plan.verify({ subject, round, facts }, [...untimed, ...records]));
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
