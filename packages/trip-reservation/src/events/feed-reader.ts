import {
  Deadline,
  type Look,
  PolledFeed,
  type PolledFeedOptions,
  PostgresFailure,
} from '@solegate/postgres-infra';
import type { TripDatabase } from '../sql/database.js';
import { storeError, TripFeedBrokenError } from '../trip/errors.js';
import type { TripEvent } from '../trip/trip.js';
import { BEGINNING, type FeedPosition, type TripFeed, writeCursor } from './feed.js';
import { CHECK_FEED, LOCK_FEED, PAGE, PLACE_EVENTS, READ_FEED } from './feed-statements.js';
import { eventOf } from './outbox.js';

/** How far the clocks of two servers may differ, in milliseconds: what is older than this was there before a restore. */
const CLOCK_MS = 60_000;

interface PageRow {
  readonly server: string;
  readonly last_position: number;
  readonly now_ms: number;
  readonly pruned_ms: number | null;
  readonly is_unplaced: boolean;
  readonly position: number | null;
  readonly trip_id: string;
  readonly revision: number;
  readonly occurred_ms: number;
}

interface CheckRow extends Pick<PageRow, 'server' | 'last_position' | 'now_ms' | 'pruned_ms'> {
  readonly namespace_id: string;
  readonly trip_id: string | null;
  readonly revision: number | null;
  readonly occurred_ms: number | null;
  readonly kept_position: number | null;
  readonly kept_trip_id: string;
  readonly kept_revision: number;
  readonly kept_ms: number;
}

export interface TripReaderOptions extends PolledFeedOptions {
  readonly database: TripDatabase;
  readonly requestTimeoutMs: number;
  readonly namespaceId: string;
  readonly at: FeedPosition;
}

/** What `TripReader` needs of a database. */
export type FeedStore = Pick<TripReaderOptions, 'database' | 'requestTimeoutMs'>;

/** Reads placed events page by page. See decision 0017. */
export class TripReader extends PolledFeed<TripEvent> implements TripFeed {
  readonly #options: TripReaderOptions;
  #at: FeedPosition;
  #server: string | undefined;
  #behindCount = 0;

  constructor(options: TripReaderOptions, server: string) {
    super(options);
    this.#options = options;
    this.#at = options.at;
    this.#server = server;
  }

  get cursor(): string {
    return writeCursor(this.#options.namespaceId, this.#at);
  }

  get behindCount(): number {
    return this.#behindCount;
  }

  /** @throws TripReservationError */
  protected async look(): Promise<Look<TripEvent>> {
    const { position } = this.#at;
    const rows = (await readAs(this.#options, READ_FEED, [position])) as PageRow[];
    const [state] = rows;
    if (!state) throw new Error('the tables trip_namespace and trip_feed must have one row each');
    const isPruned = (state.pruned_ms ?? 0) > this.#at.completeMs;
    if (state.server !== this.#server || state.last_position < position || isPruned) {
      this.#server = (await checkFeed(this.#options, this.#at)).server;
      return { ready: [], isMoreLeft: true };
    }
    const events = rows.filter((row) => row.position !== null);
    this.#behindCount = state.last_position - position;
    if (state.is_unplaced) await placeEvents(this.#options);
    const isMoreLeft = state.is_unplaced || events.length === PAGE;
    const completeMs = isMoreLeft ? this.#at.completeMs : state.now_ms;
    if (events.length === 0) this.#at = { ...this.#at, completeMs };
    const ready = events.map((row, index) => ({
      fact: eventOf(row),
      advance: () => this.#advance(row, index === events.length - 1 ? completeMs : this.#at.completeMs),
    }));
    return { ready, isMoreLeft };
  }

  #advance({ position, trip_id, revision, occurred_ms, last_position }: PageRow, completeMs: number): void {
    const newestMs = Math.max(this.#at.newestMs, occurred_ms);
    this.#at = {
      position: position ?? 0,
      tripId: trip_id,
      revision,
      occurredMs: occurred_ms,
      newestMs,
      completeMs,
    };
    this.#behindCount = last_position - this.#at.position;
  }
}

/** Returns the state of the tables. @throws TripFeedBrokenError if what was read up to a position is no longer there */
export async function checkFeed(store: FeedStore, at: FeedPosition): Promise<CheckRow> {
  const boundMs = at.newestMs - CLOCK_MS;
  const [row] = (await readAs(store, CHECK_FEED, [at.position, boundMs, at.tripId])) as CheckRow[];
  if (!row) throw new Error('the tables trip_namespace and trip_feed must have one row each');
  const prunedMs = row.pruned_ms ?? Number.NEGATIVE_INFINITY;
  if (at === BEGINNING) return row;
  const isThere =
    row.trip_id === at.tripId && row.revision === at.revision && row.occurred_ms === at.occurredMs;
  const isPruned = row.trip_id === null && at.occurredMs <= prunedMs && at.position <= row.last_position;
  if (at.position > 0 && !isThere && !isPruned)
    throw new TripFeedBrokenError('RESTORED', keptCursor(row, boundMs));
  if (at.completeMs < prunedMs) throw new TripFeedBrokenError('PRUNED', undefined);
  return row;
}

function keptCursor(row: CheckRow, boundMs: number): string | undefined {
  if (row.kept_position === null) return undefined;
  return writeCursor(row.namespace_id, {
    position: row.kept_position,
    tripId: row.kept_trip_id,
    revision: row.kept_revision,
    occurredMs: row.kept_ms,
    newestMs: Math.max(boundMs, row.kept_ms),
    completeMs: row.now_ms,
  });
}

async function placeEvents({ database, requestTimeoutMs }: FeedStore): Promise<void> {
  const deadline = Deadline.after(requestTimeoutMs);
  const work = database.transaction(
    deadline,
    async (session) => {
      await session.query({ text: LOCK_FEED, values: [] });
      await session.query({ text: PLACE_EVENTS, values: [] });
    },
    {},
  );
  await work.catch(rethrow);
}

function readAs(
  { database, requestTimeoutMs }: FeedStore,
  statement: typeof READ_FEED,
  values: unknown[],
): Promise<unknown[]> {
  return database.call(Deadline.after(requestTimeoutMs)).read(statement, values).catch(rethrow);
}

function rethrow(error: unknown): never {
  throw error instanceof PostgresFailure ? storeError(error) : error;
}
