import { TableBehind } from '../parts/data-table.js';
import { figure } from '../parts/figures.js';
import { Chart, type Plane } from './chart.js';

interface Line {
  readonly name: string;
  /** One per minute; null where nothing was measured. */
  readonly values: readonly (number | null)[];
}

interface LineChartProps {
  readonly title: string;
  /** Quantity and unit. */
  readonly label: string;
  /** Minutes relative to now, one per value, oldest first: -59 … 0. */
  readonly minutes: readonly number[];
  /** One or two. */
  readonly lines: readonly Line[];
}

/** One or two series over the last hour. */
export function LineChart({ title, label, minutes, lines }: LineChartProps) {
  const highest = Math.max(1, ...lines.flatMap(({ values }) => values.filter((value) => value !== null)));
  return (
    <figure class="stack tight">
      <ul class="row small quiet legend" aria-label="Lines">
        {lines.map(({ name }, index) => (
          <li key={name} class="row">
            <svg class="chart key" viewBox="0 0 24 8" aria-hidden="true">
              <path class={lookOf(index)} d="M0 4h24" />
            </svg>
            {name}
          </li>
        ))}
      </ul>
      <Chart
        title={title}
        roomOf={() => ({ height: 184 })}
        x={{ label: 'minutes ago', from: -60, to: 0, textOf: (minute) => String(Math.abs(minute)) }}
        y={{ label, from: 0, to: highest }}
      >
        {(plane) =>
          lines.map(({ name, values }, index) => (
            <g key={name}>
              <path class={lookOf(index)} d={pathOf(minutes, values, plane)} />
              {lonely(values).map((place) => (
                <circle
                  key={place}
                  class={lookOf(index)}
                  cx={plane.x(minutes[place] ?? 0)}
                  cy={plane.y(values[place] ?? 0)}
                  r={2.5}
                />
              ))}
            </g>
          ))
        }
      </Chart>
      <TableBehind
        caption={title}
        columns={[
          { title: 'Minutes ago', cell: (row: number) => Math.abs(minutes[row] ?? 0), isNumber: true },
          ...lines.map(({ name, values }) => ({
            title: name,
            cell: (row: number) => (values[row] == null ? '–' : figure(values[row])),
            isNumber: true,
          })),
        ]}
        rows={minutes.map((_, row) => row).toReversed()}
        keyOf={(row) => row}
        empty="No data yet."
      />
    </figure>
  );
}

function lookOf(index: number): string {
  return index === 0 ? 'series' : 'series second';
}

/** Indexes of values without neighbors, which a line would not show. */
function lonely(values: readonly (number | null)[]): readonly number[] {
  const isThere = (place: number): boolean => (values[place] ?? null) !== null;
  return values.flatMap((_, place) =>
    isThere(place) && !isThere(place - 1) && !isThere(place + 1) ? [place] : [],
  );
}

/** The path of a line; only adjacent values are joined. */
function pathOf(minutes: readonly number[], values: readonly (number | null)[], { x, y }: Plane): string {
  return values
    .map((value, index) => {
      if (value === null) return '';
      const place = `${x(minutes[index] ?? 0).toFixed(1)} ${y(value).toFixed(1)}`;
      return (values[index - 1] ?? null) === null ? `M${place}` : `L${place}`;
    })
    .join('');
}
