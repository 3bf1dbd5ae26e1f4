import { compared, point, type Target } from '../figures/target.js';

/** Targets for how a process gets its node. */
export const targets: readonly Target[] = [
  {
    id: 'node-leases.claim',
    text: 'round trips of a claim with 1,023 of 1,024 nodes taken',
    measured: point('node-leases.claim', 'solegate', 'roundTrips'),
    bound: { atMost: 1 },
    form: 'count',
    judge: 'worst',
  },
  compared(
    'node-leases.starters',
    '1,000 starters at once: time until all have a node, against the SETNX loop',
    { experiment: 'node-leases.starters', than: 'original design: SETNX loop', metric: 'allMs' },
    { atMost: 1 / 20 },
  ),
];
