import { markedValue, significant } from '../figures/judge.js';
import type { BenchResult, Experiment, Figure, Measurement } from '../measuring/result.js';
import { median, relativeSpread } from '../measuring/statistics.js';

/** How to highlight a cell on a terminal; plain text elsewhere. */
export interface Paint {
  good(text: string): string;
  bad(text: string): string;
  faint(text: string): string;
  strong(text: string): string;
}

export const plainPaint: Paint = {
  good: (text) => text,
  bad: (text) => text,
  faint: (text) => text,
  strong: (text) => text,
};

export const colorPaint: Paint = {
  good: (text) => `\u001B[32m${text}\u001B[39m`,
  bad: (text) => `\u001B[31m${text}\u001B[39m`,
  faint: (text) => `\u001B[2m${text}\u001B[22m`,
  strong: (text) => `\u001B[1m${text}\u001B[22m`,
};

/** The whole result as text: every experiment, then the figures with their targets. */
export function terminalTable(result: BenchResult, paint: Paint): string {
  const { machine } = result;
  return [
    ...result.experiments.map((experiment) => experimentTable(experiment, paint)),
    figuresTable(result.figures, paint),
    paint.faint(
      [
        `${machine.processor}, ${machine.coreCount} cores · Node ${machine.node} · PostgreSQL ${machine.postgres}` +
          ` · Redis ${machine.redis}`,
        `seed ${result.settings.seed} · ${result.settings.repeatCount} interleaved repeats, medians ± half their range` +
          ` · took ${Math.round(result.tookMs / 1000)} s`,
      ].join('\n'),
    ),
  ].join('\n\n');
}

function experimentTable(experiment: Experiment, paint: Paint): string {
  const { lead } = experiment;
  const has = (metric: string) =>
    experiment.measurements.some(({ repeats }) => repeats[0]?.[metric] !== undefined);
  const hasLatency = has('p50Ms');
  const hasServer = has('serverUs');
  const header = [
    '',
    lead.unit,
    '',
    'against original',
    ...(hasLatency ? ['p50 ms', 'p90 ms', 'p99 ms', 'failed'] : []),
    ...(hasServer ? ['server µs'] : []),
    '',
  ];
  const original = experiment.measurements.find(({ role }) => role === 'original');
  const rows = experiment.measurements.map((measurement) => [
    measurement.subject,
    significant(medianOf(measurement, lead.metric)),
    `± ${Math.round(relativeSpread(valuesOf(measurement, lead.metric)) * 100)} %`,
    againstOriginal(measurement, original, lead),
    ...(hasLatency ? latencyCells(measurement) : []),
    ...(hasServer ? [significant(medianOf(measurement, 'serverUs'))] : []),
    verdictOf(measurement),
  ]);
  const painted = aligned([header, ...rows], [0, header.length - 1]).map((line, index) => {
    if (index === 0) return paint.faint(line);
    const measurement = experiment.measurements[index - 1];
    if (measurement?.role === 'solegate') {
      return measurement.violations.length > 0 ? paint.bad(line) : paint.strong(line);
    }
    return line;
  });
  return [paint.strong(experiment.title) + paint.faint(`  ${experiment.id}`), ...painted].join('\n');
}

function latencyCells(measurement: Measurement): string[] {
  const cell = (metric: string): string => significant(medianOf(measurement, metric));
  const failedShare = medianOf(measurement, 'failedShare');
  const failed = Number.isFinite(failedShare) && failedShare > 0 ? `${significant(failedShare * 100)} %` : '';
  return [cell('p50Ms'), cell('p90Ms'), cell('p99Ms'), failed];
}

function againstOriginal(
  measurement: Measurement,
  original: Measurement | undefined,
  lead: Experiment['lead'],
): string {
  if (original === undefined || original === measurement) return '';
  const ratio = medianOf(measurement, lead.metric) / medianOf(original, lead.metric);
  if (!Number.isFinite(ratio) || ratio === 0) return '';
  return lead.better === 'more' || ratio >= 1 ? `${significant(ratio)}x` : `1/${significant(1 / ratio)}`;
}

function verdictOf(measurement: Measurement): string {
  const [violation] = measurement.violations;
  if (violation !== undefined) return `BROKEN ${violation.rule}: ${violation.witness}`;
  return measurement.verifiedCount > 0 ? `${measurement.verifiedCount.toLocaleString('en-US')} verified` : '';
}

function figuresTable(figures: readonly Figure[], paint: Paint): string {
  if (figures.length === 0) return paint.faint('no figure is bound to these experiments');
  const rows = figures.map((figure) => [
    figure.met ? 'met' : 'missed',
    figure.text,
    markedValue(figure),
    figure.range,
    figure.bound,
  ]);
  const header = ['', 'figure', 'measured', 'over the repeats', 'target'];
  const lines = aligned([header, ...rows], [0, 1, 4]).map((line, index) => {
    if (index === 0) return paint.faint(line);
    return figures[index - 1]?.met ? paint.good(line) : paint.bad(line);
  });
  const metCount = figures.filter(({ met }) => met).length;
  return [paint.strong(`${metCount} of ${figures.length} figures met`), ...lines].join('\n');
}

/** The values of one metric over the repeats that have it. */
export function valuesOf(measurement: Measurement, metric: string): number[] {
  return measurement.repeats.flatMap((repeat) => repeat[metric] ?? []);
}

/** The median over the repeats; NaN without any. */
export function medianOf(measurement: Measurement, metric: string): number {
  const values = valuesOf(measurement, metric);
  return values.length === 0 ? Number.NaN : median(values);
}

/** Pads columns to their widest cell; `left` names the text columns, numbers are right-aligned. */
export function aligned(rows: readonly (readonly string[])[], left: readonly number[]): string[] {
  const widths = (rows[0] ?? []).map((_, column) =>
    Math.max(...rows.map((row) => (row[column] ?? '').length)),
  );
  return rows.map((row) =>
    row
      .map((cell, column) => {
        const width = widths[column] ?? 0;
        return left.includes(column) ? cell.padEnd(width) : cell.padStart(width);
      })
      .join('  ')
      .trimEnd(),
  );
}
