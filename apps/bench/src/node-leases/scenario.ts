import type { Scenario } from '../running/scenario.js';
import { targets } from './targets.js';

export const nodeLeases: Scenario = {
  name: 'node-leases',
  title: 'Node leases',
  run: async (context) => (await import('./run-node-leases.js')).runNodeLeases(context),
  targets,
};
