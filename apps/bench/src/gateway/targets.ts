import { point, type Target } from '../figures/target.js';

/** Targets over GraphQL, and for the gateway's own overhead. */
export const targets: readonly Target[] = [
  {
    id: 'gateway.issue.p90',
    text: 'GraphQL issueDocumentNumber, 100 parallel over loopback: p90',
    measured: point('gateway.issue', 'solegate', 'p90Ms'),
    bound: { atMost: 50 },
    form: 'ms',
  },
  {
    id: 'gateway.issue.original',
    text: 'GraphQL issueDocumentNumber: p90 against a gateway of the original design',
    measured: point('gateway.issue', 'solegate', 'p90Ms'),
    against: point('gateway.issue', 'gateway of the original design', 'p90Ms'),
    bound: { atMost: 1 / 10 },
    form: 'fraction',
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
    id: 'gateway.production',
    text: 'a trivial mutation with JWT and a rate limit: processor time against Mercurius with both and the same duties',
    measured: point('gateway.trivial', 'solegate in production', 'processorUs'),
    against: point('gateway.trivial', 'mercurius with duties, JWT and a rate limit', 'processorUs'),
    bound: { atMost: 1 },
    form: 'times',
  },
  {
    id: 'gateway.production-cost',
    text: 'a trivial mutation: processor time with JWT and a rate limit against demo mode',
    measured: point('gateway.trivial', 'solegate in production', 'processorUs'),
    against: point('gateway.trivial', 'solegate', 'processorUs'),
    bound: { atMost: 1.15 },
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
