import { LineChart } from '../../charts/line-chart.js';
import type { Result } from '../../session/gateway-client.js';

export type OverviewFacts = Result<'overview'>;
type Bucket = OverviewFacts['buckets'][number];

const perSecond =
  (countIn: (bucket: Bucket) => number) =>
  (bucket: Bucket): number =>
    countIn(bucket) / Math.max(1, bucket.seconds);

const CHARTS = [
  {
    title: 'Requests',
    label: 'per second',
    lines: [
      { name: 'operations', read: perSecond(({ operationCount }) => operationCount) },
      {
        name: 'refused or failed',
        read: perSecond(({ refusedCount, failedCount }) => refusedCount + failedCount),
      },
    ],
  },
  {
    title: 'Numbers and accepts',
    label: 'per second',
    lines: [
      { name: 'numbers', read: perSecond(({ numberCount }) => numberCount) },
      { name: 'accepts', read: perSecond(({ acceptCount }) => acceptCount) },
    ],
  },
  {
    title: 'Number commit latency',
    label: 'ms',
    lines: [
      { name: 'p50', read: ({ commitP50Ms }: Bucket) => commitP50Ms },
      { name: 'p99', read: ({ commitP99Ms }: Bucket) => commitP99Ms },
    ],
  },
  {
    title: 'Accept latency',
    label: 'ms',
    lines: [
      { name: 'p50', read: ({ acceptP50Ms }: Bucket) => acceptP50Ms },
      { name: 'p99', read: ({ acceptP99Ms }: Bucket) => acceptP99Ms },
    ],
  },
];

/** The last hour, minute by minute. */
export function LastHour({ buckets }: Pick<OverviewFacts, 'buckets'>) {
  return (
    <div class="columns">
      {CHARTS.map(({ title, label, lines }) => (
        <section key={title} class="panel">
          <h2>{title}</h2>
          <LineChart
            title={`${title} over the last hour`}
            label={label}
            minutes={buckets.map((_, index) => index - buckets.length + 1)}
            lines={lines.map(({ name, read }) => ({ name, values: buckets.map(read) }))}
          />
        </section>
      ))}
    </div>
  );
}
