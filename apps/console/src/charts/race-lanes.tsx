import { TableBehind } from '../parts/data-table.js';
import { milliseconds } from '../parts/figures.js';
import { Chart } from './chart.js';

export interface Lane {
  readonly name: string;
  /** From the common start to the moment the request was sent. */
  readonly sentMs: number;
  /** From the common start to the answer. */
  readonly answeredMs: number;
  /** What the driver was answered, in words. */
  readonly answer: string;
  readonly isWinner: boolean;
}

const LANE_HEIGHT = 24;

/** A race: one lane for each contender, from the common start to their answer. */
export function RaceLanes({ title, lanes }: { readonly title: string; readonly lanes: readonly Lane[] }) {
  const last = Math.max(1, ...lanes.map(({ answeredMs }) => answeredMs));
  return (
    <figure class="stack tight">
      <Chart
        title={title}
        x={{ label: 'since the start, ms', from: 0, to: last * 1.5 }}
        height={lanes.length * LANE_HEIGHT + 48}
        leftRoom={80}
      >
        {({ x, top, left }) =>
          lanes.map(({ name, sentMs, answeredMs, answer, isWinner }, index) => {
            const y = top + index * LANE_HEIGHT;
            return (
              <g key={name}>
                <text class="lane-name" x={left - 8} y={y + 16} text-anchor="end">
                  {name}
                </text>
                <rect
                  class={isWinner ? 'lane-won' : 'lane-lost'}
                  x={x(sentMs)}
                  width={Math.max(2, x(answeredMs) - x(sentMs))}
                  y={y + 6}
                  height={12}
                />
                <text class={isWinner ? 'lane-name' : ''} x={x(answeredMs) + 8} y={y + 16}>
                  {answer} · {milliseconds(answeredMs - sentMs)}
                </text>
              </g>
            );
          })
        }
      </Chart>
      <TableBehind
        caption={title}
        columns={[
          { title: 'Driver', cell: (lane: Lane) => lane.name },
          { title: 'Answer', cell: (lane) => lane.answer },
          { title: 'After', cell: (lane) => milliseconds(lane.answeredMs - lane.sentMs), isNumber: true },
        ]}
        rows={lanes}
        keyOf={({ name }) => name}
        empty="Nobody has pressed yet."
      />
    </figure>
  );
}
