import type { Dice } from '@solegate/testkit';
import type { Target } from '../figures/target.js';
import type { Experiment } from '../measuring/result.js';
import type { Progress } from './progress.js';
import type { RunSettings } from './run-settings.js';
import type { BenchStores } from './stores.js';

/** The context of every scenario. */
export interface ScenarioContext {
  readonly settings: RunSettings;
  readonly stores: BenchStores;
  readonly progress: Progress;
  /** From the printed seed, so that a surprising run can be repeated. */
  readonly dice: Dice;
}

/** One scenario, as seen by the rest of the bench. A folder of its own contains the implementation. */
export interface Scenario {
  /** Used on the command line, in results, and as the prefix of its experiments' and targets' names. */
  readonly name: string;
  /** Heading of its section of the page. */
  readonly title: string;
  /** Loads its modules on demand: a run of `ids` does not load Mercurius. */
  run(context: ScenarioContext): Promise<Experiment[]>;
  readonly targets: readonly Target[];
  /** Its form against running gateways, if its promise can be checked from outside. */
  readonly remote?: RemoteForm;
  /** A chart of throughput over the number of callers, for all experiments with this prefix. */
  readonly scaling?: { readonly experiments: string; readonly title: string; readonly note: string };
}

interface RemoteForm {
  readonly request: 'mint' | 'issue' | 'accept';
  readonly title: string;
  /** Requests arrive at a constant rate, as from independent users. Default: a closed loop. */
  readonly isOpenLoop?: boolean;
}
