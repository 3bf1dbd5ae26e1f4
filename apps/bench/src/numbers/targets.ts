import { compared, point, type Target } from '../figures/target.js';

const SHAPES = ['1x1', '1x100', '4x25', '16x25'] as const;

const WORDS = {
  hot: 'one hot series',
  spread: '100 counters',
  writer: 'document and number in one commit',
} as const;

/** What numbers of one series and over many counters are compared with. */
const RIVALS = {
  hot: { than: 'original design', words: 'the original design' },
  spread: { than: 'upsert + ledger', words: 'upsert + ledger row' },
} as const;

/** Redis reduces contention, so it must never cost more than noise. */
function withRedis(what: keyof typeof WORDS, shape: string): Target {
  const experiment = `numbers.${what}.${shape}`;
  const subject = what === 'writer' ? 'solegate writer' : 'solegate';
  const text = `${WORDS[what]}, ${shape}: numbers/s with Redis against without`;
  const than = `${subject} without Redis`;
  return compared(`${experiment}.redis`, text, { experiment, subject, than }, { atLeast: 0.95 });
}

function rate(what: keyof typeof RIVALS, shape: string, times: number): Target {
  const experiment = `numbers.${what}.${shape}`;
  const { than, words } = RIVALS[what];
  const text = `${WORDS[what]}, ${shape}: numbers/s against ${words}`;
  return compared(`${experiment}.throughput`, text, { experiment, than }, { atLeast: times });
}

function tail(what: keyof typeof RIVALS, quantile: 'p90' | 'p99', shape: string, share: number): Target {
  const experiment = `numbers.${what}.${shape}`;
  const { than, words } = RIVALS[what];
  const text = `${WORDS[what]}, ${shape}: ${quantile} against ${words}`;
  const metric = `${quantile}Ms`;
  return compared(`${experiment}.${quantile}`, text, { experiment, than, metric }, { atMost: share });
}

/** A thousand callers: no call fails, and even the slow ones are fast. */
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
    tail('hot', 'p90', shape, 1 / 100),
  ];
}

function writer(shape: string, times: number): Target {
  const experiment = `numbers.writer.${shape}`;
  const text = `${WORDS.writer}, ${shape}: documents/s against a transaction each`;
  const comparison = { experiment, subject: 'solegate writer', than: 'transaction a document' };
  return compared(experiment, text, comparison, { atLeast: times });
}

function alone(name: string, than: string, times: number): Target {
  const text = `one caller alone: numbers/s against ${than}`;
  return compared(`numbers.alone.${name}`, text, { experiment: 'numbers.hot.1x1', than }, { atLeast: times });
}

/** Targets for document numbers: in one series, over many, with documents, in bulk. */
export const targets: readonly Target[] = [
  ...(['hot', 'spread', 'writer'] as const).flatMap((what) => SHAPES.map((shape) => withRedis(what, shape))),
  rate('hot', '1x100', 50),
  tail('hot', 'p90', '1x100', 1 / 100),
  rate('hot', '4x25', 35),
  tail('hot', 'p90', '4x25', 1 / 100),
  rate('hot', '16x25', 50),
  tail('hot', 'p90', '16x25', 1 / 40),
  ...thousandCallers('1x1000'),
  ...thousandCallers('4x250'),
  rate('spread', '1x100', 2),
  rate('spread', '4x25', 1.4),
  rate('spread', '16x25', 1),
  tail('spread', 'p99', '4x25', 1.5),
  tail('spread', 'p99', '16x25', 1.5),
  alone('upsert', 'upsert + ledger', 0.7),
  compared(
    'numbers.alone.pooled',
    'one caller alone, through PgBouncer without prepared names: numbers/s against upsert + ledger',
    {
      experiment: 'numbers.pooled.1x1',
      subject: 'solegate through PgBouncer',
      than: 'upsert + ledger through PgBouncer',
    },
    { atLeast: 0.7 },
  ),
  alone('original', 'original design', 3),
  writer('1x1', 0.8),
  writer('1x100', 18),
  writer('4x25', 12),
  compared(
    'numbers.chained',
    'documents sealed in one chain, 1x100: documents/s against the same writer without a chain',
    {
      experiment: 'numbers.writer.1x100',
      subject: 'solegate writer, chained',
      than: 'solegate writer',
    },
    { atLeast: 0.7 },
  ),
  compared(
    'numbers.mixed',
    'mixed callers of one counter, half with a document, 1x100: numbers/s against the slower kind alone',
    {
      experiment: 'numbers.writer.1x100',
      subject: 'solegate, mixed callers',
      than: { slowest: ['solegate', 'solegate writer'] },
    },
    { atLeast: 0.8 },
  ),
  compared(
    'numbers.held-row',
    "100 counters, 4x25, somebody holds another counter's row: numbers/s against undisturbed",
    { experiment: 'numbers.spread.4x25', subject: 'solegate, one row held', than: 'solegate' },
    { atLeast: 0.9 },
  ),
  {
    id: 'numbers.wal',
    text: 'WAL bytes per number after a checkpoint, one caller',
    measured: point('numbers.wal', 'solegate', 'walBytesPerNumber'),
    bound: { atMost: 1000 },
    form: 'perAnswer',
  },
  {
    id: 'numbers.flushes',
    text: 'WAL flushes per number at 100 callers',
    measured: point('numbers.flushes', 'solegate', 'walFlushesPerNumber'),
    bound: { atMost: 0.02 },
    form: 'perAnswer',
  },
  compared(
    'numbers.import',
    'import of 100,000 numbers: time against a bulk INSERT',
    { experiment: 'numbers.import', than: 'bulk INSERT', metric: 'allMs' },
    { atMost: 3 },
  ),
  compared(
    'numbers.reconcile',
    'reconcile over 1,000,000 ledger rows: time against one gap query',
    { experiment: 'numbers.reconcile', than: 'gap query', metric: 'allMs' },
    { atMost: 1 },
  ),
  {
    id: 'numbers.feed.behind',
    text: 'feed: numbers/s of a consumer that is 1,000,000 numbers behind',
    measured: point('numbers.feed.behind', 'solegate', 'perSecond'),
    bound: { atLeast: 20_000 },
    form: 'perAnswer',
  },
  compared(
    'numbers.feed.beside',
    'feed: numbers issued per second while that consumer reads, against undisturbed',
    { experiment: 'numbers.feed.beside', than: 'nobody reads' },
    { atLeast: 0.9 },
  ),
];
