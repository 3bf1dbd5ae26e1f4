import type { Experiment } from '../measuring/result.js';
import type { RandomSource } from '../measuring/seeded-random.js';
import type { Progress } from './progress.js';
import type { RunSettings } from './run-settings.js';
import type { BenchStores } from './stores.js';

/** What every scenario gets. */
export interface ScenarioContext {
  readonly settings: RunSettings;
  readonly stores: BenchStores;
  readonly progress: Progress;
  readonly random: RandomSource;
}

export type RunScenario = (context: ScenarioContext) => Promise<Experiment[]>;
