/** Where a number comes from. `fastest` picks the best subject of a role by its median. */
export interface Point {
  readonly experiment: string;
  readonly subject: string | { readonly fastest: 'peer' };
  readonly metric: string;
}

/**
 * One "at least" that the bench holds a run against. A target with `against` is a ratio, taken repeat by repeat within
 * one run (machines differ, ratios hardly) and judged by its median; one without is an absolute value.
 */
export interface Target {
  readonly id: string;
  readonly text: string;
  readonly measured: Point;
  readonly against?: Point;
  readonly bound: { readonly atLeast: number } | { readonly atMost: number };
  readonly form: 'times' | 'fraction' | 'share' | 'ms' | 'count' | 'perAnswer';
  /** `worst`: every repeat must hold, not only the median. */
  readonly judge?: 'median' | 'worst';
}

const point = (experiment: string, subject: Point['subject'], metric: string): Point => ({
  experiment,
  subject,
  metric,
});

const fastestPeer = { fastest: 'peer' } as const;

const idTargets: readonly Target[] = [
  {
    id: 'ids.next',
    text: 'next() as bigint, against the fastest npm peer',
    measured: point('ids.bigint', 'solegate next()', 'perSecond'),
    against: point('ids.bigint', fastestPeer, 'perSecond'),
    bound: { atLeast: 5 },
    form: 'times',
  },
  {
    id: 'ids.batch',
    text: "batch into a typed array, against the fastest peer's single call",
    measured: point('ids.bigint', 'solegate fill()', 'perSecond'),
    against: point('ids.bigint', fastestPeer, 'perSecond'),
    bound: { atLeast: 30 },
    form: 'times',
  },
  {
    id: 'ids.crockford',
    text: 'Crockford-13 text, against tsid-ts',
    measured: point('ids.crockford', 'solegate', 'perSecond'),
    against: point('ids.crockford', 'tsid-ts', 'perSecond'),
    bound: { atLeast: 50 },
    form: 'times',
  },
  {
    id: 'ids.decimal',
    text: 'decimal text, against the fastest peer',
    measured: point('ids.decimal', 'solegate', 'perSecond'),
    against: point('ids.decimal', fastestPeer, 'perSecond'),
    bound: { atLeast: 2.5 },
    form: 'times',
  },
  {
    id: 'ids.ceiling.12',
    text: 'share of the 4,096,000/s that 12 sequence bits allow, held',
    measured: point('ids.ceiling', 'solegate 42/10/12', 'ceilingShare'),
    bound: { atLeast: 0.995 },
    form: 'share',
  },
  {
    id: 'ids.ceiling.13',
    text: 'share of the 8,192,000/s that 13 sequence bits allow, held',
    measured: point('ids.ceiling', 'solegate 41/10/13', 'ceilingShare'),
    bound: { atLeast: 0.95 },
    form: 'share',
  },
];

const leaseTargets: readonly Target[] = [
  {
    id: 'node-leases.claim',
    text: 'round trips of a claim with 1,023 of 1,024 nodes taken',
    measured: point('node-leases.claim', 'solegate', 'roundTrips'),
    bound: { atMost: 1 },
    form: 'count',
    judge: 'worst',
  },
  {
    id: 'node-leases.starters',
    text: '1,000 starters at once: time until all have a node, against the SETNX loop',
    measured: point('node-leases.starters', 'solegate', 'allMs'),
    against: point('node-leases.starters', 'seed: SETNX loop', 'allMs'),
    bound: { atMost: 1 / 20 },
    form: 'fraction',
  },
];

/** Throughput and p90 of one hot series in one shape of load. */
function hotSeries(shape: string, times: number, fraction: number): Target[] {
  const experiment = `numbers.hot.${shape}`;
  return [
    {
      id: `${experiment}.throughput`,
      text: `one hot series, ${shape}: numbers/s against the seed's code`,
      measured: point(experiment, 'solegate', 'perSecond'),
      against: point(experiment, "seed's code", 'perSecond'),
      bound: { atLeast: times },
      form: 'times',
    },
    {
      id: `${experiment}.p90`,
      text: `one hot series, ${shape}: p90 against the seed's code`,
      measured: point(experiment, 'solegate', 'p90Ms'),
      against: point(experiment, "seed's code", 'p90Ms'),
      bound: { atMost: 1 / fraction },
      form: 'fraction',
    },
  ];
}

/** A thousand callers: nobody fails, and the slow ones are fast. */
function thousandCallers(shape: string): Target[] {
  const experiment = `numbers.hot.${shape}`;
  return [
    {
      id: `${experiment}.failed`,
      text: `1,000 callers, ${shape}: failed calls`,
      measured: point(experiment, 'solegate', 'failedCount'),
      bound: { atMost: 0 },
      form: 'count',
      judge: 'worst',
    },
    {
      id: `${experiment}.p90`,
      text: `1,000 callers, ${shape}: p90 against the seed's code`,
      measured: point(experiment, 'solegate', 'p90Ms'),
      against: point(experiment, "seed's code", 'p90Ms'),
      bound: { atMost: 1 / 50 },
      form: 'fraction',
    },
  ];
}

function spreadCounters(shape: string, subject: string, times: number): Target {
  const experiment = `numbers.spread.${shape}`;
  return {
    id: `${experiment}.${subject === 'solegate' ? 'double-lock' : 'without-redis'}`,
    text: `100 counters, ${shape}, ${subject === 'solegate' ? 'double lock' : 'without Redis'}: numbers/s against upsert + ledger row`,
    measured: point(experiment, subject, 'perSecond'),
    against: point(experiment, 'upsert + ledger', 'perSecond'),
    bound: { atLeast: times },
    form: 'times',
  };
}

function writerTarget(shape: string, times: number): Target {
  const experiment = `numbers.writer.${shape}`;
  return {
    id: experiment,
    text: `document and number in one commit, ${shape}: documents/s against a transaction each`,
    measured: point(experiment, 'solegate writer', 'perSecond'),
    against: point(experiment, 'transaction a document', 'perSecond'),
    bound: { atLeast: times },
    form: 'times',
  };
}

const numberTargets: readonly Target[] = [
  ...hotSeries('1x100', 50, 100),
  ...hotSeries('4x25', 25, 60),
  ...thousandCallers('1x1000'),
  ...thousandCallers('4x250'),
  spreadCounters('1x100', 'solegate', 1.8),
  spreadCounters('4x25', 'solegate', 1.8),
  spreadCounters('1x100', 'solegate without Redis', 3),
  spreadCounters('4x25', 'solegate without Redis', 3),
  writerTarget('1x100', 25),
  writerTarget('4x25', 15),
  {
    id: 'numbers.alone',
    text: "one caller alone: numbers/s against the seed's code",
    measured: point('numbers.hot.1x1', 'solegate', 'perSecond'),
    against: point('numbers.hot.1x1', "seed's code", 'perSecond'),
    bound: { atLeast: 1.8 },
    form: 'times',
  },
  {
    id: 'numbers.flushes',
    text: 'WAL flushes per number at 100 callers',
    measured: point('numbers.flushes', 'solegate', 'walFlushesPerNumber'),
    bound: { atMost: 0.02 },
    form: 'perAnswer',
  },
  {
    id: 'numbers.import',
    text: 'import of 100,000 numbers: time against a bulk INSERT',
    measured: point('numbers.import', 'solegate', 'allMs'),
    against: point('numbers.import', 'bulk INSERT', 'allMs'),
    bound: { atMost: 4 },
    form: 'times',
  },
  {
    id: 'numbers.reconcile',
    text: 'reconcile over 1,000,000 ledger rows: time against one gap query',
    measured: point('numbers.reconcile', 'solegate', 'allMs'),
    against: point('numbers.reconcile', 'gap query', 'allMs'),
    bound: { atMost: 2.5 },
    form: 'times',
  },
];

function tripRequests(shape: string, processes: number, times: number): Target {
  const experiment = `trips.${shape}.p${processes}`;
  return {
    id: `${experiment}.requests`,
    text: `${shape.replace('x', ' trip × ')} drivers, ${processes === 1 ? '1 process' : `${processes} processes`}: requests/s against the seed's flow`,
    measured: point(experiment, 'solegate', 'perSecond'),
    against: point(experiment, "seed's flow", 'perSecond'),
    bound: { atLeast: times },
    form: 'times',
  };
}

function wideTrips(processes: number, times: number): Target[] {
  const experiment = `trips.1000x20.p${processes}`;
  const shape = `1,000 trips × 20 drivers, ${processes === 1 ? '1 process' : `${processes} processes`}`;
  return [
    {
      id: `${experiment}.accepts`,
      text: `${shape}: accepts/s against the seed's flow`,
      measured: point(experiment, 'solegate', 'acceptsPerSecond'),
      against: point(experiment, "seed's flow", 'acceptsPerSecond'),
      bound: { atLeast: times },
      form: 'times',
    },
    {
      id: `${experiment}.winner`,
      text: `${shape}: the winner's p50 against the seed's flow`,
      measured: point(experiment, 'solegate', 'winnerP50Ms'),
      against: point(experiment, "seed's flow", 'winnerP50Ms'),
      bound: { atMost: 1 / 4 },
      form: 'fraction',
    },
  ];
}

const tripTargets: readonly Target[] = [
  tripRequests('1x100', 1, 1.2),
  tripRequests('1x1000', 1, 2.5),
  tripRequests('1x100', 4, 1.3),
  tripRequests('1x1000', 4, 3),
  ...wideTrips(1, 2),
  ...wideTrips(4, 1.5),
  {
    id: 'trips.loser.sql',
    text: 'SQL statements per loser, 1 trip × 1,000 drivers',
    measured: point('trips.1x1000.p1', 'solegate', 'sqlPerLoser'),
    bound: { atMost: 0 },
    form: 'perAnswer',
  },
  {
    id: 'trips.accept.sql',
    text: 'SQL statements per accept, 1,000 trips × 20 drivers',
    measured: point('trips.1000x20.p1', 'solegate', 'sqlPerAccept'),
    bound: { atMost: 0.2 },
    form: 'perAnswer',
  },
];

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
];

/** Every figure that the project promises, in the order in which it is printed. */
export const targets: readonly Target[] = [
  ...idTargets,
  ...leaseTargets,
  ...numberTargets,
  ...tripTargets,
  ...gatewayTargets,
];
