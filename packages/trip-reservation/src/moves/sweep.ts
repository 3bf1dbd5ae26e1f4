/**
 * The sweep: changes that are due by time alone. Any number of processes can sweep concurrently; each skips rows
 * that are locked, by another sweep or by anyone else. The next sweep finds those.
 *
 * Time is PostgreSQL's. An expired offer cannot be accepted even before it is swept; the sweep only records
 * the expiry.
 */

import { lockLimit } from '@solegate/postgres-infra';
import { RECENTLY_UNPUBLISHED, recordEvents } from '../events/outbox.js';
import type { StoreCall, TripStatement } from '../sql/database.js';
import { TRIP_MOVES, type TripMoveName } from '../trip/lifecycle.js';
import type { SweepReport } from '../trip/observer.js';
import { FREE_DRIVER, LEFT_LAST, NEXT_EPOCH_WITHOUT_DRIVER, STEP_AT_ONCE } from './move.js';
import type { NearestOffers } from './nearest.js';

/**
 * Returns a statement that makes a move of trips for which it is due.
 *
 * @param due selects the IDs; its rows are locked
 * @param columns assignments
 */
const dueStatement = (
  move: TripMoveName,
  due: string,
  columns: string,
  parts: readonly string[] = [recordEvents(move)],
): TripStatement => ({
  name: `solegate_${move}_due`,
  text: `
  WITH ${lockLimit('$1')}, due AS (${due} SKIP LOCKED), moved AS (
    UPDATE trips t SET status = '${TRIP_MOVES[move].to}', revision = t.revision + 1, ${columns}
    FROM due WHERE t.id = due.id
    RETURNING t.*
  ), ${parts.join(', ')}
  SELECT id FROM moved`,
});

const OFFER_AGAIN = `offer_expires_at = clock_timestamp() + t.offer_ttl_ms * interval '1 millisecond'`;

const dueOffers = (roundsLeft: string) => `
    SELECT id FROM lock_limit, trips
    WHERE status = '${TRIP_MOVES.expire.from[0]}' AND offer_expires_at <= clock_timestamp()
      AND offer_rounds_left ${roundsLeft}
    ORDER BY id LIMIT $2 FOR UPDATE OF trips`;

/** Scheduled trips that are due. */
const OPEN_SCHEDULED = dueStatement(
  'open',
  `
    SELECT id FROM lock_limit, trips
    WHERE status = '${TRIP_MOVES.open.from[0]}' AND offer_at <= clock_timestamp()
    ORDER BY offer_at LIMIT $2 FOR UPDATE OF trips`,
  OFFER_AGAIN,
);

/** Expired offers with rounds left: offered to the same audience in the next epoch. */
const RETRY_OFFERS = dueStatement(
  'retry',
  dueOffers('> 1'),
  `epoch = t.epoch + 1, offer_rounds_left = t.offer_rounds_left - 1, rejected_driver_ids = '{}', ${OFFER_AGAIN}`,
);

/** Expired offers without rounds left: no driver accepted. */
const EXPIRE_TRIPS = dueStatement('expire', dueOffers('<= 1'), 'ended_at = clock_timestamp()');

/** Drivers who accepted and did not start in time. */
const REPLACE_IDLE_DRIVERS = dueStatement(
  'idle',
  `
    SELECT t.id FROM lock_limit, driver_active a
    JOIN trips t ON t.id = a.trip_id
    WHERE a.start_by <= clock_timestamp() AND t.status = '${TRIP_MOVES.idle.from[0]}' AND t.driver_id = a.driver_id
    ORDER BY t.id LIMIT $2
    FOR UPDATE OF t, a`,
  NEXT_EPOCH_WITHOUT_DRIVER,
  [FREE_DRIVER, STEP_AT_ONCE, recordEvents('idle', { aboutDriver: LEFT_LAST })],
);

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

/**
 * What a sweep and a relay would find: one statement instead of one for each move. In a read-only database everything is due, so
 * that the moves fail and report it.
 */
const LOOK: TripStatement = {
  name: 'solegate_look_for_work',
  text: `
  SELECT EXISTS (SELECT FROM trips WHERE status = '${TRIP_MOVES.open.from[0]}' AND offer_at <= now())
    OR EXISTS (SELECT FROM trips WHERE status = '${TRIP_MOVES.expire.from[0]}' AND offer_expires_at <= now())
    OR EXISTS (SELECT FROM driver_active WHERE start_by <= now())
    OR EXISTS (
      SELECT FROM trip_nearest n JOIN trips t ON t.id = n.trip_id
      WHERE n.next_at <= now() AND t.status = '${TRIP_MOVES.reach.from[0]}'
    ) AS "isMoveDue",
    current_setting('transaction_read_only')::boolean
    OR EXISTS (SELECT FROM trip_nearest WHERE next_at <= now()) AS "isStepDue",
    EXISTS (SELECT FROM trip_outbox WHERE ${RECENTLY_UNPUBLISHED}) AS "isUnpublished"`,
};

interface FoundWork {
  /** Moves are due, which write events. */
  readonly isMoveDue: boolean;
  /** A nearest step is due, even if its trip is driven or over. */
  readonly isStepDue: boolean;
  /** Recent events are not published. */
  readonly isUnpublished: boolean;
}

export async function lookForWork(call: StoreCall): Promise<FoundWork> {
  const [found] = await call.read(LOOK, []);
  return found as FoundWork;
}

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
