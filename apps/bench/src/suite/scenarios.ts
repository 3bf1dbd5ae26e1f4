import { targets as gatewayTargets } from '../gateway/targets.js';
import { targets as idTargets } from '../ids/targets.js';
import { targets as nodeLeaseTargets } from '../node-leases/targets.js';
import { targets as numberTargets } from '../numbers/targets.js';
import type { Scenario } from '../running/scenario.js';
import { targets as tripTargets } from '../trips/targets.js';

/** All scenarios, in the order in which they run and are printed. Each loads its modules when it runs. */
export const scenarios: readonly Scenario[] = [
  {
    name: 'ids',
    title: 'IDs',
    run: async (context) => (await import('../ids/run-ids.js')).runIds(context),
    targets: idTargets,
    remote: { request: 'mint', title: 'IDs over GraphQL' },
  },
  {
    name: 'node-leases',
    title: 'Node leases',
    run: async (context) => (await import('../node-leases/run-node-leases.js')).runNodeLeases(context),
    targets: nodeLeaseTargets,
  },
  {
    name: 'numbers',
    title: 'Document numbers',
    run: async (context) => (await import('../numbers/run-numbers.js')).runNumbers(context),
    targets: numberTargets,
    remote: { request: 'issue', title: 'numbers of one hot series over GraphQL' },
    scaling: {
      experiments: 'numbers.hot.',
      title: 'One hot series over parallel callers',
      note: 'numbers/s over callers at once, both logarithmic',
    },
  },
  {
    name: 'trips',
    title: 'Trips',
    run: async (context) => (await import('../trips/run-trips.js')).runTrips(context),
    targets: tripTargets,
    remote: { request: 'accept', title: 'drivers of one trip over GraphQL' },
  },
  {
    name: 'gateway',
    title: 'Over GraphQL',
    run: async (context) => (await import('../gateway/run-gateway.js')).runGateway(context),
    targets: gatewayTargets,
    remote: { request: 'issue', title: 'numbers over GraphQL', isOpenLoop: true },
  },
];

/** Their names, for messages. */
export const scenarioNames: readonly string[] = scenarios.map(({ name }) => name);

/** All figures that the project promises. */
export const targets = scenarios.flatMap((scenario) => scenario.targets);
