import type { Registry } from 'prom-client';
import { BREAKAGE } from '../operations/operation-trace.js';
import { type Distribution, MetricTotals, quantileSince } from './metric-totals.js';
import type { OverviewBucket } from './overview.type.js';

/*
 * The last hour of this process, read from its metrics once a minute, for operators without a monitoring system. A
 * minute is some twenty numbers, so the hour takes about 10 kB, and no caller waits for it.
 */

const BUCKET_MS = 60_000;
const BUCKETS_MAX = 60;
const OPERATIONS = 'solegate_gateway_operation_seconds';
const COMMITS = 'solegate_numbers_commit_seconds';

type CountName = Extract<keyof OverviewBucket, `${string}Count`>;

interface Totals {
  readonly atMs: number;
  /** Monotonic, unlike `atMs`: how long a minute was does not depend on a clock that is set. */
  readonly tickMs: number;
  readonly counts: Readonly<Record<CountName, number>>;
  readonly commits: Distribution;
  readonly accepts: Distribution;
}

export interface RecentHistoryParts {
  readonly registry: Registry;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** Monotonic milliseconds. */
  readonly tick: () => number;
}

export class RecentHistory {
  readonly #totals: MetricTotals;
  readonly #parts: RecentHistoryParts;
  readonly #closed: OverviewBucket[] = [];
  #last: Totals | undefined;
  #timer: NodeJS.Timeout | undefined;

  constructor(parts: RecentHistoryParts) {
    this.#parts = parts;
    this.#totals = new MetricTotals(parts.registry);
  }

  /** Starts the first minute. */
  async start(): Promise<void> {
    this.#last = await this.#read();
    this.#timer = setInterval(() => void this.close(), BUCKET_MS).unref();
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  /** Ends the current minute and starts the next. */
  async close(): Promise<void> {
    const now = await this.#read();
    this.#closed.push(this.#between(this.#last ?? now, now));
    if (this.#closed.length > BUCKETS_MAX) this.#closed.shift();
    this.#last = now;
  }

  /** Returns the minutes, oldest first, ending with the current one. At most an hour and a minute. */
  async buckets(): Promise<readonly OverviewBucket[]> {
    const now = await this.#read();
    return [...this.#closed, this.#between(this.#last ?? now, now)];
  }

  async #read(): Promise<Totals> {
    const totals = this.#totals;
    const codeOf = ({ code }: { readonly code?: string | number }) => String(code);
    const [operations, succeeded, failed, accepts] = await Promise.all([
      totals.distribution(OPERATIONS),
      totals.distribution(OPERATIONS, (labels) => codeOf(labels) === 'OK'),
      totals.distribution(OPERATIONS, (labels) => BREAKAGE.has(codeOf(labels))),
      // A driver who is too late mostly gets the result from memory, which only the operation metric shows.
      totals.distribution(OPERATIONS, ({ operation }) => operation === 'Mutation.acceptTrip'),
    ]);
    return {
      atMs: this.#parts.now(),
      tickMs: this.#parts.tick(),
      counts: {
        operationCount: operations.count,
        refusedCount: operations.count - succeeded.count - failed.count,
        failedCount: failed.count,
        idCount: await totals.sum('solegate_tsid_minted_total'),
        numberCount: await totals.sum('solegate_numbers_issued_total'),
        regressionCount: await totals.sum('solegate_numbers_regressions_total'),
        acceptCount: accepts.count,
        tripsWonCount: await totals.sum(
          'solegate_trips_outcomes_total',
          (trip) => trip.outcome === 'ACCEPTED',
        ),
      },
      commits: await totals.distribution(COMMITS),
      accepts,
    };
  }

  #between(before: Totals, now: Totals): OverviewBucket {
    const counts = Object.entries(now.counts).map(([name, count]) => [
      name,
      count - before.counts[name as CountName],
    ]);
    return {
      ...(Object.fromEntries(counts) as Totals['counts']),
      from: new Date(before.atMs),
      seconds: (now.tickMs - before.tickMs) / 1_000,
      commitP50Ms: millisecondsOf(now.commits, before.commits, 0.5),
      commitP99Ms: millisecondsOf(now.commits, before.commits, 0.99),
      acceptP50Ms: millisecondsOf(now.accepts, before.accepts, 0.5),
      acceptP99Ms: millisecondsOf(now.accepts, before.accepts, 0.99),
    };
  }
}

function millisecondsOf(now: Distribution, before: Distribution, part: number): number | undefined {
  const seconds = quantileSince(now, before, part);
  return seconds === undefined ? undefined : Math.round(seconds * 1e6) / 1e3;
}
