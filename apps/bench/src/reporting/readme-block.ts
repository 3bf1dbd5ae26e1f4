import { significant } from '../figures/judge.js';
import type { BenchResult, Experiment } from '../measuring/result.js';
import { scenarioNames } from '../suite/scenarios.js';
import { medianOf } from './terminal-table.js';

/** A README names something that the stored result does not have. */
export class UnknownBlockError extends Error {
  readonly code = 'UNKNOWN_BLOCK';

  constructor(readonly block: string) {
    super(
      `<!-- bench:${block} --> is no block: use figures, a scenario (${scenarioNames.join(', ')}) or the name of an experiment.`,
    );
    this.name = 'UnknownBlockError';
  }
}

/**
 * The Markdown of one block: `figures` has all figures, a scenario's name its figures, an experiment's name its table.
 *
 * @throws UnknownBlockError
 */
export function readmeBlock(name: string, result: BenchResult): string {
  const experiment = result.experiments.find(({ id }) => id === name);
  if (experiment !== undefined) return [...experimentRows(experiment), '', origin(result)].join('\n');
  const isScenario = scenarioNames.includes(name);
  if (name !== 'figures' && !isScenario) throw new UnknownBlockError(name);
  const figures = result.figures.filter(({ id }) => !isScenario || id.startsWith(`${name}.`));
  return [
    '| | measured | target |',
    '|---|---:|---:|',
    ...figures.map(
      ({ text, value, bound, met }) => `| ${text} | ${value} | ${bound}${met ? '' : ' (missed)'} |`,
    ),
    '',
    origin(result),
  ].join('\n');
}

function experimentRows({ lead, measurements }: Experiment): string[] {
  const hasLatency = measurements.some(({ repeats }) => repeats[0]?.p50Ms !== undefined);
  const cells = (row: readonly string[]): string => `| ${row.join(' | ')} |`;
  return [
    cells(['', lead.unit, ...(hasLatency ? ['p50 ms', 'p90 ms', 'p99 ms'] : [])]),
    cells(['---', '---:', ...(hasLatency ? ['---:', '---:', '---:'] : [])]),
    ...measurements.map((measurement) => {
      const median = (metric: string): string => significant(medianOf(measurement, metric));
      const name = measurement.role === 'solegate' ? `**${measurement.subject}**` : measurement.subject;
      return cells([
        name,
        median(lead.metric),
        ...(hasLatency ? ['p50Ms', 'p90Ms', 'p99Ms'].map(median) : []),
      ]);
    }),
  ];
}

/** Where the numbers come from: without it they say nothing. */
function origin({ machine, date, settings }: BenchResult): string {
  return (
    `<sub>Medians of ${settings.repeatCount} interleaved repeats on ${date.slice(0, 10)}: ${machine.processor}, ` +
    `${machine.coreCount} cores, Node ${machine.node}, PostgreSQL ${machine.postgres} with fsync, Redis ${machine.redis}. ` +
    'Written by `npm run bench -- publish`.</sub>'
  );
}
