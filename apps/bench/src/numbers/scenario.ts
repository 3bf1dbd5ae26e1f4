import type { Scenario } from '../running/scenario.js';
import { targets } from './targets.js';

export const numbers: Scenario = {
  name: 'numbers',
  title: 'Document numbers',
  run: async (context) => (await import('./run-numbers.js')).runNumbers(context),
  targets,
  remote: { request: 'issue', title: 'numbers of one hot series over GraphQL' },
  scaling: {
    experiments: 'numbers.hot.',
    title: 'One hot series over parallel callers',
    note: 'numbers/s over callers at once, both logarithmic',
  },
};
