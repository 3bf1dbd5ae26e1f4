import type { ComponentChildren } from 'preact';
import { count } from '../../parts/figures.js';
import type { Result } from '../../session/gateway-client.js';

export type OverviewFacts = Result<'overview'>;

interface Promised {
  readonly title: string;
  readonly says: string;
  /** How it stands: kept, kept with less room than usual, or broken. */
  readonly state: 'kept' | 'limit' | 'broken';
  readonly now: ComponentChildren;
  readonly tryAt: { readonly path: string; readonly text: string };
}

/** IDs go on so long without Redis; below this somebody should look. */
const LEASE_NEAR_S = 10;
const OUTBOX_NEAR_S = 5;
const STATE_WORDS = { kept: 'kept', limit: 'kept, look at it', broken: 'broken' } as const;

/** Are the three promises kept right now? */
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
    says: 'No two processes ever make the same ID.',
    state: node !== null && left >= LEASE_NEAR_S ? 'kept' : 'limit',
    now:
      node === null
        ? 'This gateway has no node and makes no IDs.'
        : `Node ${node}; ${count(idCount)} made since the start; IDs go on for ${left} s without Redis.`,
    tryAt: { path: '/nodes', text: 'Make one and take it apart' },
  };
}

function numbers({ buckets }: OverviewFacts): Promised {
  const regressions = sum(buckets, 'regressionCount');
  const fallbacks = sum(buckets, 'numberFallbackCount');
  return {
    title: 'Document numbers',
    says: 'The numbers of a series are 1, 2, 3 … none twice, none missing.',
    state: regressions > 0 ? 'broken' : fallbacks > 0 ? 'limit' : 'kept',
    now:
      regressions > 0
        ? `${count(regressions)} counters stand below a number that was issued: see the ledger.`
        : `${count(sum(buckets, 'numberCount'))} in the last hour; ${count(fallbacks)} commits went on without Redis.`,
    tryAt: { path: '/load', text: 'Issue a hundred at once' },
  };
}

function trips({ buckets, outbox }: OverviewFacts): Promised {
  const waiting = outbox === null ? 'Publishing cannot be judged now.' : lagOf(outbox);
  const isLate = outbox !== null && outbox.oldestSeconds > OUTBOX_NEAR_S;
  const failures = sum(buckets, 'gateFailureCount');
  return {
    title: 'Trips',
    says: 'Of all drivers who press accept, exactly one has the trip.',
    state: isLate || outbox === null || failures > 0 ? 'limit' : 'kept',
    now: `${count(sum(buckets, 'tripsWonCount'))} trips found their driver in the last hour. ${waiting}`,
    tryAt: { path: '/trips', text: 'Let drivers race for one' },
  };
}

function lagOf({ waitingCount, oldestSeconds }: NonNullable<OverviewFacts['outbox']>): string {
  if (waitingCount === 0) return 'Every event is published.';
  return `${count(waitingCount)} events wait to be published, the oldest for ${Math.ceil(oldestSeconds)} s.`;
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
