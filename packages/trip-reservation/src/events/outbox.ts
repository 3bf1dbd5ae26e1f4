import { audienceOf } from '../sql/row.js';
import type { TripMoveName } from '../trip/lifecycle.js';
import { TRIP_MOVES } from '../trip/lifecycle.js';
import type { CancelReason, TripEvent, TripEventType, TripStatus } from '../trip/trip.js';

/** SQL expressions over `moved`. */
interface EventParts {
  /** The driver the event is about. */
  readonly aboutDriver?: string;
  /** The drivers it concerns. */
  readonly offeredTo?: string;
  readonly reason?: string;
}

/**
 * Returns the part of a moving statement that writes one event for each row of the CTE `moved`. Event and move
 * are one statement, so neither exists without the other.
 */
export function recordEvents(move: TripMoveName, parts: EventParts = {}): string {
  const { aboutDriver = 'driver_id', offeredTo = 'offered_driver_ids', reason = 'NULL' } = parts;
  return `recorded AS (
    INSERT INTO trip_outbox (trip_id, revision, type, status, epoch, rider_id, driver_id, offered_driver_ids,
                             excluded_driver_ids, offer_expires_at, occurred_at, reason)
    SELECT id, revision, '${TRIP_MOVES[move].event}', status, epoch, rider_id, ${aboutDriver},
           ${offeredTo}, nullif(excluded_driver_ids, '{}'), offer_expires_at, clock_timestamp(), ${reason}
    FROM moved
  )`;
}

/** Longer than a relay that hangs can keep its batch, in seconds. */
const RECENT_SECONDS = 15;

/** Selects the recent events that no relay has published; by the time of the transaction, so that the index is read from there. */
export const RECENTLY_UNPUBLISHED = `published_at IS NULL AND occurred_at > now() - interval '${RECENT_SECONDS} seconds'`;

/** The columns of a `TripEvent`. */
export const EVENT_COLUMNS = `trip_id, revision, type, status, epoch, rider_id, driver_id, offered_driver_ids,
  excluded_driver_ids, offer_expires_at, occurred_at, reason`;

interface EventRow {
  readonly trip_id: string;
  readonly revision: number;
  readonly type: TripEventType;
  readonly status: TripStatus;
  readonly epoch: number;
  readonly rider_id: string;
  readonly driver_id: string | null;
  readonly offered_driver_ids: readonly string[] | null;
  readonly excluded_driver_ids: readonly string[] | null;
  readonly offer_expires_at: Date;
  readonly occurred_at: Date;
  readonly reason: CancelReason | null;
}

/** Converts a row selected with {@link EVENT_COLUMNS}. */
export function eventOf(selected: unknown): TripEvent {
  const row = selected as EventRow;
  const listed = audienceOf(row.offered_driver_ids);
  const excludedDriverIds = (row.excluded_driver_ids ?? []).map(BigInt);
  return {
    id: `${row.trip_id}-${row.revision}`,
    type: row.type,
    tripId: BigInt(row.trip_id),
    revision: row.revision,
    riderId: BigInt(row.rider_id),
    status: row.status,
    epoch: row.epoch,
    driverId: row.driver_id === null ? null : BigInt(row.driver_id),
    offeredTo: listed === 'EVERYONE' ? listed : listed.filter((id) => !excludedDriverIds.includes(id)),
    excludedDriverIds,
    offerExpiresAt: row.offer_expires_at,
    occurredAt: row.occurred_at,
    reason: row.reason,
  };
}
