import type { Scenario } from '../running/scenario.js';
import { targets } from './targets.js';

export const ids: Scenario = {
  name: 'ids',
  title: 'IDs',
  run: async (context) => (await import('./run-ids.js')).runIds(context),
  targets,
  remote: { request: 'mint', title: 'IDs over GraphQL' },
};
