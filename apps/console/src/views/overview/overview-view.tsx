import { Fact } from '../../parts/fact.js';
import { Moment } from '../../parts/moment.js';
import { Failure } from '../../parts/notice.js';
import { PageHead } from '../../parts/page-head.js';
import { roles } from '../../session/identity.js';
import { useAnswer } from '../../session/use-answer.js';
import { LastHour } from './hour.js';
import { type OverviewFacts, Promises } from './promises.js';

const READ_EVERY_MS = 2_000;
const PART_WORDS: Readonly<Record<string, string>> = {
  postgres: 'PostgreSQL',
  redis: 'Redis',
  nodeLease: 'Node lease',
};

export function OverviewView() {
  return (
    <>
      <PageHead
        title="Overview"
        lede="Solegate hands out things that exactly one caller may have: IDs, document numbers, trips."
      />
      {roles.value.has('admin') ? (
        <Watched />
      ) : (
        <p>Choose a view. Gateway status is visible to administrators only.</p>
      )}
    </>
  );
}

function Watched() {
  const overview = useAnswer((client) => client.overview({}), [], { everyMs: READ_EVERY_MS });
  const facts = overview.value;
  return (
    <div class="stack">
      {facts === undefined && overview.error === undefined && <p class="quiet">Loading …</p>}
      <Failure error={overview.error} onRetry={overview.reload} />
      {facts && overview.error === undefined && (
        <>
          <p>
            This is process <span class="mono">{facts.process}</span>, which started{' '}
            <Moment iso={facts.startedAt} />. It counts only what it served itself; the next answer can come
            from another process.
          </p>
          <Promises facts={facts} />
          <Parts facts={facts} />
          <LastHour buckets={facts.buckets} />
        </>
      )}
    </div>
  );
}

/** The gateway's stores, its lease and its connections. */
function Parts({ facts }: { readonly facts: OverviewFacts }) {
  const { parts, databaseConnections } = facts;
  return (
    <section class="panel">
      <h2>System status</h2>
      <dl class="facts">
        {parts.map(({ name, isUp, awaySeconds, problem }) => (
          <Fact key={name} name={PART_WORDS[name] ?? name}>
            {isUp ? (
              'available'
            ) : (
              <span class="tag limit">{`${problem ?? 'unavailable'}, ${Math.ceil(awaySeconds)} s`}</span>
            )}
          </Fact>
        ))}
        <Fact name="Connections">
          {databaseConnections.usedCount} in use, {databaseConnections.waitingCount} waiting
        </Fact>
      </dl>
    </section>
  );
}
