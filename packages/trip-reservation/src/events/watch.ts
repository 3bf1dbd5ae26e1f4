/**
 * Delivers the events of one trip to a watcher, each once and in order, whatever Redis loses.
 *
 * The history in PostgreSQL is authoritative. Redis makes it fast: an event that directly follows the watcher's last
 * revision is delivered as received. In every other case (a missing revision, a lost connection, a slow reader) the
 * watcher reads the history. Once a second, one statement reads the revisions of all watched trips of the process, so a
 * watcher also gets events that no relay has published, even while Redis is down.
 *
 * The watch ends when the trip has ended, because no event follows.
 */
import { Deadline, settleBy } from '@solegate/postgres-infra';
import type { PubSub, Subscription } from '@solegate/redis-infra';
import type { TripDatabase, TripStatement } from '../sql/database.js';
import type { Namespace } from '../sql/namespace.js';
import { findTrips } from '../sql/reader.js';
import { idArray } from '../sql/row.js';
import { BackgroundLoop } from '../timing/background-loop.js';
import type { WatchTripOptions } from '../trip/commands.js';
import { TripNotFoundError, TripReservationClosedError } from '../trip/errors.js';
import { hasEnded } from '../trip/lifecycle.js';
import { decodeTripEvent, tripEventChannel } from './channels.js';
import { tripHistory } from './history.js';
import { type TripWatch, WatchQueue } from './trip-watch.js';

const READ_REVISIONS: TripStatement = {
  name: 'solegate_read_revisions',
  text: 'SELECT id, revision FROM trips WHERE id = ANY ($1::bigint[])',
};

interface RevisionRow {
  readonly id: string;
  readonly revision: number;
}

const POLL_MS = 1_000;
/** How long to wait for a subscription, in milliseconds; the next poll finds what a slower one misses. */
const SUBSCRIBE_MS = 100;
const HISTORY_PAGE = 1_000;

export interface TripWatcherOptions {
  readonly database: TripDatabase;
  readonly namespace: Namespace;
  readonly pubSub: PubSub | undefined;
  readonly requestTimeoutMs: number;
  readonly random: () => number;
  readonly failed: (error: Error) => void;
}

/** All watches of one process. */
export class TripWatcher {
  readonly #options: TripWatcherOptions;
  readonly #watches = new Set<WatchQueue>();
  readonly #loop: BackgroundLoop;
  #isClosed = false;

  constructor(options: TripWatcherOptions) {
    this.#options = options;
    const pass = () => this.#poll();
    this.#loop = new BackgroundLoop({ ...options, pass, intervalMs: POLL_MS, isResting: true });
  }

  /** @throws TripNotFoundError, PostgresFailure */
  async watch({ tripId, afterRevision }: WatchTripOptions): Promise<TripWatch> {
    const { database, namespace, pubSub, requestTimeoutMs } = this.#options;
    const deadline = Deadline.after(requestTimeoutMs);
    const subscribed = pubSub?.subscribe(tripEventChannel(await namespace.read(deadline), tripId));
    try {
      const isSoon = Deadline.after(SUBSCRIBE_MS);
      if (subscribed) await settleBy(subscribed, isSoon, () => new Error('late')).catch(() => undefined);
      const [trip] = await findTrips(database.call(deadline), [tripId]);
      if (trip === undefined) throw new TripNotFoundError(tripId);
      if (this.#isClosed) throw new TripReservationClosedError();
      const watch = new WatchQueue(tripId, {
        // The last event states where the trip is, in case the decision that a watcher waits for was just made.
        known: afterRevision ?? trip.revision - 1,
        isOver: hasEnded(trip.status),
        newest: trip.revision,
        history: (known) => tripHistory(this.#call(), { tripId, afterRevision: known, first: HISTORY_PAGE }),
        failed: this.#options.failed,
        ended: () => this.#end(watch, subscribed),
      });
      if (watch.isClosed) void closeOf(subscribed);
      else this.#add(watch, subscribed);
      return watch;
    } catch (error) {
      void closeOf(subscribed);
      throw error;
    }
  }

  /** Ends all watches; those that are just opening are refused. */
  close(): void {
    this.#isClosed = true;
    for (const watch of this.#watches) watch.close();
    void this.#loop.stop();
  }

  #call() {
    return this.#options.database.call(Deadline.after(this.#options.requestTimeoutMs));
  }

  #add(watch: WatchQueue, subscribed: Promise<Subscription> | undefined): void {
    this.#watches.add(watch);
    this.#loop.begin();
    void this.#listen(watch, subscribed);
  }

  #end(watch: WatchQueue, subscribed: Promise<Subscription> | undefined): void {
    this.#watches.delete(watch);
    void closeOf(subscribed);
  }

  /** Forwards events from Redis until the subscription ends; polling continues without it. */
  async #listen(watch: WatchQueue, subscribed: Promise<Subscription> | undefined): Promise<void> {
    try {
      const subscription = await subscribed;
      if (subscription === undefined) return;
      watch.look();
      for await (const news of subscription) {
        if (news.kind === 'GAP') watch.look();
        else watch.hear(decodeTripEvent(news.payload));
      }
    } catch (error) {
      this.#options.failed(error instanceof Error ? error : new Error(String(error)));
    }
  }

  async #poll(): Promise<false | 'REST'> {
    if (this.#watches.size === 0) return 'REST';
    const tripIds = [...new Set([...this.#watches].map(({ tripId }) => tripId))];
    const rows = (await this.#call().read(READ_REVISIONS, [idArray(tripIds)])) as RevisionRow[];
    const revisionById = new Map(rows.map(({ id, revision }) => [BigInt(id), revision]));
    for (const watch of this.#watches) watch.lookIfBehind(revisionById.get(watch.tripId) ?? 0);
    return false;
  }
}

async function closeOf(subscribed: Promise<Subscription> | undefined): Promise<void> {
  await subscribed?.then(
    (subscription) => subscription.close(),
    () => undefined,
  );
}
