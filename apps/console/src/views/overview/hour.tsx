import type { ComponentChildren } from 'preact';
import { LineChart } from '../../charts/line-chart.js';
import type { Result } from '../../session/gateway-client.js';

export type OverviewFacts = Result<'overview'>;
type Bucket = OverviewFacts['buckets'][number];

/** The last hour, minute by minute. */
export function LastHour({ buckets }: { readonly buckets: OverviewFacts['buckets'] }) {
  const minutes = buckets.map((_, index) => index - buckets.length + 1);
  const pick = (read: (bucket: Bucket) => number | null) => buckets.map(read);
  const rate = (name: 'operationCount' | 'numberCount' | 'acceptCount' | 'refusedCount' | 'failedCount') =>
    pick((bucket) => bucket[name] / Math.max(1, bucket.seconds));
  return (
    <div class="columns">
      <Panel title="Requests">
        <LineChart
          title="Requests per second over the last hour"
          label="per second"
          minutes={minutes}
          lines={[
            { name: 'operations', values: rate('operationCount') },
            { name: 'refused or failed', values: sumOf(rate('refusedCount'), rate('failedCount')) },
          ]}
        />
      </Panel>
      <Panel title="Numbers and accepts">
        <LineChart
          title="Numbers and accepts per second over the last hour"
          label="per second"
          minutes={minutes}
          lines={[
            { name: 'numbers', values: rate('numberCount') },
            { name: 'accepts', values: rate('acceptCount') },
          ]}
        />
      </Panel>
      <Panel title="Number commit latency">
        <LineChart
          title="Number commit latency over the last hour"
          label="ms"
          minutes={minutes}
          lines={[
            { name: 'p50', values: pick(({ commitP50Ms }) => commitP50Ms) },
            { name: 'p99', values: pick(({ commitP99Ms }) => commitP99Ms) },
          ]}
        />
      </Panel>
      <Panel title="Accept latency">
        <LineChart
          title="Accept latency over the last hour"
          label="ms"
          minutes={minutes}
          lines={[
            { name: 'p50', values: pick(({ acceptP50Ms }) => acceptP50Ms) },
            { name: 'p99', values: pick(({ acceptP99Ms }) => acceptP99Ms) },
          ]}
        />
      </Panel>
    </div>
  );
}

function Panel({ title, children }: { readonly title: string; readonly children: ComponentChildren }) {
  return (
    <section class="panel">
      <h2>{title}</h2>
      {children}
    </section>
  );
}

function sumOf(one: readonly (number | null)[], other: readonly (number | null)[]): readonly number[] {
  return one.map((value, index) => (value ?? 0) + (other[index] ?? 0));
}
