import { useState } from 'preact/hooks';
import { useCatalog } from '../../parts/catalog.js';
import { CodeChoice } from '../../parts/code-choice.js';
import { PageHead } from '../../parts/page-head.js';
import { reasonOf } from '../../session/failure.js';
import type { GatewayClient, Result } from '../../session/gateway-client.js';
import { roles } from '../../session/identity.js';
import { useAnswer } from '../../session/use-answer.js';
import { CorrectCounter } from './correct-counter.js';
import { CounterList } from './counter-list.js';
import { DefineSeries } from './define-series.js';
import type { Series } from './definition-fields.js';
import { SeriesList } from './series-list.js';

export function CountersView() {
  const [projectCode, setProjectCode] = useState('');
  const read = useAnswer(
    async (client) => ({ projectCode, series: await readSeries(client, projectCode) }),
    [projectCode],
  );
  // The answer about the project chosen before is still there while the next one is awaited.
  const isAnswered = read.value?.projectCode === projectCode;
  const series = { ...read, value: isAnswered ? read.value?.series : undefined };
  const [changes, setChanges] = useState(0);
  const isAdmin = roles.value.has('admin');
  return (
    <>
      <PageHead
        title="Counters and series"
        lede="A series defines how a document type is numbered. Its counters only go up, and restart with each period."
      />
      <div class="stack">
        <ProjectChoice
          value={projectCode}
          onValue={setProjectCode}
          isNeeded={reasonOf(read.error) === 'PROJECT_NEEDED'}
        />
        <CounterList projectCode={projectCode} revision={changes} />
        <SeriesList series={series} />
        {isAdmin && <CorrectCounter onDone={() => setChanges((before) => before + 1)} />}
        {isAdmin && series.value && (
          <DefineSeries
            key={projectCode}
            projectCode={projectCode}
            series={series.value}
            onDone={series.reload}
          />
        )}
        {!isAdmin && <p class="quiet small">Only an administrator can define, block or correct a series.</p>}
      </div>
    </>
  );
}

interface ProjectChoiceProps {
  readonly value: string;
  readonly onValue: (code: string) => void;
  readonly isNeeded: boolean;
}

/** Whose counters and series are shown, if there are several projects: not every caller can read all of them at once. */
function ProjectChoice({ isNeeded, ...choice }: ProjectChoiceProps) {
  const projects = useCatalog().value?.projects;
  const isOne = projects?.isWhole && projects.codes.length < 2;
  if (projects === undefined || (isOne && !isNeeded && choice.value === '')) return null;
  return (
    <section class="panel row end" aria-label="Filter">
      <CodeChoice list={projects} label="Project" none="all" {...choice} />
    </section>
  );
}

/** @param projectCode empty: of all projects */
async function readSeries(client: GatewayClient, projectCode: string): Promise<readonly Series[]> {
  const filter = projectCode === '' ? {} : { projectCode };
  const all: Series[] = [];
  for (let after: string | null = null; ; ) {
    const page: Result<'documentSeries'> = await client.documentSeries({ first: 100, after, ...filter });
    const { edges, pageInfo } = page;
    all.push(...edges.map(({ node }) => node));
    if (!pageInfo.hasNextPage) return all;
    after = pageInfo.endCursor;
  }
}
