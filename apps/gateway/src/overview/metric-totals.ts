import type { Registry } from 'prom-client';

/** State of a histogram: the count of values up to each bound, and of all values. */
export interface Distribution {
  readonly bounds: readonly number[];
  readonly counts: readonly number[];
  readonly count: number;
}

type Labels = Readonly<Partial<Record<string, string | number>>>;
/** Selects the series of a metric that count. */
type Choice = (labels: Labels) => boolean;

interface Sample {
  readonly labels: Labels;
  readonly value: number;
  readonly metricName?: string;
}

const everySeries: Choice = () => true;

/** Reads totals back from the metrics of this process, so that nothing is counted twice. */
export class MetricTotals {
  constructor(private readonly registry: Registry) {}

  /** Returns the sum of a counter's series; 0 if there is no such metric. */
  async sum(name: string, choice: Choice = everySeries): Promise<number> {
    const samples = await this.#samples(name);
    return samples.reduce((sum, { labels, value }) => (choice(labels) ? sum + value : sum), 0);
  }

  /** Returns a histogram, summed over its series. */
  async distribution(name: string, choice: Choice = everySeries): Promise<Distribution> {
    const byBound = new Map<number, number>();
    let count = 0;
    for (const { labels, value, metricName } of await this.#samples(name)) {
      if (!choice(labels)) continue;
      if (metricName === `${name}_count`) count += value;
      else if (typeof labels.le === 'number') byBound.set(labels.le, (byBound.get(labels.le) ?? 0) + value);
    }
    const bounds = [...byBound.keys()].sort((one, other) => one - other);
    return { bounds, counts: bounds.map((bound) => byBound.get(bound) ?? 0), count };
  }

  async #samples(name: string): Promise<readonly Sample[]> {
    const metric = this.registry.getSingleMetric(name);
    return metric === undefined ? [] : (await metric.get()).values;
  }
}

/**
 * Estimates a quantile of the observations since `before`, by linear interpolation between two bounds; it is the
 * highest bound for values above all of them. Undefined if nothing was observed.
 *
 * @param part the quantile, 0 to 1
 */
export function quantileSince(now: Distribution, before: Distribution, part: number): number | undefined {
  const count = now.count - before.count;
  if (count <= 0) return undefined;
  const wanted = part * count;
  let lowerBound = 0;
  let lowerCount = 0;
  for (const [index, bound] of now.bounds.entries()) {
    const seen = (now.counts[index] ?? 0) - (before.counts[index] ?? 0);
    if (seen >= wanted) {
      const share = seen === lowerCount ? 1 : (wanted - lowerCount) / (seen - lowerCount);
      return lowerBound + share * (bound - lowerBound);
    }
    [lowerBound, lowerCount] = [bound, seen];
  }
  return lowerBound;
}
