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
      `<!-- bench:${block} -->: ${why}. A block is "figures", or "experiment, experiment | subject | subject".`,
    );
    this.name = 'UnknownBlockError';
  }
}

/**
 * The Markdown of one block. `figures` has every figure beside its target. Anything else compares: a row for each
 * experiment, a column for each subject, and in each cell what came out a second and the 99th percentile of latency.
 *
 * @param block `figures`, or names of experiments, then of subjects, each behind a bar
 * @throws UnknownBlockError for what the result does not have
 */
export function readmeBlock(block: string, result: BenchResult): string {
  return (block === 'figures' ? figureRows(result) : comparisonRows(block, result)).join('\n');
}

function figureRows({ figures }: BenchResult): string[] {
  return [
    '| | measured | target |',
    '|---|---:|---:|',
    ...figures.map(
      ({ text, value, bound, met }) => `| ${text} | ${value} | ${bound}${met ? '' : ' (missed)'} |`,
    ),
  ];
}

function comparisonRows(block: string, { experiments }: BenchResult): string[] {
  const [ids = '', ...subjects] = block.split('|').map((part) => part.trim());
  if (subjects.length === 0) throw new UnknownBlockError(block, 'it names no subject');
  return [
    `| | ${subjects.join(' | ')} |`,
    `|---|${'---:|'.repeat(subjects.length)}`,
    ...ids.split(', ').map((id) => {
      const experiment = experiments.find((candidate) => candidate.id === id);
      if (experiment === undefined) throw new UnknownBlockError(block, `no experiment is called "${id}"`);
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

/** `19,143/s, 13.9 ms`; the time alone of what is done once. */
function cell({ lead }: Experiment, measurement: Measurement): string {
  const median = (metric: string): string =>
    Number(medianOf(measurement, metric).toPrecision(3)).toLocaleString('en-US');
  const has = (metric: string): boolean => measurement.repeats[0]?.[metric] !== undefined;
  if (lead.metric === 'allMs') return `${median('allMs')} ms`;
  const rate = `${median(lead.metric === 'acceptsPerSecond' ? lead.metric : 'perSecond')}/s`;
  return has('p99Ms') ? `${rate}, ${median('p99Ms')} ms` : rate;
}

/** Where the numbers come from: without it they say nothing. Stands once in a README, below its last block. */
export function origin({ machine, date, settings }: BenchResult): string {
  return (
    `<sub>Medians of ${settings.repeatCount} interleaved repeats on ${date.slice(0, 10)}: ${machine.processor}, ` +
    `${machine.coreCount} cores, Node ${machine.node}, PostgreSQL ${machine.postgres} with fsync, Redis ${machine.redis}. ` +
    'Written by `npm run bench -- publish`.</sub>'
  );
}
