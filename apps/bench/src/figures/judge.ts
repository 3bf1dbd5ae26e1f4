import type { Experiment, Figure, Measurement } from '../measuring/result.js';
import { median } from '../measuring/statistics.js';
import { isCold } from '../measuring/timing.js';
import type { Point, Target } from './target.js';

/** Compares a run with the targets; skips targets whose experiment was not run. */
export function judge(experiments: readonly Experiment[], targets: readonly Target[]): Figure[] {
  return targets.flatMap((target) => judged(experiments, target) ?? []);
}

function judged(experiments: readonly Experiment[], target: Target): Figure | undefined {
  const measured = valuesAt(experiments, target.measured);
  if (measured === undefined) return undefined;
  let values = measured;
  if (target.against !== undefined) {
    const against = valuesAt(experiments, target.against);
    if (against === undefined) return undefined;
    values = measured.slice(0, against.length).map((value, index) => value / (against[index] ?? Number.NaN));
  }
  const atLeast = 'atLeast' in target.bound;
  const bound = 'atLeast' in target.bound ? target.bound.atLeast : target.bound.atMost;
  const worst = atLeast ? Math.min(...values) : Math.max(...values);
  const decisive = target.judge === 'worst' ? worst : median(values);
  const met = atLeast ? decisive >= bound : decisive <= bound;
  const written = (value: number): string => inForm(value, target.form);
  const isRoundedToBound = !met && written(decisive) === written(bound);
  return {
    id: target.id,
    text: target.text,
    value: isRoundedToBound ? inForm(decisive, target.form, 6) : written(decisive),
    bound: `${atLeast ? 'at least' : 'at most'} ${written(bound)}`,
    met,
    range: `${written(Math.min(...values))} … ${written(Math.max(...values))}`,
    ...(isSpeed(target) && isOfColdSide(experiments, target) ? { cold: true } : {}),
  };
}

/** Whether the value depends on how warm a side is; a count of failures, statements or bytes does not. */
function isSpeed({ form }: Target): boolean {
  return form !== 'count' && form !== 'perAnswer';
}

function isOfColdSide(experiments: readonly Experiment[], { measured, against }: Target): boolean {
  return experiments.some(
    ({ id, timing }) =>
      (id === measured.experiment || id === against?.experiment) && timing !== undefined && isCold(timing),
  );
}

/** The value as tables show it: `36x (cold)`. */
export function markedValue({ value, cold }: Pick<Figure, 'value' | 'cold'>): string {
  return cold === true ? `${value} (cold)` : value;
}

function valuesAt(experiments: readonly Experiment[], point: Point): number[] | undefined {
  const experiment = experiments.find(({ id }) => id === point.experiment);
  if (experiment === undefined) return undefined;
  const values = measurementAt(experiment, point)?.repeats.map((repeat) => repeat[point.metric]);
  if (values === undefined || values.length === 0) return undefined;
  return values.every((value) => value !== undefined) ? values : undefined;
}

function measurementAt(experiment: Experiment, { subject, metric }: Point): Measurement | undefined {
  if (typeof subject === 'string') return experiment.measurements.find((one) => one.subject === subject);
  const candidates = experiment.measurements.filter((one) =>
    'fastest' in subject ? one.role === subject.fastest : subject.slowest.includes(one.subject),
  );
  const score = (candidate: Measurement): number =>
    median(candidate.repeats.map((repeat) => repeat[metric] ?? 0)) *
    (experiment.lead.better === 'more' ? 1 : -1);
  const fastestFirst = candidates.sort((left, right) => score(right) - score(left));
  return fastestFirst.at('fastest' in subject ? 0 : -1);
}

/** Formats a value like its target: `71x`, `1/132`, `99.90 %`, `2.1 ms`. */
function inForm(value: number, form: Target['form'], digits = 3): string {
  switch (form) {
    case 'times':
      return `${significant(value, digits)}x`;
    case 'fraction':
      return value > 0 && value < 0.67
        ? `1/${significant(1 / value, digits)}`
        : `${significant(value, digits)}x`;
    case 'share':
      return `${(value * 100).toFixed(digits - 1)} %`;
    case 'ms':
      return `${significant(value, digits)} ms`;
    case 'count':
      return String(value);
    case 'perAnswer':
      return significant(value, digits);
  }
}

/** Formats with three significant digits by default and thousands separators. */
export function significant(value: number, digits = 3): string {
  if (value === 0 || !Number.isFinite(value)) return String(value);
  if (Math.abs(value) >= 1000) return Math.round(value).toLocaleString('en-US');
  return String(Number(value.toPrecision(digits)));
}
