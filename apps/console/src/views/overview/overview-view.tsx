import { Fact } from '../../parts/fact.js';
import { count, megabytes } from '../../parts/figures.js';
import { Moment } from '../../parts/moment.js';
import { Progress } from '../../parts/notice.js';
import { PageHead } from '../../parts/page-head.js';
import { roles } from '../../session/identity.js';
import { useAnswer } from '../../session/use-answer.js';
import { LastHour, type OverviewFacts } from './hour.js';
import { Processes } from './processes.js';
import { PromiseTable } from './promise-table.js';

const READ_EVERY_MS = 2_000;
const PART_WORDS: Readonly<Record<string, string>> = {
  postgres: 'PostgreSQL',
  redis: 'Redis',
  nodeLease: 'Node lease',
};

/** A part of a further database is followed by that database's name. */
function wordsOfPart(part: string): string {
  const [kind = '', ...cell] = part.split(' ');
  return [PART_WORDS[kind] ?? kind, ...cell].join(' ');
}

export function OverviewView() {
  return (
    <>
      <PageHead
        title="Overview"
        lede="Solegate hands out things that exactly one caller may have: IDs, document numbers, trips."
      />
      <div class="stack">
        <PromiseTable />
        {roles.value.has('admin') ? (
          <Watched />
        ) : (
          <p>Choose a view. Figures are visible to administrators only.</p>
        )}
      </div>
    </>
  );
}

function Watched() {
  const overview = useAnswer((client) => client.overview({}), [], { everyMs: READ_EVERY_MS });
  const facts = overview.value;
  return (
    <>
      <Progress of={overview} />
      {facts && overview.error === undefined && (
        <>
          <p>
            This is process <span class="mono">{facts.process}</span>, which started{' '}
            <Moment iso={facts.startedAt} />. It counts only what it served itself; the next answer can come
            from another process.
          </p>
          <Parts facts={facts} />
          <Processes mine={facts.process} />
          <LastHour buckets={facts.buckets} />
        </>
      )}
    </>
  );
}

/** The parts of the process, and what it has done. */
function Parts({ facts }: { readonly facts: OverviewFacts }) {
  const { parts, databaseConnections, node, leaseSecondsLeft, idCount, outbox, buckets, redisMemory } = facts;
  return (
    <section class="panel">
      <h2>System status</h2>
      <dl class="facts">
        {parts.map(({ name, isUp, awaySeconds }) => (
          <Fact key={name} name={wordsOfPart(name)}>
            {isUp ? 'available' : <span class="tag limit">away for {Math.ceil(awaySeconds)} s</span>}
          </Fact>
        ))}
        <Fact name="Node">{node ?? 'none'}</Fact>
        <Fact name="Lease left">
          {leaseSecondsLeft === null ? '–' : `${Math.max(0, Math.floor(leaseSecondsLeft))} s`}
        </Fact>
        <Fact name="IDs since its start">{count(idCount)}</Fact>
        <Fact name="Numbers, last hour">{count(sum(buckets, 'numberCount'))}</Fact>
        <Fact name="Regressions">{count(sum(buckets, 'regressionCount'))}</Fact>
        <Fact name="Trips won, last hour">{count(sum(buckets, 'tripsWonCount'))}</Fact>
        <Fact name="Events to publish">{outbox === null ? 'unknown' : lagOf(outbox)}</Fact>
        <Fact name="Connections in use">
          {databaseConnections.usedCount}, {databaseConnections.waitingCount} waiting
        </Fact>
        <Fact name="Memory of Redis">
          {redisMemory === null ? 'unknown' : <RedisMemory {...redisMemory} />}
        </Fact>
        <Fact name="Marks waiting">
          {facts.waitingMarkCount === 0 ? 'none' : count(facts.waitingMarkCount)}
        </Fact>
      </dl>
    </section>
  );
}

/** Above this share, Redis is about to refuse what it must remember. */
const MEMORY_LIMIT_NEAR = 0.8;

function RedisMemory({ usedBytes, maxBytes }: NonNullable<OverviewFacts['redisMemory']>) {
  const used = megabytes(usedBytes);
  if (maxBytes === 0) return <>{used}, no limit</>;
  const isNear = usedBytes > MEMORY_LIMIT_NEAR * maxBytes;
  return (
    <span class={isNear ? 'tag limit' : ''}>
      {used} of {megabytes(maxBytes)}
    </span>
  );
}

function lagOf({ waitingCount, oldestSeconds }: NonNullable<OverviewFacts['outbox']>): string {
  return waitingCount === 0 ? 'none' : `${count(waitingCount)}, the oldest for ${Math.ceil(oldestSeconds)} s`;
}

function sum(
  buckets: OverviewFacts['buckets'],
  name: 'numberCount' | 'regressionCount' | 'tripsWonCount',
): number {
  return buckets.reduce((total, bucket) => total + bucket[name], 0);
}
