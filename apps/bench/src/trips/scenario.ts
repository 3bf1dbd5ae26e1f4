import type { Scenario } from '../running/scenario.js';
import { targets } from './targets.js';

export const trips: Scenario = {
  name: 'trips',
  title: 'Trips',
  run: async (context) => (await import('./run-trips.js')).runTrips(context),
  targets,
  remote: { request: 'accept', title: 'drivers of one trip over GraphQL' },
};
