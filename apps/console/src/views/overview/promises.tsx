import type { ComponentChildren } from 'preact';
import { count } from '../../parts/figures.js';
import type { Result } from '../../session/gateway-client.js';

export type OverviewFacts = Result<'overview'>;

interface Promised {
  readonly title: string;
  readonly says: string;
  /** Kept, kept with less margin than usual, or broken. */
  readonly state: 'kept' | 'limit' | 'broken';
  readonly now: ComponentChildren;
  readonly tryAt: { readonly path: string; readonly text: string };
}

/** Remaining time without Redis below which the promise is at risk. */
const LEASE_NEAR_S = 10;
const OUTBOX_NEAR_S = 5;
const STATE_WORDS = { kept: 'kept', limit: 'kept, at risk', broken: 'broken' } as const;

/** Whether the three promises are kept right now. */
export function Promises({ facts }: { readonly facts: OverviewFacts }) {
  return (
    <div class="columns three">
      {[ids(facts), numbers(facts), trips(facts)].map(({ title, says, state, now, tryAt }) => (
        <section key={title} class="panel promise">
          <div class="row">
            <h2>{title}</h2>
            <span class={`tag ${state === 'kept' ? 'chosen' : state}`}>{STATE_WORDS[state]}</span>
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
  const left = leaseSecondsLeft === null ? 0 : Math.floor(leaseSecondsLeft);
  return {
    title: 'IDs',
    says: 'No two processes ever generate the same ID.',
    state: node !== null && left >= LEASE_NEAR_S ? 'kept' : 'limit',
    now:
      node === null
        ? 'This gateway has no node and cannot generate IDs.'
        : `Node ${node}; ${count(idCount)} generated since the start; IDs continue for ${left} s without Redis.`,
    tryAt: { path: '/nodes', text: 'Generate one and inspect it' },
  };
}

function numbers({ buckets }: OverviewFacts): Promised {
  const regressions = sum(buckets, 'regressionCount');
  const fallbacks = sum(buckets, 'numberFallbackCount');
  return {
    title: 'Document numbers',
    says: 'Numbers in a series run 1, 2, 3 …: no duplicates, no gaps.',
    state: regressions > 0 ? 'broken' : fallbacks > 0 ? 'limit' : 'kept',
    now:
      regressions > 0
        ? `${count(regressions)} counters are below a number that was already issued: see the ledger.`
        : `${count(sum(buckets, 'numberCount'))} in the last hour; ${count(fallbacks)} commits without Redis.`,
    tryAt: { path: '/load', text: 'Issue a hundred at once' },
  };
}

function trips({ buckets, outbox }: OverviewFacts): Promised {
  const waiting = outbox === null ? 'Publishing status is unknown.' : lagOf(outbox);
  const isLate = outbox !== null && outbox.oldestSeconds > OUTBOX_NEAR_S;
  const failures = sum(buckets, 'gateFailureCount');
  return {
    title: 'Trips',
    says: 'Of all drivers who accept, exactly one gets the trip.',
    state: isLate || outbox === null || failures > 0 ? 'limit' : 'kept',
    now: `Trips accepted in the last hour: ${count(sum(buckets, 'tripsWonCount'))}. Calls handled without Redis: ${count(failures)}. ${waiting}`,
    tryAt: { path: '/trips', text: 'Let drivers race for one' },
  };
}

function lagOf({ waitingCount, oldestSeconds }: NonNullable<OverviewFacts['outbox']>): string {
  if (waitingCount === 0) return 'All events are published.';
  return `${count(waitingCount)} events are waiting to be published, the oldest for ${Math.ceil(oldestSeconds)} s.`;
}

type Counted =
  | 'regressionCount'
  | 'numberFallbackCount'
  | 'numberCount'
  | 'tripsWonCount'
  | 'gateFailureCount';

function sum(buckets: OverviewFacts['buckets'], name: Counted): number {
  return buckets.reduce((total, bucket) => total + bucket[name], 0);
}
