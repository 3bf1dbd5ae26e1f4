import { Deadline } from '@solegate/postgres-infra';
import type { RedisConnection } from '@solegate/redis-infra';
import { assertRedisConnection } from '@solegate/redis-infra/calls';
import { type PruneOptions, pruneHistory } from './events/prune.js';
import { publishEvents } from './events/relay.js';
import type { WriteNotices } from './events/write-notices.js';
import type { NearestOffers } from './moves/nearest.js';
import { expireOffers, lookForWork } from './moves/sweep.js';
import type { ReservationSettings } from './options.js';
import type { StoreCall, TripDatabase } from './sql/database.js';
import type { Namespace } from './sql/namespace.js';
import { BackgroundLoop } from './timing/background-loop.js';
import { InvalidRequestError } from './trip/errors.js';
import { assertWhole } from './trip/input.js';
import type { SweepReport } from './trip/observer.js';

/** Work that runs in the background until it is stopped. */
export interface BackgroundWork extends AsyncDisposable {
  /** Starts no new work and waits for work in progress. Can be called more than once. */
  stop(): Promise<void>;
}

/** Publishes the outbox until it is stopped. */
export interface OutboxRelay extends BackgroundWork {
  /** Checks the outbox immediately instead of at the next interval. */
  wake(): void;
}

/** How often a sweeper runs, its batch size, and how long it keeps old data. */
export interface SweeperOptions {
  /** Time between two sweeps, 10 to 3,600,000 ms. Default 1,000. */
  readonly intervalMs?: number;
  /** Maximum number of trips, or attempt rows, per statement, 1 to 10,000. Default 200. */
  readonly batchMax?: number;
  /**
   * How long the history of a trip is kept after its end was published (after its end, if no relay publishes),
   * 3,600,000 ms (an hour) to 3,155,760,000,000 ms (a hundred years). Default 7,776,000,000 ms (90 days). Use the same
   * value for all sweepers of a database: the shortest one wins.
   */
  readonly historyKeptMs?: number;
  /**
   * How long a trip itself is kept after its end, same range; at least until its history is deleted. Its ID and key can
   * then be used again. Default: for ever.
   */
  readonly tripsKeptMs?: number | undefined;
  /** How long attempt counts are kept, same range. Default 2,592,000,000 ms (30 days). */
  readonly attemptsKeptMs?: number;
}

/** Where, how often, and in what batch size events are published. */
export interface OutboxRelayOptions {
  /** Where to publish: preferably a connection of purpose `background`. Default: the reservation's own. */
  readonly redis?: RedisConnection;
  /**
   * Time between two checks of the outbox when this process wrote no event, 10 to 60,000 ms. Default 200. After 10 s without
   * an event, and without a notice that another process writes some, a sweeper of this reservation with an interval of at most
   * 1,000 ms checks instead.
   */
  readonly intervalMs?: number;
  /** Maximum number of events per transaction, 1 to 1,000. Default 200. */
  readonly batchMax?: number;
}

/** One in this many sweeps also handles orphans and old data: once a minute at one sweep per second. */
const SWEEPS_PER_CLEANING = 60;

/** A relay that published nothing and heard of no writer for this long is idle, in milliseconds. */
const BUSY_MS = 10_000;
/** How often an idle relay looks if a sweeper wakes it, in milliseconds: shorter than what either of them takes for recent. */
const IDLE_MS = 10_000;
/** The longest interval of such a sweeper, in milliseconds. */
const SWEEP_OFTEN_MS = 1_000;

/** How often a relay looks at all unpublished events, in milliseconds, not only at recent ones. */
const LOOK_AT_ALL_MS = 60_000;

const NOTHING_DUE: SweepReport = {
  redispatchedCount: 0,
  expiredCount: 0,
  orphanCount: 0,
  openedCount: 0,
  widenedCount: 0,
};

const DAY_MS = 86_400_000;
const KEPT_MIN_MS = 3_600_000;
const KEPT_MAX_MS = 3_155_760_000_000;

export interface TripBackgroundParts {
  readonly database: TripDatabase;
  readonly namespace: Namespace;
  readonly settings: ReservationSettings;
  readonly nearest: NearestOffers;
  readonly notices: WriteNotices;
}

/** The background work of one reservation. */
export class TripBackground {
  readonly #parts: TripBackgroundParts;
  readonly #sweepers = new Set<BackgroundLoop>();
  readonly #relays = new Set<BackgroundLoop>();
  #busyAt: number;

  constructor(parts: TripBackgroundParts) {
    this.#parts = parts;
    this.#busyAt = parts.settings.now();
  }

  startSweeper(options: SweeperOptions): BackgroundWork {
    const { intervalMs = 1000, batchMax = 200 } = options;
    const { historyKeptMs = 90 * DAY_MS, attemptsKeptMs = 30 * DAY_MS, tripsKeptMs } = options;
    assertWhole('intervalMs', intervalMs, 10, 3_600_000);
    assertWhole('batchMax', batchMax, 1, 10_000);
    assertWhole('historyKeptMs', historyKeptMs, KEPT_MIN_MS, KEPT_MAX_MS);
    assertWhole('attemptsKeptMs', attemptsKeptMs, KEPT_MIN_MS, KEPT_MAX_MS);
    if (tripsKeptMs !== undefined) assertWhole('tripsKeptMs', tripsKeptMs, KEPT_MIN_MS, KEPT_MAX_MS);
    const { observer, random } = this.#parts.settings;
    let sweepCount = 0;
    let isMoreOld = false;
    const sweeper = new BackgroundLoop({
      intervalMs,
      random,
      failed: (error) => observer.backgroundFailed?.(error, 'SWEEP'),
      pass: async () => {
        const isCleaning = sweepCount % SWEEPS_PER_CLEANING === 0;
        sweepCount += 1;
        const isMoreDue = await this.#expire(batchMax, isCleaning);
        if (isCleaning || isMoreOld) {
          isMoreOld = await this.#prune({ batchMax, historyKeptMs, tripsKeptMs, attemptsKeptMs });
        }
        return isMoreDue || isMoreOld;
      },
    });
    this.#sweepers.add(sweeper);
    return sweeper;
  }

  startOutboxRelay({ redis, intervalMs = 200, batchMax = 200 }: OutboxRelayOptions): OutboxRelay {
    if (redis === undefined) {
      throw new InvalidRequestError(
        'redis',
        'must be given here or to createTripReservation: events are published there',
      );
    }
    assertRedisConnection(redis, (problem) => new InvalidRequestError('redis', problem));
    assertWhole('intervalMs', intervalMs, 10, 60_000);
    assertWhole('batchMax', batchMax, 1, 1000);
    const { database, namespace, settings, notices } = this.#parts;
    const { observer, random } = settings;
    let isCaughtUp = false;
    let caughtUpAt = 0;
    this.#busyAt = settings.now();
    const relay = new BackgroundLoop({
      intervalMs,
      idleMs: Math.max(intervalMs, IDLE_MS),
      random,
      failed: (error) => observer.backgroundFailed?.(error, 'RELAY'),
      pass: async () => {
        notices.listen(() => this.#expectEvents());
        const isRecentOnly = isCaughtUp && settings.now() < caughtUpAt + LOOK_AT_ALL_MS;
        // Also if the pass fails.
        isCaughtUp = false;
        const published = await publishEvents({ database, namespace, redis, batchMax, isRecentOnly });
        const { eventCount, isMoreLeft } = published;
        isCaughtUp = !isMoreLeft;
        if (isCaughtUp && !isRecentOnly) caughtUpAt = settings.now();
        if (eventCount > 0) {
          this.#busyAt = settings.now();
          observer.eventsPublished?.({ eventCount });
        }
        const mayRest = isCaughtUp && this.#isIdle && this.#isSweptOften;
        return mayRest ? 'IDLE' : isMoreLeft && eventCount > 0;
      },
    });
    this.#relays.add(relay);
    return relay;
  }

  /** Publishes this process's events immediately; those of others follow by the next interval. */
  wakeRelays(): void {
    for (const relay of this.#relays) relay.wake();
  }

  /** Another process is about to write events: relays look often for a while. Those that do already are not woken. */
  #expectEvents(): void {
    const wasIdle = this.#isIdle;
    this.#busyAt = this.#parts.settings.now();
    if (wasIdle) this.wakeRelays();
  }

  get #isIdle(): boolean {
    return this.#parts.settings.now() >= this.#busyAt + BUSY_MS;
  }

  get #isSweptOften(): boolean {
    return [...this.#sweepers].some((sweeper) => sweeper.runsWithin(SWEEP_OFTEN_MS));
  }

  #call(): StoreCall {
    const { database, settings } = this.#parts;
    return database.call(Deadline.after(settings.requestTimeoutMs));
  }

  /** Resolves with true if more trips might be due. */
  async #expire(batchMax: number, withOrphans: boolean): Promise<boolean> {
    const { nearest, settings } = this.#parts;
    const call = this.#call();
    const { isMoveDue, isStepDue, isUnpublished } = await lookForWork(call);
    if (isUnpublished || withOrphans) this.wakeRelays();
    if (isMoveDue) this.#parts.notices.say();
    const isToSweep = isMoveDue || isStepDue || withOrphans;
    const report = isToSweep ? await expireOffers(call, { batchMax, withOrphans, nearest }) : NOTHING_DUE;
    settings.observer.sweepEnded?.(report);
    const { redispatchedCount, expiredCount, widenedCount, openedCount } = report;
    const movedCount = Math.max(redispatchedCount, expiredCount, widenedCount, openedCount);
    if (movedCount > 0) this.wakeRelays();
    return movedCount >= batchMax;
  }

  /** Resolves with true if more old data might remain. */
  async #prune(options: PruneOptions): Promise<boolean> {
    const report = await pruneHistory(this.#call(), options);
    const most = Math.max(report.historyCount, report.tripCount, report.attemptRowCount);
    if (most > 0) this.#parts.settings.observer.historyPruned?.(report);
    return most >= options.batchMax;
  }

  async stop(): Promise<void> {
    this.#parts.notices.close();
    await Promise.all([...this.#sweepers, ...this.#relays].map((loop) => loop.stop()));
  }
}
