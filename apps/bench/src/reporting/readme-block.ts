import { markedValue } from '../figures/judge.js';
import type { BenchResult, Experiment, Measurement } from '../measuring/result.js';
import { medianOf } from './terminal-table.js';

/** A README names something that the stored result does not have. */
export class UnknownBlockError extends Error {
  readonly code = 'UNKNOWN_BLOCK';

  constructor(
    readonly block: string,
    why: string,
  ) {
    super(
      `<!-- bench:${block} -->: ${why}. A block is "figures", "capacity | experiment | experiment", or ` +
        '"experiment, experiment | subject | subject".',
    );
    this.name = 'UnknownBlockError';
  }
}

/**
 * Returns the Markdown of one block. `figures` lists every figure with its target. `capacity` lists Solegate's rate in
 * each experiment and the cores that 1,000 per second would take. Any other block is a comparison: a row for each
 * experiment, a column for each subject, and in each cell the rate and the 99th percentile of latency.
 *
 * @param block `figures`, `capacity` and names of experiments, or names of experiments and then of subjects, each after a bar
 * @throws UnknownBlockError for what the result does not have
 */
export function readmeBlock(block: string, result: BenchResult): string {
  return rowsOf(block, result).join('\n');
}

function rowsOf(block: string, result: BenchResult): string[] {
  const [kind = '', ...names] = block.split('|').map((part) => part.trim());
  if (block === 'figures') return figureRows(result);
  return kind === 'capacity'
    ? capacityRows(block, names, result)
    : comparisonRows(block, [kind, ...names], result);
}

function figureRows({ figures }: BenchResult): string[] {
  return [
    '| | measured | target |',
    '|---|---:|---:|',
    ...figures.map(
      (figure) =>
        `| ${figure.text} | ${markedValue(figure)} | ${figure.bound}${figure.met ? '' : ' (missed)'} |`,
    ),
  ];
}

/** The bench measures Solegate first. All its cores are divided, so the cores count callers and stores too. */
function capacityRows(block: string, ids: readonly string[], result: BenchResult): string[] {
  return [
    '| | per second | cores for 1,000/s |',
    '|---|---:|---:|',
    ...ids.map((id) => {
      const experiment = experimentOf(block, id, result);
      const [solegate] = experiment.measurements;
      if (solegate === undefined) throw new UnknownBlockError(block, `"${id}" measures nothing`);
      const perSecond = medianOf(solegate, rateMetric(experiment));
      const cores = (result.machine.coreCount * 1000) / perSecond;
      return `| ${experiment.title} | ${rounded(perSecond)} | ${Number(cores.toPrecision(2))} |`;
    }),
  ];
}

function comparisonRows(
  block: string,
  [ids = '', ...subjects]: readonly string[],
  result: BenchResult,
): string[] {
  if (subjects.length === 0) throw new UnknownBlockError(block, 'it names no subject');
  return [
    `| | ${subjects.join(' | ')} |`,
    `|---|${'---:|'.repeat(subjects.length)}`,
    ...ids.split(', ').map((id) => {
      const experiment = experimentOf(block, id, result);
      const cells = subjects.map((name) => {
        const measurement = experiment.measurements.find(({ subject }) => subject === name);
        if (measurement === undefined)
          throw new UnknownBlockError(block, `"${id}" does not measure "${name}"`);
        return cell(experiment, measurement);
      });
      return `| ${[experiment.title, ...cells].join(' | ')} |`;
    }),
  ];
}

function experimentOf(block: string, id: string, { experiments }: BenchResult): Experiment {
  const experiment = experiments.find((candidate) => candidate.id === id);
  if (experiment === undefined) throw new UnknownBlockError(block, `no experiment is called "${id}"`);
  return experiment;
}

function rateMetric({ lead: { metric } }: Experiment): string {
  return metric === 'acceptsPerSecond' ? metric : 'perSecond';
}

function rounded(figure: number): string {
  return Number(figure.toPrecision(3)).toLocaleString('en-US');
}

/** `19,143/s, 13.9 ms`, or only the time for work that is done once. */
function cell(experiment: Experiment, measurement: Measurement): string {
  const { lead } = experiment;
  const median = (metric: string): string => rounded(medianOf(measurement, metric));
  const has = (metric: string): boolean => measurement.repeats[0]?.[metric] !== undefined;
  if (lead.metric === 'allMs') return `${median('allMs')} ms`;
  const rate = `${median(rateMetric(experiment))}/s`;
  return has('p99Ms') ? `${rate}, ${median('p99Ms')} ms` : rate;
}

/** The origin of the numbers, without which they mean nothing. Printed once per README, below its last block. */
export function origin({ machine, date, settings }: BenchResult): string {
  return (
    `<sub>Medians of ${settings.repeatCount} interleaved repeats on ${date.slice(0, 10)}: ${machine.processor}, ` +
    `${machine.coreCount} cores, Node ${machine.node}, PostgreSQL ${machine.postgres} with fsync, Redis ${machine.redis}. ` +
    'Written by `npm run bench -- publish`.</sub>'
  );
}
