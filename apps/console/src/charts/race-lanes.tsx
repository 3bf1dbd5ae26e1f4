import { TableBehind } from '../parts/data-table.js';
import { milliseconds } from '../parts/figures.js';
import { Chart } from './chart.js';

export interface Lane {
  readonly name: string;
  /** From the common start until the request was sent. */
  readonly sentMs: number;
  /** From the common start until the answer. */
  readonly answeredMs: number;
  /** The driver's result, in words. */
  readonly answer: string;
  readonly isWinner: boolean;
}

/** Below this width, a lane's text is above its bar instead of beside it. */
const NARROW_BELOW = 480;

function roomOf(width: number, laneCount: number) {
  const isNarrow = width < NARROW_BELOW;
  const lane = isNarrow ? 40 : 24;
  return { isNarrow, lane, left: isNarrow ? 8 : 80, height: laneCount * lane + 48 };
}

/** A race: one lane per driver, from the common start to their answer. */
export function RaceLanes({ title, lanes }: { readonly title: string; readonly lanes: readonly Lane[] }) {
  const last = Math.max(1, ...lanes.map(({ answeredMs }) => answeredMs));
  return (
    <figure class="stack tight">
      <Chart
        title={title}
        x={{ label: 'since the start, ms', from: 0, to: last * 1.5 }}
        roomOf={(width) => roomOf(width, lanes.length)}
      >
        {({ x, top, left, width }) => {
          const { isNarrow, lane } = roomOf(width, lanes.length);
          return lanes.map(({ name, sentMs, answeredMs, answer, isWinner }, index) => {
            const y = top + index * lane;
            return (
              <g key={name}>
                <text
                  class="lane-name"
                  x={isNarrow ? left : left - 8}
                  y={y + 16}
                  text-anchor={isNarrow ? 'start' : 'end'}
                >
                  {name}
                </text>
                <rect
                  class={isWinner ? 'lane-won' : 'lane-lost'}
                  x={x(sentMs)}
                  width={Math.max(2, x(answeredMs) - x(sentMs))}
                  y={isNarrow ? y + 22 : y + 6}
                  height={12}
                />
                <text
                  class={isWinner ? 'lane-name' : ''}
                  x={isNarrow ? left + 72 : x(answeredMs) + 8}
                  y={y + 16}
                >
                  {answer} · {milliseconds(answeredMs - sentMs)}
                </text>
              </g>
            );
          });
        }}
      </Chart>
      <TableBehind
        caption={title}
        columns={[
          { title: 'Driver', cell: (lane: Lane) => lane.name },
          { title: 'Result', cell: (lane) => lane.answer },
          { title: 'Latency', cell: (lane) => milliseconds(lane.answeredMs - lane.sentMs), isNumber: true },
        ]}
        rows={lanes}
        keyOf={({ name }) => name}
        empty="No results yet."
      />
    </figure>
  );
}
