/** Quantiles of a latency distribution in milliseconds, and its curve for charts. */
export interface LatencySummary {
  readonly count: number;
  readonly p50Ms: number;
  readonly p90Ms: number;
  readonly p99Ms: number;
  readonly maxMs: number;
  /** `[share below, milliseconds]`, from the fastest to the slowest. */
  readonly curve: readonly (readonly [number, number])[];
}

const CURVE_SHARES = [0, 0.1, 0.25, 0.5, 0.75, 0.9, 0.95, 0.99, 0.995, 0.999, 0.9999, 1];

/** The distribution of these latencies, to the microsecond; all zero for none. */
export function latencySummary(latenciesMs: readonly number[]): LatencySummary {
  const sorted = Float64Array.from(latenciesMs).sort();
  const at = (share: number): number => {
    const rank = Math.max(1, Math.ceil(share * sorted.length));
    return Math.round((sorted[rank - 1] ?? 0) * 1000) / 1000;
  };
  return {
    count: sorted.length,
    p50Ms: at(0.5),
    p90Ms: at(0.9),
    p99Ms: at(0.99),
    maxMs: at(1),
    curve: CURVE_SHARES.map((share) => [share, at(share)] as const),
  };
}
