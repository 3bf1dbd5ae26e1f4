import type { LatencySummary } from '../../measuring/latency.js';
import type { Experiment, Measurement } from '../../measuring/result.js';
import { color } from './chart-palette.js';
import { drawChart, legend, legendHeight, line, valueAxis } from './svg-chart.js';

/** Kinds of answers to chart first; a loser's answer has a different distribution and is drawn separately. */
const LEADING_KINDS = ['issued', 'won', 'answered', 'claimed'];
/** Dash patterns that distinguish the subjects of a role, which share a color; also shown in the legend. */
const DASHES = ['solid', [7, 4], [2, 3], [12, 4, 2, 4], [4, 2]] as const;

/** Charts latency against the share of callers still waiting, from half of them to one in ten thousand. */
export function latencyChart(experiment: Experiment): string | undefined {
  const curves = experiment.measurements.flatMap((measurement) => curveOf(measurement) ?? []);
  if (curves.length === 0) return undefined;
  const dashOf = new Map<string, number>();
  return drawChart(
    {
      legend: legend(),
      grid: {
        left: 70,
        right: 24,
        top: legendHeight(curves.map(({ measurement }) => measurement.subject)),
        bottom: 48,
        outerBoundsMode: 'none',
      },
      xAxis: valueAxis('share of callers answered by then', {
        min: 0,
        max: 4,
        nameGap: 28,
        interval: 1,
        axisLabel: { color: color('faint'), fontSize: 12, formatter: shareLabel },
      }),
      yAxis: valueAxis('', {
        type: 'log',
        axisLabel: { color: color('faint'), fontSize: 12, formatter: (ms: number) => `${ms} ms` },
      }),
      series: curves.map(({ measurement, summary }) => {
        const nth = dashOf.get(measurement.role) ?? 0;
        dashOf.set(measurement.role, nth + 1);
        const style = { width: measurement.role === 'solegate' ? 3 : 1.8, type: DASHES[nth % DASHES.length] };
        return {
          ...line(measurement.subject, measurement.role, style),
          smooth: 0.2,
          data: summary.curve
            .filter(([share]) => share >= 0.5 && share < 1)
            .map(([share, ms]) => [nines(share), Math.max(0.01, ms)]),
        };
      }),
    },
    { width: 560, height: 340 },
  );
}

function curveOf(
  measurement: Measurement,
): { measurement: Measurement; summary: LatencySummary } | undefined {
  const kind = LEADING_KINDS.find((candidate) => measurement.latencies[candidate] !== undefined);
  const summary = kind === undefined ? undefined : measurement.latencies[kind];
  return summary === undefined || summary.count < 100 ? undefined : { measurement, summary };
}

/** 0.9 becomes 1, 0.99 becomes 2 …: gives the most space to the tail, where users suffer. */
function nines(share: number): number {
  return -Math.log10(1 - share);
}

function shareLabel(value: number): string {
  const label: Readonly<Record<number, string>> = { 1: '90 %', 2: '99 %', 3: '99.9 %', 4: '99.99 %' };
  return label[Math.round(value * 1000) / 1000] ?? '';
}
