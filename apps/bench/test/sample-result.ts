import type {
  BenchResult,
  Experiment,
  Measurement,
  SubjectRole,
  Violation,
} from '../src/measuring/result.js';

export function aMeasurement(
  subject: string,
  role: SubjectRole,
  perSecond: readonly number[],
  violations: readonly Violation[] = [],
): Measurement {
  return {
    subject,
    role,
    repeats: perSecond.map((value) => ({ perSecond: value })),
    latencies: {},
    failures: {},
    violations,
    verifiedCount: perSecond.length,
  };
}

export function anExperiment(id: string, measurements: readonly Measurement[]): Experiment {
  return {
    id,
    scenario: 'numbers',
    title: 'a sample experiment',
    parallel: 1,
    processes: 1,
    lead: { metric: 'perSecond', unit: 'numbers/s', better: 'more' },
    measurements,
  };
}

export function aResult(experiments: readonly Experiment[]): BenchResult {
  return {
    kind: 'solegate-bench-result',
    date: '2026-01-02T03:04:05.000Z',
    commit: 'abc1234',
    tookMs: 1000,
    settings: { scenarios: ['numbers'], repeatCount: 5, seed: 1, quick: false, targets: [] },
    machine: {
      processor: 'Sample CPU',
      coreCount: 2,
      memoryGiB: 4,
      system: 'linux x64',
      node: '20.20.2',
      postgres: '18.4',
      redis: '7.0.15',
      packages: {},
    },
    experiments,
    figures: [],
  };
}
