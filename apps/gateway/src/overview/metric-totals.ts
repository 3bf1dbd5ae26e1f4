import type { Registry } from 'prom-client';

/** A histogram so far: values at most `bound`, for each bound, and all of them. */
export interface Distribution {
  readonly bounds: readonly number[];
  readonly counts: readonly number[];
  readonly count: number;
}

type Labels = Readonly<Partial<Record<string, string | number>>>;
/** Which series of a metric count. */
type Choice = (labels: Labels) => boolean;

interface Sample {
  readonly labels: Labels;
  readonly value: number;
  readonly metricName?: string;
}

const everySeries: Choice = () => true;

/** Reads back what the metrics of this process have counted, so that nothing is counted twice. */
export class MetricTotals {
  constructor(private readonly registry: Registry) {}

  /** The sum of a counter's series; 0 for a metric that there is not. */
  async sum(name: string, choice: Choice = everySeries): Promise<number> {
    const samples = await this.#samples(name);
    return samples.reduce((sum, { labels, value }) => (choice(labels) ? sum + value : sum), 0);
  }

  /** A histogram, its series added up. */
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
 * The value that a part of the observations since `before` stayed below, straight between two bounds; the highest bound
 * for what lies above all. Undefined when nothing was observed.
 *
 * @param part 0 to 1
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
