import { compared, point, type Target } from '../figures/target.js';

const trivial = (subject: string, than: string, metric = 'perSecond') => ({
  experiment: 'gateway.trivial',
  subject,
  than,
  metric,
});

/** Rates at which documents are created, a second. */
export const DOCUMENTS_PER_SECOND = [50, 20];

const created = (ratePerSecond: number): Target[] => {
  const experiment = `gateway.create.${ratePerSecond}`;
  const text = `GraphQL createCorrespondence, ${ratePerSecond} a second`;
  return [
    {
      id: `${experiment}.failed`,
      text: `${text}: failed`,
      measured: point(experiment, 'solegate', 'failedCount'),
      bound: { atMost: 0 },
      form: 'count',
    },
    {
      id: `${experiment}.p90`,
      text: `${text}: p90`,
      measured: point(experiment, 'solegate', 'p90Ms'),
      bound: { atMost: 100 },
      form: 'ms',
    },
  ];
};

/** Targets over GraphQL, and for the gateway's own overhead. */
export const targets: readonly Target[] = [
  {
    id: 'gateway.issue.p90',
    text: 'GraphQL issueDocumentNumber, 100 parallel over loopback: p90',
    measured: point('gateway.issue', 'solegate', 'p90Ms'),
    bound: { atMost: 50 },
    form: 'ms',
  },
  compared(
    'gateway.issue.original',
    'GraphQL issueDocumentNumber: p90 against a gateway of the original design',
    { experiment: 'gateway.issue', than: 'gateway of the original design', metric: 'p90Ms' },
    { atMost: 1 / 10 },
  ),
  ...DOCUMENTS_PER_SECOND.flatMap(created),
  compared(
    'gateway.same-duties',
    'a trivial mutation: requests/s against Mercurius with the same duties',
    trivial('solegate', 'mercurius with the same duties'),
    { atLeast: 1 },
  ),
  compared(
    'gateway.demo',
    'a trivial mutation: processor time against Mercurius with the same duties',
    trivial('solegate', 'mercurius with the same duties', 'processorUs'),
    { atMost: 1 },
  ),
  compared(
    'gateway.production',
    'a trivial mutation with JWT and a rate limit: processor time against Mercurius with both and the same duties',
    trivial('solegate in production', 'mercurius with duties, JWT and a rate limit', 'processorUs'),
    { atMost: 1 },
  ),
  compared(
    'gateway.production-cost',
    'a trivial mutation: processor time with JWT and a rate limit against demo mode',
    trivial('solegate in production', 'solegate', 'processorUs'),
    { atMost: 1.15 },
  ),
  compared(
    'gateway.trusted',
    'a trivial mutation by a trusted document: requests/s against Mercurius without duties',
    trivial('solegate, trusted document', 'mercurius'),
    { atLeast: 0.75 },
  ),
];
