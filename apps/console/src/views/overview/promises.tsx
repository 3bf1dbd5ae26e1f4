import type { ComponentChildren } from 'preact';
import { count } from '../../parts/figures.js';
import type { Result } from '../../session/gateway-client.js';
import { isDemo } from '../../session/identity.js';

export type OverviewFacts = Result<'overview'>;

interface Promised {
  readonly title: string;
  readonly says: string;
  /** Whether this process serves it now. What is refused is not broken: nothing wrong is handed out. */
  readonly isServed: boolean;
  readonly now: ComponentChildren;
  readonly tryAt: { readonly path: string; readonly text: string };
}

/** For each promise, whether this process serves it now. */
export function Promises({ facts }: { readonly facts: OverviewFacts }) {
  return (
    <div class="columns three">
      {[ids(facts), numbers(facts), trips(facts)].map(({ title, says, isServed, now, tryAt }) => (
        <section key={title} class="panel promise">
          <div class="row">
            <h2>{title}</h2>
            <span class={`tag ${isServed ? 'chosen' : 'limit'}`}>{isServed ? 'served' : 'refused'}</span>
          </div>
          <p>{says}</p>
          <p class="quiet small">{now}</p>
          <a href={tryAt.path}>{tryAt.text}</a>
        </section>
      ))}
    </div>
  );
}

function ids({ node, leaseSecondsLeft, idCount }: OverviewFacts): Promised {
  const left = Math.floor(leaseSecondsLeft ?? 0);
  const isServed = node !== null && left > 0;
  return {
    title: 'IDs',
    says: 'No two processes ever generate the same ID.',
    isServed,
    now: isServed
      ? `Node ${node}; ${count(idCount)} generated since the start. If the lease is not renewed, IDs are refused in ${left} s.`
      : 'This process has no valid node lease. IDs are refused until it gets one.',
    tryAt: { path: '/nodes', text: 'Generate one and inspect it' },
  };
}

function numbers({ parts, buckets }: OverviewFacts): Promised {
  const regressions = sum(buckets, 'regressionCount');
  return {
    title: 'Document numbers',
    says: 'Numbers in a series run 1, 2, 3 …: no duplicates, no gaps.',
    isServed: isUp(parts, 'postgres'),
    now: `${count(sum(buckets, 'numberCount'))} in the last hour.${
      regressions > 0
        ? ` Refused ${count(regressions)} times, because a counter was below a number that was already issued: check the ledger.`
        : ''
    }`,
    tryAt: isDemo
      ? { path: '/load', text: 'Issue a hundred at once' }
      : { path: '/ledger', text: 'See the ledger' },
  };
}

function trips({ parts, buckets, outbox }: OverviewFacts): Promised {
  return {
    title: 'Trips',
    says: 'Of all drivers who accept, exactly one gets the trip.',
    isServed: isUp(parts, 'postgres'),
    now: `${count(sum(buckets, 'tripsWonCount'))} accepted in the last hour. ${outbox === null ? 'Publishing status is unknown.' : lagOf(outbox)}`,
    tryAt: { path: '/trips', text: isDemo ? 'Let drivers race for one' : 'See the trips' },
  };
}

function lagOf({ waitingCount, oldestSeconds }: NonNullable<OverviewFacts['outbox']>): string {
  if (waitingCount === 0) return 'All events are published.';
  return `${count(waitingCount)} events are waiting to be published, the oldest for ${Math.ceil(oldestSeconds)} s.`;
}

/** A gateway with several databases names each with its cell; one that works serves its own projects and regions. */
function isUp(parts: OverviewFacts['parts'], name: string): boolean {
  return parts.some((part) => part.name.startsWith(name) && part.isUp);
}

function sum(
  buckets: OverviewFacts['buckets'],
  name: 'regressionCount' | 'numberCount' | 'tripsWonCount',
): number {
  return buckets.reduce((total, bucket) => total + bucket[name], 0);
}
