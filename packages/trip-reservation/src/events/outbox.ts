import { audienceOf } from '../sql/row.js';
import type { TripMoveName } from '../trip/lifecycle.js';
import { TRIP_MOVES } from '../trip/lifecycle.js';
import type { TripEvent, TripEventType, TripStatus } from '../trip/trip.js';

/**
 * Part of each statement that moves trips: writes one event for each row of the CTE `moved`. The event and
 * the move are one statement, so there is never one without the other.
 *
 * @param aboutDriver SQL for the driver that the event is about, in terms of `moved`
 * @param offeredTo SQL for those whom it reaches, in terms of `moved`
 */
export function recordEvents(
  move: TripMoveName,
  aboutDriver = 'driver_id',
  offeredTo = 'offered_driver_ids',
): string {
  return `told AS (
    INSERT INTO trip_outbox (trip_id, revision, type, status, epoch, rider_id, driver_id, offered_driver_ids,
                             offer_expires_at, occurred_at)
    SELECT id, revision, '${TRIP_MOVES[move].event}', status, epoch, rider_id, ${aboutDriver},
           ${offeredTo}, offer_expires_at, clock_timestamp()
    FROM moved
  )`;
}

/** What a `TripEvent` is read from. */
export const EVENT_COLUMNS = `trip_id, revision, type, status, epoch, rider_id, driver_id, offered_driver_ids,
  offer_expires_at, occurred_at`;

interface EventRow {
  readonly trip_id: string;
  readonly revision: number;
  readonly type: TripEventType;
  readonly status: TripStatus;
  readonly epoch: number;
  readonly rider_id: string;
  readonly driver_id: string | null;
  readonly offered_driver_ids: readonly string[] | null;
  readonly offer_expires_at: Date;
  readonly occurred_at: Date;
}

/** The event of a row selected with {@link EVENT_COLUMNS}. */
export function eventOf(selected: unknown): TripEvent {
  const row = selected as EventRow;
  return {
    id: `${row.trip_id}-${row.revision}`,
    type: row.type,
    tripId: BigInt(row.trip_id),
    revision: row.revision,
    riderId: BigInt(row.rider_id),
    status: row.status,
    epoch: row.epoch,
    driverId: row.driver_id === null ? null : BigInt(row.driver_id),
    offeredTo: audienceOf(row.offered_driver_ids),
    offerExpiresAt: row.offer_expires_at,
    occurredAt: row.occurred_at,
  };
}
