import { idTargets, leaseTargets } from './id-targets.js';
import { numberTargets } from './number-targets.js';
import { point, type Target } from './target.js';
import { tripTargets } from './trip-targets.js';

const gatewayTargets: readonly Target[] = [
  {
    id: 'gateway.issue.p90',
    text: 'GraphQL issueDocumentNumber, 100 parallel over loopback: p90',
    measured: point('gateway.issue', 'solegate', 'p90Ms'),
    bound: { atMost: 100 },
    form: 'ms',
  },
  {
    id: 'gateway.issue.seed',
    text: "GraphQL issueDocumentNumber: p90 against a gateway running the seed's code",
    measured: point('gateway.issue', 'solegate', 'p90Ms'),
    against: point('gateway.issue', "gateway with the seed's code", 'p90Ms'),
    bound: { atMost: 1 / 10 },
    form: 'fraction',
  },
  {
    id: 'gateway.own-cost',
    text: 'a trivial mutation: requests/s against Mercurius with the same schema (1x is the aim)',
    measured: point('gateway.trivial', 'solegate', 'perSecond'),
    against: point('gateway.trivial', 'mercurius', 'perSecond'),
    bound: { atLeast: 0.45 },
    form: 'times',
  },
  {
    id: 'gateway.same-duties',
    text: 'a trivial mutation: requests/s against Mercurius with the same duties',
    measured: point('gateway.trivial', 'solegate', 'perSecond'),
    against: point('gateway.trivial', 'mercurius with the same duties', 'perSecond'),
    bound: { atLeast: 1 },
    form: 'times',
  },
  {
    id: 'gateway.trusted',
    text: 'a trivial mutation by a trusted document: requests/s against Mercurius without duties',
    measured: point('gateway.trivial', 'solegate, trusted document', 'perSecond'),
    against: point('gateway.trivial', 'mercurius', 'perSecond'),
    bound: { atLeast: 0.75 },
    form: 'times',
  },
];

/** Every figure that the project promises, in the order in which it is printed. */
export const targets: readonly Target[] = [
  ...idTargets,
  ...leaseTargets,
  ...numberTargets,
  ...tripTargets,
  ...gatewayTargets,
];
