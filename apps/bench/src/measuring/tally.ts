import type { Measurement, Metrics, SubjectRole, Verdict, Violation } from './result.js';

/** How many broken rules of one subject to keep; the first shows the problem, hundreds would bury it. */
const VIOLATIONS_MAX = 5;

/** The measurement of one subject while it grows, run by run. */
export class Tally implements Measurement {
  readonly repeats: Metrics[] = [];
  readonly violations: Violation[] = [];
  readonly latencies = {};
  readonly failures = {};
  verifiedCount = 0;

  constructor(
    readonly subject: string,
    readonly role: SubjectRole,
    repeats: readonly Metrics[] = [],
  ) {
    this.repeats.push(...repeats);
  }

  verified({ violations, verifiedCount }: Verdict): void {
    this.verifiedCount += verifiedCount;
    this.violations.push(...violations.slice(0, VIOLATIONS_MAX - this.violations.length));
  }
}
