import { useState } from 'preact/hooks';
import { PageHead } from '../../parts/page-head.js';
import type { GatewayClient, Result } from '../../session/gateway-client.js';
import { roles } from '../../session/identity.js';
import { useAnswer } from '../../session/use-answer.js';
import { CorrectCounter } from './correct-counter.js';
import { CounterList } from './counter-list.js';
import { DefineSeries } from './define-series.js';
import type { Series } from './definition-fields.js';
import { SeriesList } from './series-list.js';

export function CountersView() {
  const series = useAnswer(readSeries, []);
  const [changes, setChanges] = useState(0);
  const isAdmin = roles.value.has('admin');
  return (
    <>
      <PageHead
        title="Counters and series"
        lede="A series defines how a document type is numbered. Its counters only go up, and restart with each period."
      />
      <div class="stack">
        <CounterList key={changes} />
        <SeriesList series={series} />
        {isAdmin && <CorrectCounter onDone={() => setChanges((before) => before + 1)} />}
        {isAdmin && series.value && <DefineSeries series={series.value} onDone={series.reload} />}
        {!isAdmin && <p class="quiet small">Only an administrator can define, block or correct a series.</p>}
      </div>
    </>
  );
}

async function readSeries(client: GatewayClient): Promise<readonly Series[]> {
  const all: Series[] = [];
  for (let after: string | null = null; ; ) {
    const { edges, pageInfo }: Result<'documentSeries'> = await client.documentSeries({ first: 100, after });
    all.push(...edges.map(({ node }) => node));
    if (!pageInfo.hasNextPage) return all;
    after = pageInfo.endCursor;
  }
}
