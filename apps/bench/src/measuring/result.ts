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

/** One subject in one experiment. */
export interface Measurement extends Verdict {
  readonly subject: string;
  readonly role: SubjectRole;
  readonly repeats: readonly Metrics[];
  /** Distribution over all repeats, by kind of answer (issued, won, lost …). */
  readonly latencies: Readonly<Record<string, LatencySummary>>;
  /** Failed calls by error code, over all repeats. */
  readonly failures: Readonly<Record<string, number>>;
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

/** What was asked of a run, with defaults applied: enough to repeat it. */
export interface BenchSettings {
  readonly scenarios: readonly string[];
  /** Of the numbers, the trips and the gateway, only experiments whose names begin with this. */
  readonly only?: string;
  /** Concurrent callers; absent: each experiment's own shapes, which the figures need. */
  readonly parallel?: number;
  readonly processes?: number;
  /** Length of one measured run; absent: each experiment's own. */
  readonly durationMs?: number;
  /** Open loop at this rate; absent: closed loop. */
  readonly ratePerSecond?: number;
  readonly repeatCount: number;
  readonly seed: number;
  /** A short run for CI: fewer repeats, shorter runs, only the subjects that the figures need. */
  readonly quick: boolean;
  /** Running gateways that receive the load; empty: run locally. */
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
