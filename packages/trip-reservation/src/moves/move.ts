/**
 * Every change of a trip except accept: read the trip, judge it, and move it if it has not changed since.
 *
 * The row is authoritative; its `revision` grows with every move. A move names the revision at which it was judged,
 * so if anything happened in between (an accept that committed, a cancel), it moves nothing, and the trip is
 * judged again. The same holds for `driver_active`: a statement sees what was committed before it began, and
 * the driver's row was committed with the revision that the move names.
 *
 * Time passes without a new revision. So the one move that depends on it in this way, widening an offer before it
 * expires, checks it again once the row is locked.
 */

import { lockLimit } from '@solegate/postgres-infra';
import { recordEvents } from '../events/outbox.js';
import type { StoreCall, TripStatement } from '../sql/database.js';
import { isOfferOver } from '../sql/offer-over.js';
import { TRIP_COLUMNS, tripOf } from '../sql/row.js';
import { BusyError, TripNotFoundError } from '../trip/errors.js';
import { TRIP_MOVES, type TripMove, type TripMoveName } from '../trip/lifecycle.js';
import type { Trip } from '../trip/trip.js';

/** How often a trip can change between reading and moving it before the caller gets BusyError. */
const ATTEMPT_MAX = 5;

/** `read_at` is rounded as the stored times are: cut off instead, it could lie before an arrival just stored. */
const READ_TRIP: TripStatement = {
  name: 'solegate_read_trip',
  text: `
  SELECT ${TRIP_COLUMNS}, ${isOfferOver('trips')} AS is_offer_over, clock_timestamp()::timestamptz(3) AS read_at
  FROM trips WHERE id = $1`,
};

export const FREE_DRIVER = 'freed AS (DELETE FROM driver_active a USING moved WHERE a.trip_id = moved.id)';

/** Assignments that start the next dispatch epoch without the driver who had the trip. */
export const NEXT_EPOCH_WITHOUT_DRIVER = `
  epoch = t.epoch + 1, driver_id = NULL, accepted_at = NULL, started_at = NULL, arrived_at = NULL,
  excluded_driver_ids = t.excluded_driver_ids || t.driver_id, rejected_driver_ids = '{}',
  offer_expires_at = clock_timestamp() + t.offer_ttl_ms * interval '1 millisecond'`;

/**
 * A trip that is offered again takes its next nearest step at once: while it was driven, its steps were postponed. Times
 * are stored in whole milliseconds; rounded up, this one could lie after the statement that takes the step.
 */
export const STEP_AT_ONCE = `stepped AS (
    UPDATE trip_nearest n SET next_at = date_trunc('milliseconds', clock_timestamp())
    FROM moved WHERE n.trip_id = moved.id)`;

/** The driver who left last, as an expression over `moved`. */
export const LEFT_LAST = 'excluded_driver_ids[cardinality(excluded_driver_ids)]';

/** $2: the trip; $3: the revision at which it was judged. */
function moveStatement(move: TripMoveName, columns: string, parts: readonly string[]): TripStatement {
  const { from, to }: TripMove = TRIP_MOVES[move];
  return {
    name: `solegate_${move}_trip`,
    text: `
  WITH ${lockLimit('$1')}, held AS (
    SELECT t.id, t.offer_expires_at, t.status AS was FROM lock_limit, trips t
    WHERE t.id = $2 AND t.revision = $3 AND t.status IN (${from.map((status) => `'${status}'`).join(', ')})
    FOR UPDATE OF t
  ), moved AS (
    UPDATE trips t
    SET status = '${to}', revision = t.revision + 1, ${columns}
    FROM held
    WHERE t.id = held.id${move === 'widen' ? ' AND held.offer_expires_at > clock_timestamp()' : ''}
    RETURNING t.*, held.was
  ), ${parts.join(', ')}
  SELECT ${TRIP_COLUMNS} FROM moved`,
  };
}

export const ARRIVE = moveStatement('arrive', 'arrived_at = clock_timestamp()', [recordEvents('arrive')]);

export const START_TRIP = moveStatement('start', 'started_at = clock_timestamp()', [
  'begun AS (UPDATE driver_active a SET start_by = NULL FROM moved WHERE a.trip_id = moved.id)',
  recordEvents('start'),
]);

export const COMPLETE_TRIP = moveStatement('complete', 'ended_at = clock_timestamp()', [
  FREE_DRIVER,
  recordEvents('complete'),
]);

/** $4: the reason, or NULL. No driver knows of a scheduled trip. */
export const CANCEL_TRIP = moveStatement('cancel', 'ended_at = clock_timestamp(), cancel_reason = $4::text', [
  FREE_DRIVER,
  recordEvents('cancel', {
    offeredTo: "CASE WHEN was = 'SCHEDULED' THEN '{}' ELSE offered_driver_ids END",
    reason: 'cancel_reason',
  }),
]);

export const END_BY_NO_SHOW = moveStatement(
  'noShow',
  `ended_at = clock_timestamp(), cancel_reason = 'RIDER_NO_SHOW'`,
  [FREE_DRIVER, recordEvents('noShow', { reason: 'cancel_reason' })],
);

/** $4: the reason, or NULL. */
export const LEAVE_TRIP = moveStatement('leave', NEXT_EPOCH_WITHOUT_DRIVER, [
  FREE_DRIVER,
  STEP_AT_ONCE,
  recordEvents('leave', { aboutDriver: LEFT_LAST, reason: '$4::text' }),
]);

/**
 * $4: the drivers to add, NULL for everyone; $5: how long the offer lasts at least, NULL for the trip's own
 * `offer_ttl_ms`.
 */
export const WIDEN_OFFER = moveStatement(
  'widen',
  `offered_driver_ids = CASE WHEN t.offered_driver_ids IS NULL OR $4::bigint[] IS NULL THEN NULL
    ELSE ARRAY(SELECT DISTINCT unnest(t.offered_driver_ids || $4::bigint[])) END,
  offer_expires_at = greatest(
    t.offer_expires_at,
    clock_timestamp() + coalesce($5::integer, t.offer_ttl_ms) * interval '1 millisecond')`,
  [recordEvents('widen')],
);

/** A trip as read, and whether its offer was over by then. */
interface JudgedTrip {
  readonly trip: Trip;
  readonly isOfferOver: boolean;
  /** By PostgreSQL's clock. */
  readonly readAt: Date;
}

export interface MoveTripOptions<Outcome> {
  readonly tripId: bigint;
  readonly statement: TripStatement;
  /** Parameters from $4 on. */
  readonly values?: readonly unknown[];
  /** The answer if the trip need not or must not move; undefined to move it. */
  readonly judge: (judged: JudgedTrip) => Outcome | undefined;
  /** The answer after the move. */
  readonly moved: (trip: Trip, before: Trip) => Outcome;
}

/** @throws TripNotFoundError, BusyError, PostgresFailure */
export async function moveTrip<Outcome>(
  call: StoreCall,
  options: MoveTripOptions<Outcome>,
): Promise<Outcome> {
  const { tripId, statement, values = [], judge, moved } = options;
  for (let attempt = 1; attempt <= ATTEMPT_MAX; attempt += 1) {
    const [row] = await call.read(READ_TRIP, [String(tripId)]);
    if (!row) throw new TripNotFoundError(tripId);
    const trip = tripOf(row);
    const { is_offer_over: isOfferOver, read_at: readAt } = row as { is_offer_over: boolean; read_at: Date };
    const answer = judge({ trip, isOfferOver, readAt });
    if (answer !== undefined) return answer;
    const [movedRow] = await call.change(statement, [String(tripId), trip.revision, ...values]);
    if (movedRow) return moved(tripOf(movedRow), trip);
  }
  throw new BusyError(tripId);
}
