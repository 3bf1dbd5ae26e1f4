import { point, type Target } from '../figures/target.js';

type What = 'hot' | 'spread' | 'writer';

const WORDS = {
  hot: 'one hot series',
  spread: '100 counters',
  writer: 'document and number in one commit',
} as const;

/** Redis reduces contention, so it must never cost more than noise. */
function withRedis(what: What, shape: string): Target {
  const experiment = `numbers.${what}.${shape}`;
  const subject = what === 'writer' ? 'solegate writer' : 'solegate';
  return {
    id: `${experiment}.redis`,
    text: `${WORDS[what]}, ${shape}: numbers/s with Redis against without`,
    measured: point(experiment, subject, 'perSecond'),
    against: point(experiment, `${subject} without Redis`, 'perSecond'),
    bound: { atLeast: 0.95 },
    form: 'times',
  };
}

/** Targets for throughput and p90 of one hot series in one shape of load. */
function hotSeries(shape: string, times: number): Target[] {
  const experiment = `numbers.hot.${shape}`;
  return [
    {
      id: `${experiment}.throughput`,
      text: `one hot series, ${shape}: numbers/s against the original design`,
      measured: point(experiment, 'solegate', 'perSecond'),
      against: point(experiment, 'original design', 'perSecond'),
      bound: { atLeast: times },
      form: 'times',
    },
    {
      id: `${experiment}.p90`,
      text: `one hot series, ${shape}: p90 against the original design`,
      measured: point(experiment, 'solegate', 'p90Ms'),
      against: point(experiment, 'original design', 'p90Ms'),
      bound: { atMost: 1 / 100 },
      form: 'fraction',
    },
  ];
}

/** Targets for a thousand callers: no call fails, and even the slow ones are fast. */
function thousandCallers(shape: string): Target[] {
  const [, p90] = hotSeries(shape, 0);
  return [
    {
      id: `numbers.hot.${shape}.failed`,
      text: `1,000 callers, ${shape}: failed calls`,
      measured: point(`numbers.hot.${shape}`, 'solegate', 'failedCount'),
      bound: { atMost: 0 },
      form: 'count',
      judge: 'worst',
    },
    ...(p90 === undefined ? [] : [p90]),
  ];
}

function spreadCounters(shape: string, times: number): Target {
  const experiment = `numbers.spread.${shape}`;
  return {
    id: `${experiment}.throughput`,
    text: `100 counters, ${shape}: numbers/s against upsert + ledger row`,
    measured: point(experiment, 'solegate', 'perSecond'),
    against: point(experiment, 'upsert + ledger', 'perSecond'),
    bound: { atLeast: times },
    form: 'times',
  };
}

function spreadTail(shape: string): Target {
  const experiment = `numbers.spread.${shape}`;
  return {
    id: `${experiment}.p99`,
    text: `100 counters, ${shape}: p99 against upsert + ledger row`,
    measured: point(experiment, 'solegate', 'p99Ms'),
    against: point(experiment, 'upsert + ledger', 'p99Ms'),
    bound: { atMost: 1 },
    form: 'times',
  };
}

function writer(shape: string, times: number): Target {
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

function alone(than: string, times: number): Target {
  return {
    id: `numbers.alone.${than === 'original design' ? 'original' : 'upsert'}`,
    text: `one caller alone: numbers/s against ${than}`,
    measured: point('numbers.hot.1x1', 'solegate', 'perSecond'),
    against: point('numbers.hot.1x1', than, 'perSecond'),
    bound: { atLeast: times },
    form: 'times',
  };
}

const SHAPES = ['1x1', '1x100', '4x25', '16x25'] as const;

/** Targets for document numbers: in one series, over many, with documents, in bulk. */
export const targets: readonly Target[] = [
  ...(['hot', 'spread', 'writer'] as const).flatMap((what) => SHAPES.map((shape) => withRedis(what, shape))),
  ...hotSeries('1x100', 50),
  ...hotSeries('4x25', 40),
  ...hotSeries('16x25', 45),
  ...thousandCallers('1x1000'),
  ...thousandCallers('4x250'),
  spreadCounters('1x100', 2),
  spreadCounters('4x25', 1.5),
  spreadCounters('16x25', 1.5),
  spreadTail('4x25'),
  spreadTail('16x25'),
  alone('upsert + ledger', 0.7),
  alone('original design', 3),
  writer('1x100', 18),
  writer('4x25', 12),
  {
    id: 'numbers.held-row',
    text: "100 counters, 4x25, somebody holds another counter's row: numbers/s against undisturbed",
    measured: point('numbers.spread.4x25', 'solegate, one row held', 'perSecond'),
    against: point('numbers.spread.4x25', 'solegate', 'perSecond'),
    bound: { atLeast: 0.9 },
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
    bound: { atMost: 1 },
    form: 'times',
  },
];
