import type { LatencySummary } from './latency.js';
import type { MachineFacts } from './machine.js';
import type { Timing } from './timing.js';

/** Kind of subject: ours, an earlier algorithm of the project, an option it rejected, a package, a bound. */
export type SubjectRole = 'solegate' | 'original' | 'rejected' | 'peer' | 'floor';

/** Numbers of one repeat by metric: `perSecond`, `p50Ms`, `p90Ms`, `p99Ms`, `failedCount`, `nsPerId` … */
export type Metrics = Readonly<Record<string, number>>;

/** A broken guarantee with the smallest evidence that shows it. */
export interface Violation {
  readonly rule:
    | 'unique'
    | 'gapless'
    | 'ordered'
    | 'one winner'
    | 'answer = stored'
    | 'ledger = counter'
    | 'answered';
  readonly witness: string;
}

/** What verification found in the answers of one run. */
export interface Verdict {
  readonly violations: readonly Violation[];
  /** How many answers were checked against the stores. */
  readonly verifiedCount: number;
}

/** What users saw in a slice of time, over all workers; milliseconds since the load began. */
export interface TimelinePoint {
  readonly atMs: number;
  readonly perSecond: number;
  readonly failed: number;
  readonly slowestMs: number;
}

/** A fault that was caused while load ran; milliseconds since the load began. */
export interface FaultMark {
  readonly atMs: number;
  readonly text: string;
}

/** One subject in one experiment. */
export interface Measurement extends Verdict {
  readonly subject: string;
  readonly role: SubjectRole;
  readonly repeats: readonly Metrics[];
  /** Distribution over all repeats, by kind of answer (issued, won, lost …). */
  readonly latencies: Readonly<Record<string, LatencySummary>>;
  /** Failed calls by error code, over all repeats. */
  readonly failures: Readonly<Record<string, number>>;
  readonly timeline?: readonly TimelinePoint[];
  readonly faults?: readonly FaultMark[];
}

/** Subjects under one shape of load. */
export interface Experiment {
  /** `numbers.hot.4x25`: scenario, what, shape. */
  readonly id: string;
  readonly scenario: string;
  readonly title: string;
  readonly parallel: number;
  readonly processes: number;
  /** The metric that tables and charts lead with, and whether more of it is better. */
  readonly lead: { readonly metric: string; readonly unit: string; readonly better: 'more' | 'less' };
  /** Absent if work is timed from its first request to its last, like a burst or an import. */
  readonly timing?: Timing;
  readonly measurements: readonly Measurement[];
}

/** A target of the bench with its measured value. */
export interface Figure {
  readonly id: string;
  readonly text: string;
  /** Printable, with its unit: `71x`, `1/132`, `2.1 ms`. */
  readonly value: string;
  readonly bound: string;
  readonly met: boolean;
  /** Smallest and largest over the repeats, printable. */
  readonly range: string;
  /** A side was warmed or timed for less time than `timing.ts` demands. */
  readonly cold?: true;
}

/** Lower bounds of this machine that no code can beat. */
export interface Floors {
  /** Absent with `--target`, where the stores are not accessible. */
  readonly redisRoundTripMs?: number;
  readonly walFlushMs?: number;
  readonly emptyAsyncCallNs: number;
}

interface BenchSettings {
  readonly scenarios: readonly string[];
  readonly only?: string;
  readonly parallel?: number;
  readonly processes?: number;
  readonly durationMs?: number;
  readonly ratePerSecond?: number;
  readonly repeatCount: number;
  readonly seed: number;
  readonly quick: boolean;
  readonly targets: readonly string[];
}

/** The result of one run. */
export interface BenchResult {
  readonly kind: 'solegate-bench-result';
  /** ISO 8601, UTC. */
  readonly date: string;
  readonly commit: string;
  readonly tookMs: number;
  readonly settings: BenchSettings;
  readonly machine: MachineFacts;
  readonly floors: Floors;
  readonly experiments: readonly Experiment[];
  readonly figures: readonly Figure[];
}

/** Violations that fail a run: those of Solegate itself. Others are only shown, since they are why Solegate exists. */
export function decisiveViolations(result: Pick<BenchResult, 'experiments'>): string[] {
  return result.experiments.flatMap((experiment) =>
    experiment.measurements
      .filter((measurement) => measurement.role === 'solegate')
      .flatMap((measurement) =>
        measurement.violations.map(
          ({ rule, witness }) => `${experiment.id} · ${measurement.subject}: ${rule}: ${witness}`,
        ),
      ),
  );
}
