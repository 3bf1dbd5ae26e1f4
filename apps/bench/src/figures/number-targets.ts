import { point, type Target } from './target.js';

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

/** Document numbers: on one series, over many, with documents, in bulk. */
export const numberTargets: readonly Target[] = [
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
