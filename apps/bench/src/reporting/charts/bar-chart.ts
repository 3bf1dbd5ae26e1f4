import { significant } from '../../figures/judge.js';
import type { Experiment } from '../../measuring/result.js';
import { medianOf, valuesOf } from '../terminal-table.js';
import { color } from './chart-palette.js';
import { drawChart, valueAxis } from './svg-chart.js';

const ROW_HEIGHT = 26;
const WIDTH = 560;
/** Width of the widest common character of a label, in pixels: names must fit, and text cannot be measured here. */
const CHARACTER_WIDTH = 7.4;

/** Compares subjects by the experiment's leading metric, with the range of the repeats in the label. */
export function barChart(experiment: Experiment): string {
  const { lead } = experiment;
  const rows = experiment.measurements
    .map((measurement) => {
      const values = valuesOf(measurement, lead.metric);
      return { measurement, value: medianOf(measurement, lead.metric), values };
    })
    .filter(({ value }) => Number.isFinite(value))
    .sort((left, right) => (lead.better === 'more' ? right.value - left.value : left.value - right.value));
  const nameWidth = Math.max(...rows.map(({ measurement }) => measurement.subject.length)) * CHARACTER_WIDTH;
  return drawChart(
    {
      grid: { left: nameWidth + 12, right: 172, top: 4, bottom: 4, outerBoundsMode: 'none' },
      xAxis: valueAxis('', { show: false, min: 0 }),
      yAxis: {
        type: 'category',
        inverse: true,
        data: rows.map(({ measurement }) => measurement.subject),
        axisLine: { show: false },
        axisTick: { show: false },
        axisLabel: { color: color('ink'), fontSize: 13 },
      },
      series: [
        {
          type: 'bar',
          barWidth: 15,
          data: rows.map(({ measurement, value, values }) => ({
            value,
            itemStyle: { color: color(measurement.role), borderRadius: [0, 3, 3, 0] },
            label: {
              show: true,
              position: 'right',
              color: color('ink'),
              fontSize: 12,
              formatter: labelOf(value, values),
            },
          })),
        },
      ],
    },
    { width: WIDTH, height: rows.length * ROW_HEIGHT + 12 },
  );
}

function labelOf(value: number, values: readonly number[]): string {
  if (values.length < 2) return significant(value);
  return `${significant(value)}  (${significant(Math.min(...values))} – ${significant(Math.max(...values))})`;
}
