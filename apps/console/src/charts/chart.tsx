import type { ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { figure } from '../parts/figures.js';
import { linear, type Scale, ticks } from './scale.js';

export interface Axis {
  /** Quantity and unit, such as `latency, ms`. */
  readonly label: string;
  readonly from: number;
  readonly to: number;
  readonly textOf?: (value: number) => string;
}

export interface Plane {
  readonly x: Scale;
  readonly y: Scale;
  /** Of the whole chart. */
  readonly width: number;
  /** Edges of the plot area, in the chart's units. */
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
}

interface Room {
  readonly height: number;
  /** Space for names on the left. Default: 48. */
  readonly left?: number;
  /** Space for marks above the plot area. Default: none. */
  readonly top?: number;
}

interface ChartProps {
  /** Describes the chart for screen readers. */
  readonly title: string;
  readonly x: Axis;
  /** If absent, the chart draws its own rows. */
  readonly y?: Axis;
  /** Layout of the plot area in a chart of this width. */
  readonly roomOf?: (width: number) => Room;
  readonly children: (plane: Plane) => ComponentChildren;
}

/** Used until the chart's actual width is known. */
const WIDTH = 560;

/** The actual width of the element, so that text keeps its size on every screen. */
function useWidth() {
  const place = useRef<HTMLDivElement>(null);
  const [width, setWidth] = useState(WIDTH);
  useEffect(() => {
    const watcher = new ResizeObserver(([entry]) => {
      const found = Math.round(entry?.contentRect.width ?? 0);
      if (found > 0) setWidth(found);
    });
    if (place.current !== null) watcher.observe(place.current);
    return () => watcher.disconnect();
  }, []);
  return { place, width };
}

/** The base of all charts: two axes with round ticks, labels and units; the caller draws the content. */
export function Chart({ title, x, y, roomOf = () => ({ height: 224 }), children }: ChartProps) {
  const { place, width } = useWidth();
  const { height, left = 48, top = 0 } = roomOf(width);
  const plane = {
    width,
    left,
    right: width - 24,
    top: top + (y === undefined ? 0 : 24),
    bottom: height - 40,
  };
  const xTicks = ticks(x.from, x.to, width < 400 ? 4 : 6);
  const yTicks = y === undefined ? [] : ticks(y.from, y.to, 4);
  const scales = {
    x: linear([xTicks[0] ?? 0, xTicks.at(-1) ?? 1], [plane.left, plane.right]),
    y: linear([yTicks[0] ?? 0, yTicks.at(-1) ?? 1], [plane.bottom, plane.top]),
  };
  const textOf = (value: number, axis: Axis): string => axis.textOf?.(value) ?? figure(value);
  return (
    <div ref={place}>
      <svg class="chart" viewBox={`0 0 ${width} ${height}`} role="img" aria-label={title}>
        {yTicks.map((value) => (
          <g key={value}>
            <line class="grid" x1={plane.left} x2={plane.right} y1={scales.y(value)} y2={scales.y(value)} />
            <text x={plane.left - 8} y={scales.y(value) + 4} text-anchor="end">
              {y && textOf(value, y)}
            </text>
          </g>
        ))}
        {xTicks.map((value) => (
          <text key={value} x={scales.x(value)} y={plane.bottom + 16} text-anchor="middle">
            {textOf(value, x)}
          </text>
        ))}
        {children({ ...plane, ...scales })}
        <line class="axis" x1={plane.left} x2={plane.right} y1={plane.bottom} y2={plane.bottom} />
        <text x={plane.right} y={height - 6} text-anchor="end">
          {x.label}
        </text>
        {y && (
          <text x={8} y={12}>
            {y.label}
          </text>
        )}
      </svg>
    </div>
  );
}
