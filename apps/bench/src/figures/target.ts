/** The source of a number. `fastest` selects the best subject of a role by its median, `slowest` the worst of some. */
export interface Point {
  readonly experiment: string;
  readonly subject: string | { readonly fastest: 'peer' } | { readonly slowest: readonly string[] };
  readonly metric: string;
}

/**
 * One lower bound for a run. A target with `against` is a ratio, computed for each repeat within one run (machines
 * differ, ratios hardly do) and judged by its median; one without is an absolute value.
 */
export interface Target {
  readonly id: string;
  readonly text: string;
  readonly measured: Point;
  readonly against?: Point;
  readonly bound: { readonly atLeast: number } | { readonly atMost: number };
  readonly form: 'times' | 'fraction' | 'share' | 'ms' | 'count' | 'perAnswer';
  /** `worst`: every repeat must meet the target, not only the median. */
  readonly judge?: 'median' | 'worst';
}

/** The metric of a subject in an experiment. */
export const point = (experiment: string, subject: Point['subject'], metric: string): Point => ({
  experiment,
  subject,
  metric,
});

interface Comparison {
  readonly experiment: string;
  /** Default: `solegate`. */
  readonly subject?: string;
  readonly than: Point['subject'];
  /** Default: answers per second. */
  readonly metric?: string;
}

/** A metric of a subject against the same metric of another subject of the experiment. */
export function compared(id: string, text: string, comparison: Comparison, bound: Target['bound']): Target {
  const { experiment, subject = 'solegate', than, metric = 'perSecond' } = comparison;
  return {
    id,
    text,
    measured: point(experiment, subject, metric),
    against: point(experiment, than, metric),
    bound,
    form: 'atMost' in bound && bound.atMost < 1 ? 'fraction' : 'times',
  };
}
