import type { Scenario } from '../running/scenario.js';

export const faults: Scenario = {
  name: 'faults',
  title: 'Under faults',
  run: async (context) => (await import('./run-faults.js')).runFaults(context),
  targets: [],
};
