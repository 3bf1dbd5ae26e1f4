import { BarChart, LineChart } from 'echarts/charts';
import { GridComponent, LegendComponent } from 'echarts/components';
import { type EChartsCoreOption, init, use } from 'echarts/core';
import { SVGRenderer } from 'echarts/renderers';
import type { SubjectRole } from '../../measuring/result.js';
import { color } from './chart-palette.js';

use([BarChart, LineChart, GridComponent, LegendComponent, SVGRenderer]);

export interface ChartSize {
  readonly width: number;
  readonly height: number;
}

/** Defaults of every chart: no animation, the page's font, subtle axes. */
const FONT = 'ui-sans-serif, system-ui, -apple-system, "Segoe UI", Roboto, sans-serif';

/** Draws a chart without a browser; the picture scales to fit the page. */
export function drawChart(options: EChartsCoreOption, { width, height }: ChartSize): string {
  const chart = init(null, null, { renderer: 'svg', ssr: true, width, height });
  try {
    chart.setOption({
      animation: false,
      backgroundColor: 'transparent',
      textStyle: { fontFamily: FONT, color: color('ink') },
      ...options,
    });
    return chart.renderToSVGString({ useViewBox: true });
  } finally {
    chart.dispose();
  }
}

/** A numeric axis with thin lines and faint labels. */
export function valueAxis(name: string, settings: Readonly<Record<string, unknown>> = {}) {
  return {
    type: 'value',
    name,
    nameLocation: 'middle',
    nameTextStyle: { color: color('faint'), fontSize: 12 },
    axisLine: { show: false },
    axisTick: { show: false },
    axisLabel: { color: color('faint'), fontSize: 12 },
    splitLine: { lineStyle: { color: color('line') } },
    ...settings,
  };
}

/** A line in one color, also in the legend. */
export function line(
  name: string,
  role: SubjectRole,
  style: { readonly width: number; readonly type?: unknown },
) {
  const stroke = color(role);
  return {
    name,
    type: 'line',
    symbol: 'none',
    itemStyle: { color: stroke },
    lineStyle: { color: stroke, ...style },
  };
}

export function legend(settings: Readonly<Record<string, unknown>> = {}) {
  return {
    top: 0,
    left: 0,
    itemGap: 28,
    itemWidth: 34,
    itemHeight: 10,
    textStyle: { color: color('ink'), fontSize: 12 },
    ...settings,
  };
}

/** Height in pixels of a legend with these names, above the picture. */
export function legendHeight(names: readonly string[]): number {
  const rows = Math.ceil(names.reduce((total, name) => total + name.length * 7 + 66, 0) / 540);
  return 32 * rows + 12;
}
