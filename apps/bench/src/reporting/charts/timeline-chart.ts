import { TIMELINE_SLICE_MS } from '../../measuring/recorder.js';
import type { Measurement } from '../../measuring/result.js';
import { color } from './chart-palette.js';
import { drawChart, legend, valueAxis } from './svg-chart.js';

const SLICES_PER_SECOND = 1000 / TIMELINE_SLICE_MS;

/** Charts what users saw during a fault: answers per second, failures, and the slowest answer of each slice. */
export function timelineChart({ timeline = [], faults = [] }: Measurement): string {
  const seconds = (atMs: number): number => atMs / 1000;
  const marks = faults.map(({ atMs, text }) => ({ xAxis: seconds(atMs), name: text }));
  return drawChart(
    {
      legend: legend(),
      grid: { left: 64, right: 64, top: 70, bottom: 46, outerBoundsMode: 'none' },
      xAxis: valueAxis('seconds', {
        nameGap: 26,
        min: 0,
        max: Math.ceil(seconds(timeline.at(-1)?.atMs ?? 0)),
      }),
      yAxis: [
        valueAxis('', { name: 'per second', nameLocation: 'end' }),
        valueAxis('', { name: 'ms', nameLocation: 'end', splitLine: { show: false }, min: 0 }),
      ],
      series: [
        {
          name: 'answers/s',
          type: 'line',
          symbol: 'none',
          step: 'end',
          itemStyle: { color: color('solegate') },
          lineStyle: { color: color('solegate'), width: 2 },
          areaStyle: { color: color('solegateSoft'), opacity: 0.25 },
          data: timeline.map(({ atMs, perSecond }) => [seconds(atMs), perSecond]),
          markLine: {
            symbol: 'none',
            lineStyle: { color: color('bad'), type: 'solid', width: 1.2 },
            label: { color: color('bad'), fontSize: 11, formatter: '{b}', position: 'end', distance: 4 },
            data: marks,
          },
        },
        {
          name: 'failed/s',
          type: 'line',
          symbol: 'none',
          step: 'end',
          itemStyle: { color: color('bad') },
          lineStyle: { color: color('bad'), width: 2 },
          data: timeline.map(({ atMs, failed }) => [seconds(atMs), failed * SLICES_PER_SECOND]),
        },
        {
          name: 'slowest answer',
          type: 'line',
          symbol: 'none',
          yAxisIndex: 1,
          itemStyle: { color: color('original') },
          lineStyle: { color: color('original'), width: 1.4 },
          data: timeline.map(({ atMs, slowestMs }) => [seconds(atMs), Math.round(slowestMs * 10) / 10]),
        },
      ],
    },
    { width: 1140, height: 300 },
  );
}
