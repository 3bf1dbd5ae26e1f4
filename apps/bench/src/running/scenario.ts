import type { Target } from '../figures/target.js';
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

/** One scenario: everything that the rest of the bench knows of it. Its folder holds the work. */
export interface Scenario {
  /** On the command line, in results, and as the beginning of its experiments' and targets' names. */
  readonly name: string;
  /** Over its section of the page. */
  readonly title: string;
  /** Loads its modules first: whoever wants IDs does not wait for Mercurius. */
  run(context: ScenarioContext): Promise<Experiment[]>;
  readonly targets: readonly Target[];
  /** Its form against running gateways, when its promise can be seen from outside. */
  readonly remote?: RemoteForm;
  /** One picture of the throughput of all experiments whose names begin so, over the number of callers. */
  readonly scaling?: { readonly experiments: string; readonly title: string; readonly note: string };
}

interface RemoteForm {
  readonly request: 'mint' | 'issue' | 'accept';
  readonly title: string;
  /** Requests arrive at a constant rate, as from users who do not wait for a turn. Default: a closed loop. */
  readonly isOpenLoop?: boolean;
}
