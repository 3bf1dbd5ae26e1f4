import type { Scenario } from '../running/scenario.js';
import { targets } from './targets.js';

export const gateway: Scenario = {
  name: 'gateway',
  title: 'Over GraphQL',
  run: async (context) => (await import('./run-gateway.js')).runGateway(context),
  targets,
  remote: { request: 'issue', title: 'numbers over GraphQL', isOpenLoop: true },
};
