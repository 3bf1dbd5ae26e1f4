import { Dice } from '@solegate/testkit';
import type { Experiment, Violation } from '../src/measuring/result.js';
import type { Progress } from '../src/running/progress.js';
import type { RunSettings } from '../src/running/run-settings.js';
import type { ScenarioContext } from '../src/running/scenario.js';
import type { BenchStores } from '../src/running/stores.js';

export const silentProgress: Progress = {
  begin: () => undefined,
  step: () => undefined,
  end: () => undefined,
};

/** The smallest run that still executes and verifies a scenario; its speeds mean nothing. */
export function tinySettings(overrides: Partial<RunSettings> = {}): RunSettings {
  return {
    scenarios: ['numbers'],
    parallel: 20,
    processes: 2,
    durationMs: 150,
    repeatCount: 1,
    seed: 1,
    quick: true,
    targets: [],
    headers: {},
    sabotage: new Set(),
    ...overrides,
  };
}

export function tinyContext(stores: BenchStores, overrides: Partial<RunSettings> = {}): ScenarioContext {
  return { settings: tinySettings(overrides), stores, progress: silentProgress, dice: new Dice(1) };
}

/** The same for the experiments whose names begin with `only`, in their own shapes of load. */
export function tinyContextOf(
  stores: BenchStores,
  only: string,
  overrides: Partial<RunSettings> = {},
): ScenarioContext {
  const { parallel: _parallel, processes: _processes, ...settings } = tinySettings({ only, ...overrides });
  return { ...tinyContext(stores), settings };
}

/** The rules that Solegate's own subjects broke. */
export function brokenRules(experiments: readonly Experiment[]): Violation['rule'][] {
  return experiments.flatMap(({ measurements }) =>
    measurements
      .filter(({ role }) => role === 'solegate')
      .flatMap(({ violations }) => violations.map(({ rule }) => rule)),
  );
}

export function verifiedCount(experiments: readonly Experiment[]): number {
  return experiments
    .flatMap(({ measurements }) => measurements)
    .filter(({ role }) => role === 'solegate')
    .reduce((total, measurement) => total + measurement.verifiedCount, 0);
}

/** The same stores with a unique name for each database, so that several runs can share one server. */
export function withFreshNames(stores: BenchStores): BenchStores {
  let count = 0;
  return {
    ...stores,
    createDatabase: (name) => {
      count += 1;
      return stores.createDatabase(`${name}_${count}_${Date.now()}`);
    },
  };
}
