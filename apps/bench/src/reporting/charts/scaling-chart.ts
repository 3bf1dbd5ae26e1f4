import type { Experiment, SubjectRole } from '../../measuring/result.js';
import { medianOf } from '../terminal-table.js';
import { color } from './chart-palette.js';
import { drawChart, legend, legendHeight, line, valueAxis } from './svg-chart.js';

interface Line {
  readonly subject: string;
  readonly role: SubjectRole;
  readonly processes: number;
  readonly points: (readonly [number, number])[];
}

/** One line for each subject and number of processes: throughput over parallel callers. */
export function scalingChart(experiments: readonly Experiment[]): string | undefined {
  const lines = linesOf(experiments);
  if (lines.length === 0) return undefined;
  return drawChart(
    {
      legend: legend({ type: 'plain' }),
      grid: {
        left: 64,
        right: 40,
        top: legendHeight(lines.map(nameOf)) + 16,
        bottom: 48,
        outerBoundsMode: 'none',
      },
      xAxis: valueAxis('callers at once', { type: 'log', nameGap: 28, min: 1 }),
      yAxis: valueAxis('', { type: 'log' }),
      series: lines.map(({ subject, role, processes, points }) => ({
        ...line(nameOf({ subject, processes }), role, {
          width: role === 'solegate' ? 3 : 1.8,
          type: processes === 1 ? 'solid' : 'dashed',
        }),
        symbol: processes === 1 ? 'circle' : 'rect',
        symbolSize: 8,
        label: {
          show: role === 'solegate',
          color: color('faint'),
          fontSize: 11,
          position: processes === 1 ? 'top' : 'bottom',
          formatter: label,
        },
        data: points,
      })),
    },
    { width: 560, height: 380 },
  );
}

function nameOf({ subject, processes }: Pick<Line, 'subject' | 'processes'>): string {
  return `${subject}, ${processes === 1 ? '1 process' : `${processes} processes`}`;
}

function linesOf(experiments: readonly Experiment[]): Line[] {
  const lines = new Map<string, Line>();
  for (const { processes, parallel, measurements, lead } of experiments) {
    for (const measurement of measurements) {
      const { subject, role } = measurement;
      const key = `${subject} ${processes}`;
      const line = lines.get(key) ?? { subject, role, processes, points: [] };
      line.points.push([parallel, medianOf(measurement, lead.metric)]);
      lines.set(key, line);
    }
  }
  return [...lines.values()].filter(({ points }) => points.length > 1);
}

function label({ value }: { value: readonly number[] }): string {
  const perSecond = value[1] ?? 0;
  return perSecond >= 1000 ? `${Math.round(perSecond / 1000)}k` : String(Math.round(perSecond));
}
