import { lockLimit } from '@solegate/postgres-infra';
import { recordEvents } from '../events/outbox.js';
import type { TripStatement } from '../sql/database.js';
import { TRIP_MOVES } from '../trip/lifecycle.js';

/**
 * Decides accepts. A reservation is made entirely in this statement or not at all.
 *
 * - `held` locks the rows in the order of their IDs. A row that has changed in the meantime is checked again in its new
 *   version: status, epoch and lists are all in the row. Time is not, so `taken` checks the expiry, under the lock.
 * - `taken` inserts the driver's one active trip. A driver who already has one, or who wants two trips in this group,
 *   gets at most one; the others get no row here. Drivers are inserted in order too, after all trips were locked.
 * - `moved` and the event CTE move the trip and write its event.
 *
 * A group skips locked rows, so it only ever waits for a driver who is being reserved elsewhere at the same time.
 * A single request waits for its row.
 *
 * The limit, always the number of requests, is for the planner, which then expects one row and keeps one plan of
 * index lookups. Otherwise it would plan each small group again, which takes longer than running it.
 * The status is passed with the requests for the same reason: given a constant, the planner of a still small database
 * would scan the index of all open offers, once per request, and keep that plan.
 */
const decideTrips = (name: string, rowLock: string): TripStatement => ({
  name,
  text: `
  WITH ${lockLimit('$1')}, wanted AS (
    SELECT *, '${TRIP_MOVES.accept.from[0]}' AS status
    FROM unnest($2::bigint[], $3::integer[], $4::bigint[]) AS w (trip_id, epoch, driver_id)
    LIMIT $6
  ), held AS (
    SELECT t.id, w.driver_id, t.offer_expires_at
    FROM lock_limit, wanted w
    JOIN trips t ON t.id = w.trip_id
    WHERE t.status = w.status
      AND t.epoch = w.epoch
      AND (t.offered_driver_ids IS NULL OR w.driver_id = ANY (t.offered_driver_ids))
      AND w.driver_id <> ALL (t.excluded_driver_ids)
      AND w.driver_id <> ALL (t.rejected_driver_ids)
    ORDER BY t.id
    ${rowLock}
  ), taken AS (
    INSERT INTO driver_active (driver_id, trip_id, start_by)
    SELECT driver_id, id, clock_timestamp() + $5 * interval '1 millisecond'
    FROM held
    WHERE offer_expires_at > clock_timestamp()
    ORDER BY driver_id, id
    ON CONFLICT DO NOTHING
    RETURNING driver_id, trip_id
  ), moved AS (
    UPDATE trips t
    SET status = '${TRIP_MOVES.accept.to}', driver_id = taken.driver_id, accepted_at = clock_timestamp(),
        revision = t.revision + 1
    FROM taken
    WHERE t.id = taken.trip_id
    RETURNING t.id, t.revision, t.status, t.epoch, t.rider_id, t.driver_id, t.offered_driver_ids,
              t.excluded_driver_ids, t.offer_expires_at, t.accepted_at
  ), ${recordEvents('accept')}
  SELECT id, driver_id, epoch, accepted_at, offered_driver_ids FROM moved`,
});

/** For trips whose rows are not locked. */
export const DECIDE_TRIPS = decideTrips('solegate_decide_trips', 'FOR UPDATE OF t SKIP LOCKED');
/** For one trip whose row is locked. */
export const DECIDE_HELD_TRIP = decideTrips('solegate_decide_held_trip', 'FOR UPDATE OF t');

/** A trip that this statement gave to the driver. */
export interface MovedRow {
  readonly id: string;
  readonly driver_id: string;
  readonly epoch: number;
  readonly accepted_at: Date;
  readonly offered_driver_ids: readonly string[] | null;
}
