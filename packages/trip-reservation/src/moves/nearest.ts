/**
 * Offers that reach the nearest drivers first, and then more of them.
 *
 * Positions are a hint from Redis. The drivers of an offer are in the row of the trip and its progress is in
 * `trip_nearest`, so any process can continue it. A sweep leases a step by postponing its due time (`LEASE_MS`); if the
 * process dies, the next sweep takes the step again. The statement that widens the offer also schedules the next
 * step, so a step happens once and writes one event.
 *
 * A driver who was offered the trip is in its list and is skipped from then on: no one is offered it twice in an epoch.
 * If positions are unavailable, the offer goes to the request's `offeredTo`, or to everyone; no rider waits for Redis.
 */
import { lockLimit } from '@solegate/postgres-infra';
import type { DriverPool } from '../driver-pool/driver-pool.js';
import { recordEvents } from '../events/outbox.js';
import { BUSY_DRIVERS, busyOf } from '../sql/busy.js';
import type { StoreCall, TripStatement } from '../sql/database.js';
import { idArray } from '../sql/row.js';
import { LISTED_DRIVERS_MAX } from '../trip/input.js';
import type { TripObserver } from '../trip/observer.js';
import type { NearestOffer, Place } from '../trip/trip.js';
import { moveStatement } from './move.js';

/** How long a sweep has a step to itself, in milliseconds; after that another sweep can take it. */
const LEASE_MS = 2000;
/** Extra drivers to search for, because some are on a trip. */
const SPARE_COUNT = 30;
const NEAREST_MAX = 1000;

/** Takes the due steps, each by one sweep, and deletes rows whose trip needs no more steps. */
const TAKE_STEPS: TripStatement = {
  name: 'solegate_take_nearest_steps',
  text: `
  WITH ${lockLimit('$1')}, over AS (
    DELETE FROM trip_nearest n USING trips t
    WHERE t.id = n.trip_id AND n.next_at <= clock_timestamp()
      AND (t.status IN ('COMPLETED', 'CANCELLED', 'EXPIRED')
        OR t.status = 'FINDING' AND t.offered_driver_ids IS NULL)
  ), due AS (
    SELECT n.trip_id FROM lock_limit, trip_nearest n
    JOIN trips t ON t.id = n.trip_id
    WHERE n.next_at <= clock_timestamp() AND t.status = 'FINDING' AND t.offer_expires_at > clock_timestamp()
      AND t.offered_driver_ids IS NOT NULL
    ORDER BY n.next_at LIMIT $2
    FOR UPDATE OF n SKIP LOCKED
  ), taken AS (
    UPDATE trip_nearest n SET next_at = clock_timestamp() + ${LEASE_MS} * interval '1 millisecond'
    FROM due WHERE n.trip_id = due.trip_id
    RETURNING n.*
  )
  SELECT taken.trip_id, batch_size, every_ms, radii, fallback_driver_ids, next_step, t.revision, t.pickup,
         t.offered_driver_ids || t.excluded_driver_ids AS known_driver_ids
  FROM taken JOIN trips t ON t.id = taken.trip_id`,
};

/** $4: the drivers to add, NULL for everyone; $5: the next step. */
const REACH_DRIVERS = moveStatement(
  'reach',
  `offered_driver_ids = CASE WHEN $4::bigint[] IS NULL THEN NULL
    ELSE ARRAY(SELECT DISTINCT unnest(t.offered_driver_ids || $4::bigint[])) END`,
  [
    `stepped AS (
    UPDATE trip_nearest n
    SET next_step = $5, next_at = clock_timestamp() + n.every_ms * interval '1 millisecond'
    FROM moved WHERE n.trip_id = moved.id
  )`,
    recordEvents('reach', { offeredTo: '$4::bigint[]' }),
  ],
);

/** No new driver was found; the offer stays as it is. */
const SKIP_STEP: TripStatement = {
  name: 'solegate_skip_nearest_step',
  text: `
  WITH ${lockLimit('$1')}
  UPDATE trip_nearest n SET next_step = $3, next_at = clock_timestamp() + n.every_ms * interval '1 millisecond'
  FROM lock_limit WHERE n.trip_id = $2`,
};

interface StepRow {
  readonly trip_id: string;
  readonly batch_size: number;
  readonly every_ms: number;
  readonly radii: readonly number[];
  readonly fallback_driver_ids: readonly string[] | null;
  readonly next_step: number;
  readonly revision: number;
  readonly pickup: Place;
  readonly known_driver_ids: readonly string[];
}

interface Search {
  readonly tripId: bigint;
  readonly pickup: Place;
  readonly nearest: NearestOffer;
  /** From 1. */
  readonly step: number;
  readonly known: ReadonlySet<bigint>;
}

interface Batch {
  /** Null for everyone. */
  readonly driverIds: readonly bigint[] | null;
  /** The step whose radius they were found in. */
  readonly step: number;
}

export class NearestOffers {
  readonly #drivers: Pick<DriverPool, 'nearest'> | undefined;
  readonly #observer: TripObserver;

  constructor(drivers: Pick<DriverPool, 'nearest'> | undefined, observer: TripObserver) {
    this.#drivers = drivers;
    this.#observer = observer;
  }

  /** The first audience of a scheduled trip: no one yet; undefined without driver positions. */
  get later(): readonly bigint[] | undefined {
    return this.#drivers && [];
  }

  /** Returns the first drivers of a new trip; undefined if positions are unavailable. */
  async first(
    call: StoreCall,
    { tripId, pickup, nearest }: { tripId: bigint; pickup?: Place; nearest?: NearestOffer },
  ): Promise<readonly bigint[] | undefined> {
    if (pickup === undefined || nearest === undefined) return undefined;
    const batch = await this.#search(call, { tripId, pickup, nearest, step: 1, known: new Set() });
    return batch?.driverIds ?? undefined;
  }

  /** Runs the due steps, up to `batchMax`; resolves with the number of offers that reached more drivers. */
  async sweep(call: StoreCall, batchMax: number): Promise<number> {
    if (this.#drivers === undefined) return 0;
    const rows = (await call.change(TAKE_STEPS, [batchMax])) as StepRow[];
    let reachedCount = 0;
    for (const row of rows) reachedCount += (await this.#take(call, row)) ? 1 : 0;
    return reachedCount;
  }

  async #take(call: StoreCall, row: StepRow): Promise<boolean> {
    const search = searchOf(row);
    const batch = (await this.#search(call, search)) ?? fallbackOf(row, search);
    const nextStep = batch.step + 1;
    if (batch.driverIds?.length === 0) {
      await call.change(SKIP_STEP, [row.trip_id, nextStep]);
      return false;
    }
    const reached = batch.driverIds && idArray(batch.driverIds);
    const moved = await call.change(REACH_DRIVERS, [row.trip_id, row.revision, reached, nextStep]);
    return moved.length > 0;
  }

  /** Extends the radius until a new driver is found. */
  async #search(
    call: StoreCall,
    { tripId, pickup, nearest, step, known }: Search,
  ): Promise<Batch | undefined> {
    const { batchSize, radiiMeters } = nearest;
    const countMax = Math.min(NEAREST_MAX, known.size + batchSize + SPARE_COUNT);
    const roomLeft = Math.min(batchSize, LISTED_DRIVERS_MAX - known.size);
    const last = Math.max(step, radiiMeters.length);
    if (roomLeft <= 0) return { driverIds: [], step };
    try {
      for (let at = step; at <= last; at += 1) {
        const radiusMeters = radiiMeters[Math.min(at, radiiMeters.length) - 1] ?? 0;
        const found = (await this.#drivers?.nearest(pickup, { radiusMeters, countMax })) ?? [];
        const fresh = found.map(({ driverId }) => driverId).filter((driverId) => !known.has(driverId));
        const busy = fresh.length > 0 ? busyOf(await call.read(BUSY_DRIVERS, [idArray(fresh)])) : new Map();
        const driverIds = fresh.filter((driverId) => !busy.has(driverId)).slice(0, roomLeft);
        if (driverIds.length > 0) return { driverIds, step: at };
      }
      return this.#drivers && { driverIds: [], step };
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'DRIVER_POOL_UNAVAILABLE'))
        throw error;
      this.#observer.driversNotRanked?.({ tripId, error });
      return undefined;
    }
  }
}

/** The drivers of the offer if positions are unavailable. */
function fallbackOf({ fallback_driver_ids: listed }: StepRow, { known, step }: Search): Batch {
  return { driverIds: listed?.map(BigInt).filter((driverId) => !known.has(driverId)) ?? null, step };
}

function searchOf(row: StepRow): Search {
  return {
    tripId: BigInt(row.trip_id),
    pickup: row.pickup,
    nearest: { batchSize: row.batch_size, everyMs: row.every_ms, radiiMeters: row.radii },
    step: row.next_step,
    known: new Set(row.known_driver_ids.map(BigInt)),
  };
}
