import { significant } from '../figures/judge.js';
import type { BenchResult, Experiment, Measurement } from '../measuring/result.js';
import { median, rankDifferenceChance } from '../measuring/statistics.js';
import { aligned, valuesOf } from './terminal-table.js';

/** The conclusion from comparing two results. */
type Verdict = 'faster' | 'slower' | 'same' | 'undecided';

export interface Comparison {
  readonly experiment: string;
  readonly subject: string;
  /** The reference that speeds were divided by, for each repeat; undefined if absolute speeds are compared. */
  readonly against: string | undefined;
  /** 1.2: the later result is 1.2 times as fast as the earlier one. */
  readonly speedup: number;
  readonly verdict: Verdict;
}

/** Smaller changes are ignored, however certain they are. */
const CHANGE_MIN = 0.05;
/** Significance level: the highest probability of chance at which a change is reported. */
const CHANCE_MAX = 0.05;
/** With fewer repeats per side, no order of them is unlikely enough. */
const REPEATS_MIN = 4;

/**
 * Compares every subject of ours that both results have. If both also have a reference in the same experiment, ratios
 * to it are compared instead of absolute speeds: both were measured in turns, so a slower or busier machine cancels
 * out. A change counts if it is at least 5 % and the ranks of the repeats are unlikely to be due to chance.
 */
export function compareResults(before: BenchResult, after: BenchResult): Comparison[] {
  return after.experiments.flatMap((experiment) => {
    const earlier = before.experiments.find(({ id }) => id === experiment.id);
    return earlier === undefined ? [] : compareExperiments(earlier, experiment);
  });
}

function compareExperiments(before: Experiment, after: Experiment): Comparison[] {
  const reference = after.measurements.find(
    ({ subject, role }) => role !== 'solegate' && measurementOf(before, subject) !== undefined,
  );
  return after.measurements.flatMap((measurement) => {
    const earlier = measurementOf(before, measurement.subject);
    if (measurement.role !== 'solegate' || earlier === undefined) return [];
    const speedsBefore = speeds(before, earlier, reference?.subject);
    const speedsAfter = speeds(after, measurement, reference?.subject);
    if (speedsBefore.length === 0 || speedsAfter.length === 0) return [];
    const speedup = median(speedsAfter) / median(speedsBefore);
    return [
      {
        experiment: after.id,
        subject: measurement.subject,
        against: reference?.subject,
        speedup,
        verdict: verdictOf(speedup, speedsBefore, speedsAfter),
      },
    ];
  });
}

function measurementOf(experiment: Experiment, subject: string): Measurement | undefined {
  return experiment.measurements.find((candidate) => candidate.subject === subject);
}

/** Speeds by repeat, relative to the reference if there is one. Higher is faster, whatever the metric. */
function speeds(experiment: Experiment, measurement: Measurement, reference: string | undefined): number[] {
  const { metric, better } = experiment.lead;
  const referred = reference === undefined ? undefined : measurementOf(experiment, reference);
  const divisors = referred === undefined ? [] : valuesOf(referred, metric);
  return valuesOf(measurement, metric)
    .map((value, index) => value / (reference === undefined ? 1 : (divisors[index] ?? Number.NaN)))
    .map((value) => (better === 'more' ? value : 1 / value))
    .filter(Number.isFinite);
}

function verdictOf(speedup: number, before: readonly number[], after: readonly number[]): Verdict {
  if (Math.abs(speedup - 1) < CHANGE_MIN) return 'same';
  if (Math.min(before.length, after.length) < REPEATS_MIN) return 'undecided';
  if (rankDifferenceChance(before, after) > CHANCE_MAX) return 'same';
  return speedup > 1 ? 'faster' : 'slower';
}

/** The comparison as text, with the caveats that a reader must know. */
export function comparisonTable(before: BenchResult, after: BenchResult): string {
  const comparisons = compareResults(before, after);
  if (comparisons.length === 0) return 'The two results have no experiment in common.';
  const rows = comparisons.map(({ experiment, subject, against, speedup, verdict }) => [
    verdict,
    `${experiment} · ${subject}`,
    `${significant(speedup)}x`,
    against === undefined ? 'bare speed' : `relative to ${against}`,
  ]);
  return [...aligned(rows, [0, 1, 2, 3]), '', ...caveats(before, after, comparisons)].join('\n');
}

function caveats(before: BenchResult, after: BenchResult, comparisons: readonly Comparison[]): string[] {
  const differing = (['processor', 'node', 'postgres', 'redis'] as const).filter(
    (fact) => before.machine[fact] !== after.machine[fact],
  );
  const bare = comparisons.some(({ against }) => against === undefined);
  const undecided = comparisons.some(({ verdict }) => verdict === 'undecided');
  return [
    `${before.commit} (${before.date.slice(0, 16)}) against ${after.commit} (${after.date.slice(0, 16)}).`,
    ...(differing.length > 0
      ? [`They differ in ${differing.join(', ')}${bare ? '; absolute speeds are not comparable' : ''}.`]
      : []),
    ...(undecided
      ? [`"undecided": fewer than ${REPEATS_MIN} repeats per side; run with --repeats 5 or more.`]
      : []),
    '"same": less than 5 %, or within the variation between repeats.',
  ];
}
