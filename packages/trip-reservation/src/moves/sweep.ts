/**
 * The sweep: changes that are due by time alone. Any number of processes can sweep concurrently; each skips rows
 * that are locked, by another sweep or by anyone else. The next sweep finds those.
 *
 * Time is PostgreSQL's. An expired offer cannot be accepted even before it is swept; the sweep only records
 * the expiry.
 */

import { lockLimit } from '@solegate/postgres-infra';
import { recordEvents } from '../events/outbox.js';
import type { StoreCall, TripStatement } from '../sql/database.js';
import { TRIP_MOVES } from '../trip/lifecycle.js';
import type { SweepReport } from '../trip/observer.js';
import { LEFT_LAST, NEXT_EPOCH_WITHOUT_DRIVER } from './move.js';
import type { NearestOffers } from './nearest.js';

const DUE_OFFERS = `
  SELECT id FROM lock_limit, trips
  WHERE status = '${TRIP_MOVES.expire.from[0]}' AND offer_expires_at <= clock_timestamp()`;

/** Scheduled trips that are due. */
const OPEN_SCHEDULED: TripStatement = {
  name: 'solegate_open_scheduled',
  text: `
  WITH ${lockLimit('$1')}, due AS (
    SELECT id FROM lock_limit, trips
    WHERE status = '${TRIP_MOVES.open.from[0]}' AND offer_at <= clock_timestamp()
    ORDER BY offer_at LIMIT $2 FOR UPDATE OF trips SKIP LOCKED
  ), moved AS (
    UPDATE trips t
    SET status = '${TRIP_MOVES.open.to}', revision = t.revision + 1,
        offer_expires_at = clock_timestamp() + t.offer_ttl_ms * interval '1 millisecond'
    FROM due WHERE t.id = due.id
    RETURNING t.*
  ), ${recordEvents('open')}
  SELECT id FROM moved`,
};

/** Expired offers with rounds left: offered to the same audience in the next epoch. */
const RETRY_OFFERS: TripStatement = {
  name: 'solegate_retry_offers',
  text: `
  WITH ${lockLimit('$1')}, due AS (${DUE_OFFERS} AND offer_rounds_left > 1 ORDER BY id LIMIT $2 FOR UPDATE OF trips SKIP LOCKED),
  moved AS (
    UPDATE trips t
    SET epoch = t.epoch + 1, revision = t.revision + 1, offer_rounds_left = t.offer_rounds_left - 1,
        rejected_driver_ids = '{}',
        offer_expires_at = clock_timestamp() + t.offer_ttl_ms * interval '1 millisecond'
    FROM due WHERE t.id = due.id
    RETURNING t.*
  ), ${recordEvents('retry')}
  SELECT id FROM moved`,
};

/** Expired offers without rounds left: no driver accepted. */
const EXPIRE_TRIPS: TripStatement = {
  name: 'solegate_expire_trips',
  text: `
  WITH ${lockLimit('$1')}, due AS (${DUE_OFFERS} AND offer_rounds_left <= 1 ORDER BY id LIMIT $2 FOR UPDATE OF trips SKIP LOCKED),
  moved AS (
    UPDATE trips t
    SET status = '${TRIP_MOVES.expire.to}', revision = t.revision + 1, ended_at = clock_timestamp()
    FROM due WHERE t.id = due.id
    RETURNING t.*
  ), ${recordEvents('expire')}
  SELECT id FROM moved`,
};

/** Drivers who accepted and did not start in time. */
const REPLACE_IDLE_DRIVERS: TripStatement = {
  name: 'solegate_replace_idle_drivers',
  text: `
  WITH ${lockLimit('$1')}, due AS (
    SELECT t.id FROM lock_limit, driver_active a
    JOIN trips t ON t.id = a.trip_id
    WHERE a.start_by <= clock_timestamp() AND t.status = '${TRIP_MOVES.idle.from[0]}' AND t.driver_id = a.driver_id
    ORDER BY t.id LIMIT $2
    FOR UPDATE OF t, a SKIP LOCKED
  ), moved AS (
    UPDATE trips t
    SET status = '${TRIP_MOVES.idle.to}', revision = t.revision + 1, ${NEXT_EPOCH_WITHOUT_DRIVER}
    FROM due WHERE t.id = due.id
    RETURNING t.*
  ), freed AS (DELETE FROM driver_active a USING moved WHERE a.trip_id = moved.id),
  ${recordEvents('idle', { aboutDriver: LEFT_LAST })}
  SELECT id FROM moved`,
};

/** This package leaves no such rows, but manual edits of trips might. */
const FREE_ORPHANS: TripStatement = {
  name: 'solegate_free_orphans',
  text: `
  WITH ${lockLimit('$1')}, orphans AS (
    SELECT a.driver_id FROM lock_limit, driver_active a
    JOIN trips t ON t.id = a.trip_id
    WHERE t.status NOT IN ('ACCEPTED', 'IN_PROGRESS') OR t.driver_id IS DISTINCT FROM a.driver_id
    FOR UPDATE OF t, a SKIP LOCKED
  )
  DELETE FROM driver_active a USING orphans o WHERE a.driver_id = o.driver_id
  RETURNING a.driver_id`,
};

export interface SweepOptions {
  /** Maximum number of trips per statement. */
  readonly batchMax: number;
  /**
   * Finding orphans reads the row of every driver on a trip, so frequent sweeps usually skip it.
   */
  readonly withOrphans: boolean;
  readonly nearest: NearestOffers;
}

export async function expireOffers(
  call: StoreCall,
  { batchMax, withOrphans, nearest }: SweepOptions,
): Promise<SweepReport> {
  const opened = await call.change(OPEN_SCHEDULED, [batchMax]);
  const expired = await call.change(EXPIRE_TRIPS, [batchMax]);
  const retried = await call.change(RETRY_OFFERS, [batchMax]);
  const replaced = await call.change(REPLACE_IDLE_DRIVERS, [batchMax]);
  const orphans = withOrphans ? await call.change(FREE_ORPHANS, []) : [];
  return {
    redispatchedCount: retried.length + replaced.length,
    openedCount: opened.length,
    expiredCount: expired.length,
    orphanCount: orphans.length,
    widenedCount: await nearest.sweep(call, batchMax),
  };
}
