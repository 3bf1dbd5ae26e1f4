import { TableBehind } from '../parts/data-table.js';
import { count, milliseconds, quantile } from '../parts/figures.js';
import { Chart } from './chart.js';
import { ticks } from './scale.js';

const BINS_WANTED = 20;
/** Each mark has its own line above the bars. */
const MARK_HEIGHT = 16;
const MARK_ROOM = 88;

interface Bin {
  readonly from: number;
  readonly to: number;
  readonly size: number;
}

/** Distribution of values in milliseconds, with the median and the 99th percentile marked. */
export function Histogram({ title, values }: { readonly title: string; readonly values: readonly number[] }) {
  const bins = binsOf(values);
  const last = bins.at(-1)?.to ?? 1;
  const marks = [
    { name: 'p50', value: quantile(values, 0.5) },
    { name: 'p99', value: quantile(values, 0.99) },
  ];
  return (
    <figure class="stack tight">
      <Chart
        title={title}
        x={{ label: 'latency, ms', from: 0, to: last }}
        y={{ label: 'requests', from: 0, to: Math.max(1, ...bins.map(({ size }) => size)) }}
        roomOf={() => ({ height: 256, top: MARK_HEIGHT * marks.length })}
      >
        {({ x, y, top, bottom, right }) => (
          <>
            {bins.map(({ from, to, size }) => (
              <rect
                key={from}
                class="bar"
                x={x(from) + 0.5}
                width={Math.max(1, x(to) - x(from) - 1)}
                y={y(size)}
                height={bottom - y(size)}
              />
            ))}
            {marks.map(({ name, value }, index) => (
              <Mark
                key={name}
                text={`${name} ${milliseconds(value)}`}
                x={x(value)}
                y={top - (marks.length - index) * MARK_HEIGHT}
                bottom={bottom}
                isAtEnd={x(value) > right - MARK_ROOM}
              />
            ))}
          </>
        )}
      </Chart>
      <TableBehind
        caption={title}
        columns={[
          { title: 'From, ms', cell: (bin: Bin) => bin.from, isNumber: true },
          { title: 'To, ms', cell: (bin) => bin.to, isNumber: true },
          { title: 'Requests', cell: (bin) => count(bin.size), isNumber: true },
        ]}
        rows={bins.filter(({ size }) => size > 0)}
        keyOf={({ from }) => from}
        empty="No data."
      />
    </figure>
  );
}

interface MarkProps {
  readonly text: string;
  readonly x: number;
  readonly y: number;
  readonly bottom: number;
  /** Whether the text does not fit to the right of the line. */
  readonly isAtEnd: boolean;
}

function Mark({ text, x, y, bottom, isAtEnd }: MarkProps) {
  return (
    <>
      <line class="mark" x1={x} x2={x} y1={y} y2={bottom} />
      <text class="mark-label" x={isAtEnd ? x - 4 : x + 4} y={y + 10} text-anchor={isAtEnd ? 'end' : 'start'}>
        {text}
      </text>
    </>
  );
}

/** Bins of equal, round width that cover all values. */
function binsOf(values: readonly number[]): readonly Bin[] {
  const edges = ticks(0, Math.max(1, ...values), BINS_WANTED);
  const [, width = 1] = edges;
  const sizes = Array.from({ length: edges.length - 1 }, () => 0);
  for (const value of values) {
    const index = Math.min(sizes.length - 1, Math.floor(value / width));
    sizes[index] = (sizes[index] ?? 0) + 1;
  }
  return sizes.map((size, index) => ({ from: edges[index] ?? 0, to: edges[index + 1] ?? 0, size }));
}
