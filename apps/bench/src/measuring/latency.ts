import {
  build,
  decodeFromCompressedBase64,
  encodeIntoCompressedBase64,
  type Histogram,
} from 'hdr-histogram-js';

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
const MICROSECONDS_MAX = 3_600_000_000;

/**
 * Latencies of one run: a histogram of microseconds with three significant digits. A minute of a hundred thousand calls
 * per second takes a few kilobytes, and merging workers loses nothing.
 */
export class LatencyHistogram {
  readonly #histogram: Histogram;

  private constructor(histogram: Histogram) {
    this.#histogram = histogram;
  }

  /** A histogram of these calls. */
  static of(latenciesMs: readonly number[]): LatencyHistogram {
    const histogram = empty();
    for (const latencyMs of latenciesMs) {
      histogram.recordValue(Math.min(MICROSECONDS_MAX, Math.max(1, Math.round(latencyMs * 1000))));
    }
    return new LatencyHistogram(histogram);
  }

  /** A histogram of all calls of the encoded histograms. */
  static merged(encoded: readonly string[]): LatencyHistogram {
    const histogram = empty();
    for (const text of encoded) histogram.add(decodeFromCompressedBase64(text));
    return new LatencyHistogram(histogram);
  }

  /** Encodes it as text, to send to another process or store in a result file. */
  encoded(): string {
    return encodeIntoCompressedBase64(this.#histogram);
  }

  summary(): LatencySummary {
    const at = (share: number): number => this.#histogram.getValueAtPercentile(share * 100) / 1000;
    return {
      count: this.#histogram.totalCount,
      p50Ms: at(0.5),
      p90Ms: at(0.9),
      p99Ms: at(0.99),
      maxMs: this.#histogram.maxValue / 1000,
      curve: CURVE_SHARES.map((share) => [share, at(share)] as const),
    };
  }
}

function empty(): Histogram {
  return build({
    bitBucketSize: 64,
    lowestDiscernibleValue: 1,
    highestTrackableValue: MICROSECONDS_MAX,
    numberOfSignificantValueDigits: 3,
  });
}
