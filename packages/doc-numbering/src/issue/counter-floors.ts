import { Deadline, notApplied, PostgresFailure, repeat, type SqlSession } from '@solegate/postgres-infra';
import type { CommitOptions } from '../draw/commit-batch.js';
import { TRANSACTION_MARK } from '../draw/draw-statement.js';
import { type HighWaterMarks, isBefore, PATIENCE_MS } from '../redis/high-water-marks.js';
import type { CounterAddress, Position } from '../request/resolved-request.js';
import { selectRows } from '../sql/rows.js';
import { type CounterQueue, limitsOf, longestWaitMs } from './counter-queue.js';

const SELECT_COUNTERS = `
SELECT concat_ws(E'\\n', c.series_id, c.dimensions, c.period) AS key, c.id::text AS "counterId",
  c.last_number::float8 AS last, c.version::float8, c.last_date::text AS "lastDate"
FROM unnest($1::bigint[], $2::text[], $3::text[]) AS w (series_id, dimensions, period)
JOIN document_number_counters c USING (series_id, dimensions, period)`;

const OPEN_COUNTERS = `
SELECT concat_ws(E'\\n', c.series_id, c.dimensions, c.period) AS key, c.counter_id::text AS "counterId",
  c.last_number::float8 AS last, c.version::float8, c.first_number::float8 AS first, c.last_date::text AS "lastDate",
  c.revision::float8, c.server, set_config('${TRANSACTION_MARK}', $6, true) AS mark
FROM document_number_open_v1($1::bigint[], $2::text[], $3::text[], $4::integer, $5::boolean) c`;

/** A counter as one statement has found it. */
interface FoundCounter {
  /** The key of its address. */
  readonly key: string;
  readonly counterId: string;
  readonly last: number;
  readonly version: number;
  readonly lastDate: string | undefined;
}

export interface OpenedCounter extends FoundCounter {
  readonly first: number;
  /** Of its series. */
  readonly revision: number;
  /** The PostgreSQL that replied. */
  readonly server: string;
}

/** Finds the rows of counters; those that do not exist are left out. */
export function findCounters(
  session: SqlSession,
  addresses: readonly CounterAddress[],
): Promise<FoundCounter[]> {
  return selectRows<FoundCounter>(session, SELECT_COUNTERS, scopeColumns(addresses));
}

/**
 * Finds the rows of counters in id order, and creates those that do not exist.
 *
 * @param options.locks whether to lock them until the end of the transaction, waiting until the deadline
 * @param options.mark a value that shows later statements that they are in the same transaction
 */
export function openCounters(
  session: SqlSession,
  addresses: readonly CounterAddress[],
  deadline: Deadline,
  { locks = false, mark = '' }: { readonly locks?: boolean; readonly mark?: string } = {},
): Promise<OpenedCounter[]> {
  const values = [...scopeColumns(addresses), longestWaitMs(deadline), locks, mark];
  return selectRows<OpenedCounter>(session, OPEN_COUNTERS, values);
}

const scopeColumns = (addresses: readonly CounterAddress[]): unknown[] => [
  addresses.map(({ series }) => series.id),
  addresses.map(({ dimensionsKey }) => dimensionsKey),
  addresses.map(({ period }) => period),
];

/** Attempts to create rows on a server that accepts no changes. */
const ATTEMPT_MAX = 8;

export interface FloorOptions extends CommitOptions {
  readonly marks: HighWaterMarks | undefined;
}

/**
 * Tracks for which PostgreSQL the rows and floors of counters are known. Only a different server, or the same one put
 * back, can have a lower row, or the id of a counter for another one. So row and mark are read when a counter is first
 * used, and again after each reply of a server that is not the known one; a draw needs no extra round trip.
 */
export class CounterFloors {
  readonly #options: FloorOptions;
  /** The PostgreSQL that replied last; '' at first. See moveTo. */
  server = '';
  /**
   * Until when marks are asked for again: for a while once this process has met a PostgreSQL, at its start or after a
   * change, because a fail-over, and the restarts that follow one, leave Redis with much to do. It is part of the second by
   * which a call can end later than its time.
   */
  #patience = Deadline.after(0);

  constructor(options: FloorOptions) {
    this.#options = options;
  }

  /** Records which PostgreSQL replied. If it is a new one, commits may be lost, which only marks can show. */
  moveTo(server: string): void {
    if (server === this.server) return;
    this.#patience = Deadline.after(PATIENCE_MS);
    this.server = server;
  }

  /**
   * Reads what is not known of counters on this PostgreSQL, and creates missing rows.
   *
   * @param waitMs longest wait for a row that a transaction has created which is still open
   * @returns counters that have no row: `lost`, because their series is gone, and `held` by such a transaction
   * @throws PostgresFailure
   */
  async read(
    counters: readonly CounterQueue[],
    waitMs: number,
  ): Promise<Readonly<Record<'lost' | 'held', readonly CounterQueue[]>>> {
    const closed = counters.filter(({ known }) => known.server !== this.server);
    const held = closed.length > 0 ? await this.#openFree(closed, waitMs) : [];
    const opened = counters.filter((counter) => !held.includes(counter));
    await this.refresh(opened);
    return { lost: opened.filter(({ known }) => known.server === undefined), held };
  }

  /** Opens counters together, or those that no one holds in halves, which share the wait. Returns the others. */
  async #openFree(counters: readonly CounterQueue[], waitMs: number): Promise<readonly CounterQueue[]> {
    if (await this.#open(counters, waitMs)) return [];
    if (counters.length === 1) return counters;
    const half = Math.ceil(counters.length / 2);
    const first = await this.#openFree(counters.slice(0, half), waitMs / 2);
    return [...first, ...(await this.#openFree(counters.slice(half), waitMs / 2))];
  }

  /** Returns whether it has opened them: none, if one of them is held. */
  async #open(counters: readonly CounterQueue[], waitMs: number): Promise<boolean> {
    const { database, random, observer } = this.#options;
    const waiting = counters.flatMap((counter) => counter.waiting);
    // Their requests were late, while others of the round were opened.
    if (waiting.length === 0) return false;
    const addresses = counters.map(({ address }) => address);
    const { deadline, waitMs: lockMs = waitMs } = limitsOf(waiting, waitMs);
    const open = () =>
      openCounters(database.changing(deadline), addresses, deadline.atMost(lockMs)).catch(
        (error: unknown) => {
          if (!(error instanceof PostgresFailure)) throw error;
          if (error.kind === 'BUSY') return undefined;
          // A counter may have been created, but no number was taken.
          throw notApplied(error);
        },
      );
    const opened = await repeat(open, {
      deadline,
      random,
      attemptMax: ATTEMPT_MAX,
      onRetry: ({ attempt, failure }) => observer.storeRetried?.({ attempt, error: failure }),
    });
    if (!opened) return false;
    const byKey = new Map(opened.map((found) => [found.key, found]));
    for (const { address, known } of counters) {
      const found = byKey.get(address.key);
      if (found) known.open(found.counterId, found, found.server);
      else known.lose();
    }
    this.moveTo(opened[0]?.server ?? this.server);
    return true;
  }

  /** Reads the marks that are not known for the PostgreSQL on which a transaction has opened counters. */
  async readMarks(counters: readonly CounterQueue[], server: string): Promise<void> {
    this.moveTo(server);
    const unmarked = counters.filter(({ known }) => !known.isMarkedFor(server));
    if (unmarked.length > 0) await this.refresh(unmarked);
  }

  /** Reads the marks again: a mark that a person has removed no longer counts. */
  async refresh(counters: readonly CounterQueue[]): Promise<void> {
    const { server } = this;
    const { marks } = this.#options;
    const keys = counters.map(({ lockKey }) => lockKey.state);
    const found = marks ? await marks.read(keys, this.#patience) : [];
    // Redis did not respond: it is read again before the next draw.
    if (!found) return;
    for (const [index, { known }] of counters.entries()) known.hear(server, found[index]);
  }

  /** Whether numbers after a position were lost. Looks again: the mark might have been removed from Redis. */
  async isBelow(counter: CounterQueue, position: Position): Promise<boolean> {
    await this.refresh([counter]);
    return isBefore(position, counter.known.mark);
  }
}
